"""Room: emulator. See CONTRIBUTING.md for what it may import."""
