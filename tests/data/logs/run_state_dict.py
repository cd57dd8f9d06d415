import torch

a = torch.nn.Linear(2, 3)
b = torch.nn.Linear(2, 4)
b.load_state_dict(a.state_dict())
