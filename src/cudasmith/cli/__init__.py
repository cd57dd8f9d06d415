"""Room: cli. See CONTRIBUTING.md for what it may import."""
