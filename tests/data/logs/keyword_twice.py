import torch
from torch.utils.cpp_extension import load_inline

load_inline("a", "", name="a")
