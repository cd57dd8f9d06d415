import torch
from torch.utils.cpp_extensions import load_inline
