"""Room: diagnoses. One file = one known failure. See CONTRIBUTING.md for what it may import."""
