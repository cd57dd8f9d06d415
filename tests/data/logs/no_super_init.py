import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        self.linear = nn.Linear(2, 2)


model = ModelNew()
