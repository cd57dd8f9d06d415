import torch

class Model(torch.nn.Module):
    def __init__(self, size, eps):
        super().__init__()


Model(4)
