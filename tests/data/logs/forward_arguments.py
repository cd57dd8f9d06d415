import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        return x


model = ModelNew()
model(torch.ones(2), torch.ones(2))
