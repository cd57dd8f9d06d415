// Grids that meet: cooperative launches.
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

static float* f(const torch::Tensor& t) { return t.data_ptr<float>(); }

// Softmax of one vector over all blocks; each block keeps a part in shared memory while the grid meets.
template <typename T>
__global__ void softmax(const T* x, T* parts, T* y, int n) {
  cg::grid_group grid = cg::this_grid();
  __shared__ T best[64];
  extern __shared__ unsigned char memory[];
  T* mine = reinterpret_cast<T*>(memory);
  const int t = threadIdx.x, i = grid.thread_rank();
  mine[t] = i < n ? x[i] : T(-INFINITY);
  best[t] = mine[t];
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (t < s) best[t] = best[t] > best[t + s] ? best[t] : best[t + s];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = best[0];
  grid.sync();
  T top = parts[0];
  for (unsigned b = 1; b < gridDim.x; ++b) top = top > parts[b] ? top : parts[b];
  T e = exp(mine[t] - top);
  best[t] = e;
  grid.sync();
  for (int s = 32; s > 0; s /= 2) {
    if (t < s) best[t] += best[t + s];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = best[0];
  cg::sync(grid);
  T total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += parts[b];
  if (i < n) y[i] = e / total;
}
void run_softmax(torch::Tensor x, torch::Tensor y) {
  int n = x.numel(), blocks = (n + 63) / 64;
  auto parts = torch::empty({blocks}, x.options());
  if (x.scalar_type() == torch::kDouble) {
    double *px = x.data_ptr<double>(), *pp = parts.data_ptr<double>(), *py = y.data_ptr<double>();
    void* args[] = {&px, &pp, &py, &n};
    C10_CUDA_CHECK(cudaLaunchCooperativeKernel((void*)softmax<double>, dim3(blocks), dim3(64), args, 64 * sizeof(double), 0));
    return;
  }
  float *px = f(x), *pp = f(parts), *py = f(y);
  void* args[] = {&px, &pp, &py, &n};
  C10_CUDA_CHECK(cudaLaunchCooperativeKernel((void*)softmax<float>, dim3(blocks), dim3(64), args, 64 * sizeof(float), 0));
}

// Many steps, each of which reads what other blocks wrote in the one before.
__global__ void smooth(float* a, float* b, int n, int steps) {
  auto grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) b[i] = (a[(i + n - 1) % n] + a[i] + a[(i + 1) % n]) / 3;
    grid.sync();
    float* c = a;
    a = b, b = c;
  }
}
void run_smooth(torch::Tensor a, torch::Tensor b, int64_t steps, int64_t blocks, int64_t threads) {
  float *pa = f(a), *pb = f(b);
  int n = a.numel(), s = steps;
  void* args[] = {&pa, &pb, &n, &s};
  cudaLaunchCooperativeKernel((void*)smooth, dim3(blocks), dim3(threads), args);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
std::vector<int64_t> limits(torch::Tensor a, int64_t more) {
  int each, n = 8, steps = 1;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, smooth, 1024, 0);
  float *pa = f(a), *pb = f(a) + 8;
  void* args[] = {&pa, &pb, &n, &steps};
  int sms;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  auto status = cudaLaunchCooperativeKernel((void*)smooth, dim3(each * sms + more), dim3(1024), args);
  size_t free_bytes;
  int fitting;
  cudaOccupancyAvailableDynamicSMemPerBlock(&free_bytes, smooth, 3, 256);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, smooth, 256, free_bytes);
  return {each, status, cudaGetLastError(), fitting};
}

// Wrong uses.
__global__ void valid(float* x) { x[0] = cg::this_grid().is_valid(); }
void is_valid(torch::Tensor x) { valid<<<1, 1>>>(f(x)); }
void plain(torch::Tensor a, torch::Tensor b, int64_t blocks) { smooth<<<blocks, 32>>>(f(a), f(b), a.numel(), 1); }
__global__ void unordered(float* a, float* b) {
  auto grid = cg::this_grid();
  int i = grid.thread_rank(), n = grid.size();
  a[i] = i;
  __syncthreads();
  b[i] = a[n - 1 - i];  // bug: of another block
  grid.sync();
}
__global__ void leaves(float* a) {
  if (blockIdx.x == 1) return;
  a[threadIdx.x] = 1;
  cg::this_grid().sync();
}
__global__ void diverges(float* a) {
  if (threadIdx.x < 8) __syncthreads();
  else cg::this_grid().sync();
  a[threadIdx.x] = 1;
}
void wrong(torch::Tensor a, torch::Tensor b, int64_t which) {
  float *pa = f(a), *pb = f(b);
  void* args[] = {&pa, &pb};
  if (which == 0) cudaLaunchCooperativeKernel((void*)unordered, dim3(4), dim3(32), args);
  if (which == 1) cudaLaunchCooperativeKernel((void*)leaves, dim3(3), dim3(32), args);
  if (which == 2) cudaLaunchCooperativeKernel((void*)diverges, dim3(3), dim3(32), args);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("softmax", &run_softmax);
  m.def("smooth", &run_smooth);
  m.def("limits", &limits);
  m.def("is_valid", &is_valid);
  m.def("plain", &plain);
  m.def("wrong", &wrong);
}
