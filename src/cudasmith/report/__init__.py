"""Room: report. See CONTRIBUTING.md for what it may import."""
