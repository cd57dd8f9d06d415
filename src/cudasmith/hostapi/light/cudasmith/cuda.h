// torch's CUDA side: streams and checks.
#pragma once
#include <cuda_runtime_api.h>

#include "tensor.h"

#define C10_CUDA_CHECK(EXPR) \
  do { \
    const cudaError_t csm_error = (EXPR); \
    if (csm_error != cudaSuccess) ::csm_cuda_check(static_cast<int>(csm_error), __FILE__, __func__, static_cast<unsigned>(__LINE__)); \
  } while (0)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define C10_CUDA_IGNORE_ERROR(EXPR) ((void)(EXPR), (void)cudaGetLastError())
#define C10_CUDA_CLEAR_ERROR() ((void)cudaGetLastError())

namespace c10::cuda {
class CUDAStream;
CUDAStream getCurrentCUDAStream(DeviceIndex device = -1);
CUDAStream getDefaultCUDAStream(DeviceIndex device = -1);
class CUDAStream {
 public:
  operator cudaStream_t() const { return stream_; }
  cudaStream_t stream() const { return stream_; }
  DeviceIndex device_index() const { return device_; }
  Device device() const { return Device(DeviceType::CUDA, device_); }
  void synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  CUDAStream(cudaStream_t stream, DeviceIndex device) : stream_(stream), device_(device) {}
  friend CUDAStream getCurrentCUDAStream(DeviceIndex);
  friend CUDAStream getDefaultCUDAStream(DeviceIndex);
  cudaStream_t stream_;
  DeviceIndex device_;
};
inline DeviceIndex current_device() { return static_cast<DeviceIndex>(csm_cuda_device()); }
inline DeviceIndex device_count() { return static_cast<DeviceIndex>(csm_cuda_device_count()); }
inline void set_device(DeviceIndex device) { csm_cuda_set_device(device); }
inline void device_synchronize() { csm_cuda_synchronize(-1); }
inline CUDAStream getCurrentCUDAStream(DeviceIndex device) {
  return {static_cast<cudaStream_t>(csm_cuda_stream(device, 0)), device < 0 ? current_device() : device};
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex device) {
  return {static_cast<cudaStream_t>(csm_cuda_stream(device, 1)), device < 0 ? current_device() : device};
}
}  // namespace c10::cuda

namespace at::cuda {
using namespace c10::cuda;
}
namespace torch::cuda {
inline size_t device_count() { return static_cast<size_t>(csm_cuda_device_count()); }
inline bool is_available() { return device_count() > 0; }
inline void synchronize(int64_t device = -1) { csm_cuda_synchronize(static_cast<int>(device)); }
}  // namespace torch::cuda
