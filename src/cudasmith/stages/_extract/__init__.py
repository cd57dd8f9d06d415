"""Parts of stage extract."""
