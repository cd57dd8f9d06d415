"""Room: stages. See CONTRIBUTING.md for what it may import."""
