// at::acc_type: the type in which to add up values of another.
#pragma once
#include "types.h"

namespace at {
template <typename T, c10::DeviceType D> struct AccumulateTypeDevice {};
#define CSM_ACC(T, CPU_TYPE, CUDA_TYPE) \
  template <> struct AccumulateTypeDevice<T, c10::DeviceType::CPU> { using type = CPU_TYPE; }; \
  template <> struct AccumulateTypeDevice<T, c10::DeviceType::CUDA> { using type = CUDA_TYPE; };
CSM_ACC(c10::BFloat16, float, float)
CSM_ACC(c10::Half, float, float)
CSM_ACC(float, double, float)
CSM_ACC(double, double, double)
CSM_ACC(int8_t, int64_t, int64_t)
CSM_ACC(uint8_t, int64_t, int64_t)
CSM_ACC(char, int64_t, int64_t)
CSM_ACC(int16_t, int64_t, int64_t)
CSM_ACC(int32_t, int64_t, int64_t)
CSM_ACC(int64_t, int64_t, int64_t)
CSM_ACC(bool, bool, bool)
#undef CSM_ACC
template <typename T, c10::DeviceType D> using acc_type_device = typename AccumulateTypeDevice<T, D>::type;
template <typename T, bool is_cuda>
using acc_type = acc_type_device<T, is_cuda ? c10::DeviceType::CUDA : c10::DeviceType::CPU>;
}  // namespace at
