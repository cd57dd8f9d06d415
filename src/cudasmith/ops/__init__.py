"""Room: ops. See CONTRIBUTING.md for what it may import."""
