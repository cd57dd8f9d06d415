#include <cuda_runtime.h>

__global__ void sum(const float* x, float* out, int n) {
    typedef cub::BlockReduce<float, 256> BlockReduce;
    __shared__ typename BlockReduce::TempStorage temp;
    float v = threadIdx.x < n ? x[threadIdx.x] : 0.f;
    float s = BlockReduce(temp).Sum(v);
    if (threadIdx.x == 0) *out = s;
}
