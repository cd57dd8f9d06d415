#include <cuda_runtime.h>

__global__ void add(const half* a, const half* b, half* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = __hadd(a[i], b[i]);
}

int main() { return 0; }
