import torch

import renamed_ops
