import torch
import torch.nn.functional as F
torch.ones(4).as_strided([8], [1])
