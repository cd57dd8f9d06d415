import torch
from torch.utils.cpp_extension import load_inline

cuda_src = """
__global__ void threshold_bwd(const float* g, const float* x, float* gx, float threshold, int n)
{
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
  {
    if (x[i] > threshold); {
      gx[i] = g[i];
    } else {
      gx[i] = 0.0f;
    }
  }
}

torch::Tensor threshold_backward(torch::Tensor g, torch::Tensor x, double threshold)
{
  auto gx = torch::empty_like(x);
  int n = x.numel();
  threshold_bwd<<<min((n + 255) / 256, 1024), 256>>>(
      g.data_ptr<float>(), x.data_ptr<float>(), gx.data_ptr<float>(), (float)threshold, n);
  return gx;
}
"""
cpp_src = "torch::Tensor threshold_backward(torch::Tensor g, torch::Tensor x, double threshold);"

ops = load_inline(name="threshold_bwd_ext", cpp_sources=cpp_src, cuda_sources=cuda_src,
                  functions=["threshold_backward"], verbose=False)


class Threshold(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, t):
        ctx.save_for_backward(x)
        ctx.t = t
        return torch.where(x > t, x, torch.zeros_like(x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ops.threshold_backward(g.contiguous(), x, ctx.t), None
