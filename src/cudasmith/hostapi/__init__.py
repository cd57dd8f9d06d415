"""hostapi: torch's C++ host API in light headers, and the library with torch's own code behind them."""
