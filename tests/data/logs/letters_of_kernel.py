from torch.utils.cpp_extension import load_inline

SOURCE = r"""
__global__ void größe_kernel(float* x, int größe) { if (threadIdx.x < größe) x[threadIdx.x] = 3; }
void run(torch::Tensor x) { größe_kernel<<<1, 32>>>(x.data_ptr<float>(), 32); }
"""
load_inline(name="letters", cpp_sources="void run(torch::Tensor x);", cuda_sources=SOURCE, functions=["run"])
