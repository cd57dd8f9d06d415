"""What several units share. Units import from here, never from each other."""
