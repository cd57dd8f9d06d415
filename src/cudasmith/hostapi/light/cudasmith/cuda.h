// torch's CUDA side: streams, guards, checks, properties.
#pragma once
#include <cuda_runtime_api.h>

#include "tensor.h"

#define C10_CUDA_CHECK(EXPR) \
  do { \
    const cudaError_t csm_error = (EXPR); \
    if (csm_error != cudaSuccess) ::csm_cuda_check(static_cast<int>(csm_error), __FILE__, __func__, static_cast<unsigned>(__LINE__)); \
  } while (0)
#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define C10_CUDA_IGNORE_ERROR(EXPR) ((void)(EXPR), (void)cudaGetLastError())
#define C10_CUDA_CLEAR_ERROR() ((void)cudaGetLastError())

namespace c10::cuda {
class CUDAStream {
 public:
  CUDAStream(cudaStream_t stream, DeviceIndex device) : stream_(stream), device_(device) {}
  operator cudaStream_t() const { return stream_; }
  cudaStream_t stream() const { return stream_; }
  DeviceIndex device_index() const { return device_; }
  Device device() const { return Device(DeviceType::CUDA, device_); }
  void synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_;
  DeviceIndex device_;
};
inline DeviceIndex current_device() { return static_cast<DeviceIndex>(csm_cuda_device()); }
inline DeviceIndex device_count() { return static_cast<DeviceIndex>(csm_cuda_device_count()); }
inline void set_device(DeviceIndex device) { csm_cuda_set_device(device); }
inline void device_synchronize() { csm_cuda_synchronize(-1); }
inline CUDAStream getCurrentCUDAStream(DeviceIndex device = -1) {
  return {static_cast<cudaStream_t>(csm_cuda_stream(device, 0)), device < 0 ? current_device() : device};
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex device = -1) {
  return {static_cast<cudaStream_t>(csm_cuda_stream(device, 1)), device < 0 ? current_device() : device};
}
class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex device) : before_(csm_cuda_set_device(device)) {}
  explicit CUDAGuard(Device device) : CUDAGuard(checked(device)) {}
  CUDAGuard(const CUDAGuard&) = delete;
  ~CUDAGuard() { csm_cuda_set_device(before_); }
  void set_device(Device device) { csm_cuda_set_device(checked(device)); }
  void set_index(DeviceIndex device) { csm_cuda_set_device(device); }

 private:
  static DeviceIndex checked(Device device) {
    TORCH_INTERNAL_ASSERT(device.type() == DeviceType::CUDA, device);
    return device.index();
  }
  int before_;
};
class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(optional<Device> device) {
    if (device) guard_.emplace(*device);
  }
  explicit OptionalCUDAGuard(DeviceIndex device) { guard_.emplace(device); }

 private:
  optional<CUDAGuard> guard_;
};
}  // namespace c10::cuda

namespace at {
// The device of a tensor, as a guard takes it.
inline optional<Device> device_of(const Tensor& t) {
  if (!t.defined()) return nullopt;
  return t.device();
}
namespace cuda {
using namespace c10::cuda;
inline cudaDeviceProp* getDeviceProperties(DeviceIndex device) { return static_cast<cudaDeviceProp*>(csm_cuda_properties(device)); }
inline cudaDeviceProp* getCurrentDeviceProperties() { return getDeviceProperties(current_device()); }
inline int warp_size() { return getCurrentDeviceProperties()->warpSize; }
template <typename T> T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
}  // namespace cuda
}  // namespace at
namespace torch::cuda {
inline size_t device_count() { return static_cast<size_t>(csm_cuda_device_count()); }
inline bool is_available() { return device_count() > 0; }
inline void synchronize(int64_t device = -1) { csm_cuda_synchronize(static_cast<int>(device)); }
}  // namespace torch::cuda
