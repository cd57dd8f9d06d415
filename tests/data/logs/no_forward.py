import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

        def forward(self, x):
            return x


model = ModelNew()
model(torch.ones(2))
