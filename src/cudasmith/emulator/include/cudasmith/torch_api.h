// torch's CUDA headers, for tensors that live on the CPU. Included after every torch header, because the
// macros at its end also reach user macros: to the candidate a CPU tensor is a CUDA tensor.
#pragma once
#include "runtime_api.h"

namespace cudasmith {
inline void check(cudaError_t error, int line) {
  if (error == cudaSuccess) return;
  take_last_error(true);
  throw_cuda_error(error, cudaGetErrorString(error), line);
}
}  // namespace cudasmith

#undef C10_CUDA_CHECK
#undef AT_CUDA_CHECK
#undef C10_CUDA_KERNEL_LAUNCH_CHECK
#undef TORCH_CUDA_KERNEL_LAUNCH_CHECK
#define C10_CUDA_CHECK(EXPR) (::cudasmith::check((EXPR), __LINE__))
#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define C10_CUDA_IGNORE_ERROR(EXPR) ((void)(EXPR))
#define C10_CUDA_ERROR_HANDLED(EXPR) (EXPR)
#define C10_CUDA_CLEAR_ERROR() ((void)cudaGetLastError())
#define AT_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_KERNEL_LAUNCH_CHECK()

namespace c10::cuda {
class CUDAStream {
 public:
  operator cudaStream_t() const { return nullptr; }
  cudaStream_t stream() const { return nullptr; }
  void synchronize() const {}
  c10::DeviceIndex device_index() const { return 0; }
};
inline CUDAStream getCurrentCUDAStream(c10::DeviceIndex = -1) { return {}; }
inline CUDAStream getDefaultCUDAStream(c10::DeviceIndex = -1) { return {}; }
inline CUDAStream getStreamFromPool(bool = false, c10::DeviceIndex = -1) { return {}; }
struct CUDAGuard {
  explicit CUDAGuard(c10::DeviceIndex) {}
  explicit CUDAGuard(c10::Device) {}
  void set_device(c10::Device) {}
  void set_index(c10::DeviceIndex) {}
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  template <class T>
  explicit OptionalCUDAGuard(T&&) {}
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream) {}
};
inline c10::DeviceIndex current_device() { return 0; }
inline c10::DeviceIndex device_count() { return 1; }
inline void device_synchronize() {}
}  // namespace c10::cuda

#ifdef CUDASMITH_TORCH_HEADERS
namespace at {  // which torch has for nvcc alone
template <typename T>
struct RestrictPtrTraits { typedef T* __restrict__ PtrType; };
}  // namespace at
#endif

namespace at::cuda {
using namespace c10::cuda;
inline cudaDeviceProp* getCurrentDeviceProperties() {
  static cudaDeviceProp properties;
  properties = cudaDeviceProp();  // the target may have changed
  return &properties;
}
inline cudaDeviceProp* getDeviceProperties(c10::DeviceIndex) { return getCurrentDeviceProperties(); }
inline int warp_size() { return 32; }
}  // namespace at::cuda

namespace cudasmith {
// torch takes "cpu:0" for another device than "cpu". What is no number stays: {kCUDA, kCPU} are two types.
template <class T>
constexpr T no_index(T v) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(-1);
  else return v;
}
}  // namespace cudasmith

#if defined(CUDASMITH_TORCH_HEADERS) || !defined(CUDASMITH_CHECKED)
#define is_cuda is_cpu
#define kCUDA kCPU
#define CUDASMITH_CUDA CPU
#define CUDASMITH_TO_CUDA cpu
#define CUDASMITH_CUDA_INDEX(...) ::cudasmith::no_index(__VA_ARGS__)
#define CUDASMITH_CUDA_NAME(NAME) "cpu"
#else  // the functions that checked mode wraps tell where a tensor lies
#define CUDASMITH_CUDA CUDA
#define CUDASMITH_TO_CUDA cuda
#define CUDASMITH_CUDA_INDEX(...) (__VA_ARGS__)
#define CUDASMITH_CUDA_NAME(NAME) NAME
#endif
