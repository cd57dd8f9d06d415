"""Room: workers. See CONTRIBUTING.md for what it may import."""
