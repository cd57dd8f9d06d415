import torch

name = “relu”
