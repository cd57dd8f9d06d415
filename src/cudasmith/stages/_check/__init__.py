"""Parts of stage check: what is asked for, what is set aside, what is mended."""
