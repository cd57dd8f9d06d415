#include <cuda_runtime.h>

__global__ void rowmax(const float* x, float* out, int cols) {
    float m = -FLT_MAX;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        m = fmaxf(m, x[blockIdx.x * cols + c]);
    out[blockIdx.x] = m;
}
