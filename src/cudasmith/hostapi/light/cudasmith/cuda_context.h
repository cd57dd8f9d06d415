// ATen's CUDA side: checks, properties.
#pragma once
#include "cuda.h"

#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)

namespace at::cuda {
inline cudaDeviceProp* getDeviceProperties(DeviceIndex device) { return static_cast<cudaDeviceProp*>(csm_cuda_properties(device)); }
inline cudaDeviceProp* getCurrentDeviceProperties() { return getDeviceProperties(current_device()); }
inline int warp_size() { return getCurrentDeviceProperties()->warpSize; }
}  // namespace at::cuda
