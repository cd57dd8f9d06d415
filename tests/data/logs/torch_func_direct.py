import torch
import torch.nn.functional as F
class Fn(torch.autograd.Function):
  @staticmethod
  def forward(ctx, x): return x * 2
Fn()(torch.ones(2))
