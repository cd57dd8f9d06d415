"""Room: gpu. See CONTRIBUTING.md for what it may import."""
