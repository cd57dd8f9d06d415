"""Room: diagnoses. See CONTRIBUTING.md for what it may import."""
