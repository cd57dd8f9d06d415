import torch
from torch.utils.cpp_extension import load

ops = load(name="gone2_ops", sources=["binding.cpp", "kernel.cu"])
