import torch

a = torch.nn.Linear(2, 3)
b = torch.nn.Sequential(torch.nn.Linear(2, 3))
b.load_state_dict(a.state_dict())
