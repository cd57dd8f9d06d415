import torch
from torch.utils.cpp_extension import load_inline

module = load_inline(
    name='relu',
    cpp_sources='',


class ModelNew(torch.nn.Module):
    pass
