import torch
import torch.nn.functional as F
import numpy
torch.from_numpy(numpy.array(['a']))
