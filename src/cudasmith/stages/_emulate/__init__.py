"""What the stage emulate does in its worker."""
