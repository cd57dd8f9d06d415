// Guards, which no other header of torch brings along.
#pragma once
#include "cuda.h"

namespace c10::cuda {
class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex device) : before_(csm_cuda_set_device(device)) {}
  explicit CUDAGuard(Device device) : CUDAGuard(checked(device)) {}
  CUDAGuard(const CUDAGuard&) = delete;
  CUDAGuard& operator=(const CUDAGuard&) = delete;
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
