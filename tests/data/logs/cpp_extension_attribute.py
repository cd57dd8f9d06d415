import torch
import torch.utils

module = torch.utils.cpp_extension.load_inlin(name='a', cpp_sources='')
