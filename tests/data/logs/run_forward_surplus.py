import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return x


Model()(torch.zeros(4), torch.zeros(4))
