import torch

N = 4
source = f"""
__global__ void k(float* x) {
  int i = threadIdx.x;
  if (i < {N}) { x[i] = 0; }
}
"""
