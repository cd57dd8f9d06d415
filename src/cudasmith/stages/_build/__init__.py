"""What the build worker does."""
