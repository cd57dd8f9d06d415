import torch
import torch.nn.functional as F
import numpy
torch.from_numpy(numpy.ones(3)[::-1])
