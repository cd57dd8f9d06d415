import torch
from torch.utils.cpp_extension import load_inline

load_inline(name="a", cpp_sources="int f() { return 1; }", functions=("f",))
