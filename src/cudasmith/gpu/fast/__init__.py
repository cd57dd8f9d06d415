"""fast: one `load_inline` call to a Python module in seconds, with light headers in the place of torch's."""

from cudasmith.gpu.fast.build import FastBuild, build_fast

__all__ = ["FastBuild", "build_fast"]
