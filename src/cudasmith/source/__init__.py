"""Room: source. See CONTRIBUTING.md for what it may import."""
