import torch

import short_ops
