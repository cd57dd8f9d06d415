#include <torch/extension.h>

__global__ void read_one_more(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i < n ? i : 0] = x[i];
}
__global__ void write_one_more(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = i;
}
__global__ void shared_one_more(float* y) {
  __shared__ float s[64];
  s[threadIdx.x + 1] = 1.0f;
  y[threadIdx.x] = s[threadIdx.x];
}
__global__ void return_before_barrier(float* y, int n) {
  if (threadIdx.x >= n) return;
  __syncthreads();
  y[threadIdx.x] = 1.0f;
}
__global__ void two_barriers(float* y) {
  if (threadIdx.x < 10) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  y[0] = 1.0f;
}
__global__ void shuffle_after_exit(float* y) {
  if (threadIdx.x >= 16) return;
  y[threadIdx.x] = __shfl_down_sync(0xffffffff, 1.0f, 1);
}
__global__ void divide(int* y, int d) { y[0] = 5 / d; }
__global__ void unwritten(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1.0f; }
__global__ void unread_shared(float* y) {
  __shared__ float s[64];
  if (threadIdx.x == 0) s[blockIdx.x] = 1.0f;
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x];
}

static float* data(torch::Tensor t) { return t.data_ptr<float>(); }
void read_past(torch::Tensor x, torch::Tensor y) { read_one_more<<<(x.numel() + 64) / 64, 64>>>(data(x), data(y), x.numel()); }
void write_past(torch::Tensor x, torch::Tensor y) { write_one_more<<<(x.numel() + 64) / 64, 64>>>(data(x), data(y), x.numel()); }
void shared_past(torch::Tensor y) { shared_one_more<<<1, 64>>>(data(y)); }
void early_return(torch::Tensor y, int n) { return_before_barrier<<<1, 64>>>(data(y), n); }
void divergent(torch::Tensor y) { two_barriers<<<1, 64>>>(data(y)); }
void shuffle(torch::Tensor y) { shuffle_after_exit<<<1, 32>>>(data(y)); }
void division(torch::Tensor y, int d) { divide<<<1, 1>>>(y.data_ptr<int>(), d); }
void null_write() { unwritten<<<1, 8>>>(nullptr, 8); }
torch::Tensor half_written(torch::Tensor x, int n) {
  auto y = torch::empty_like(x);
  unwritten<<<1, 64>>>(data(y), n);
  return y;
}
void unset_shared(torch::Tensor y) { unread_shared<<<2, 64>>>(data(y)); }

PYBIND11_MODULE(faulty_kernels, m) {
  m.def("read_past", &read_past);
  m.def("write_past", &write_past);
  m.def("shared_past", &shared_past);
  m.def("early_return", &early_return);
  m.def("divergent", &divergent);
  m.def("shuffle", &shuffle);
  m.def("division", &division);
  m.def("null_write", &null_write);
  m.def("half_written", &half_written);
  m.def("unset_shared", &unset_shared);
}
