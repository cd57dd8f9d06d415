"""The parts of the verify stage: inputs, modules, tolerance, comparison, one case."""
