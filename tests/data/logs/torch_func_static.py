import torch
import torch.nn.functional as F
class Fn(torch.autograd.Function):
  @staticmethod
  def forward(ctx, x): return x * 2
Fn.apply(torch.ones(2, requires_grad=True)).sum().backward()
