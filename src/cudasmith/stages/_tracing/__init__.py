"""The worker's side of capture: the only part of it that imports torch and runs user code."""
