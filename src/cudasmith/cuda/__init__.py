"""Room: cuda. See CONTRIBUTING.md for what it may import."""
