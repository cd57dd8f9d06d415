import torch

import fused_ops

import numpy as np
y = fused_ops.pad(np.zeros(4, np.float32), 1)
