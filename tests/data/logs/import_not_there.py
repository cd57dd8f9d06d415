import torch
from torch.utils import load_inline
