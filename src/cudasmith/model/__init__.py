"""Room: model. See CONTRIBUTING.md for what it may import."""
