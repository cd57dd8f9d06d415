"""cudasmith: PyTorch model in, one verified file with custom CUDA operators out."""

__version__ = "0.1.0"
