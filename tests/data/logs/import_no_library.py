import torch

import page_ops
