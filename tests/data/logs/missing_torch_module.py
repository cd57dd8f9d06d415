import numpy
import torch_scatter
