BLOCK = 256
src = f"""
__global__ void k(float* x, int n) {
    int i = blockIdx.x * {BLOCK} + threadIdx.x;
    if (i < n) x[i] = 0;
}
"""
print(src)
