import torch

class Model(torch.nn.Module):
    def __init__(self):
        self.layer = torch.nn.Linear(2, 2)


Model()
