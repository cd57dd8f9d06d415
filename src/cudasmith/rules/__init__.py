"""Room: rules. See CONTRIBUTING.md for what it may import."""
