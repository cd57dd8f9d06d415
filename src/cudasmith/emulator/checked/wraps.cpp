// Linked into candidates of checked mode: which tensors they make without values, and which they return.
#include <cudasmith/abi.h>

namespace cudasmith {
// In the runtime library. `impl` is a tensor.
void made_empty(const void* data);
void returned(const void* data, const std::int64_t* sizes, const std::int64_t* strides, std::size_t dimensions, std::size_t element_bytes);
}  // namespace cudasmith

extern "C" {
void* __real_csm_empty(const int64_t* sizes, size_t n, int dtype, int device, int index, int format, int flags);
void* __real_csm_empty_like(void* tensor, int dtype, int device, int index, int format, int flags);
void __real_csm_push(csm_result*, const csm_value* value);

__attribute__((visibility("hidden"))) void* __wrap_csm_empty(const int64_t* sizes, size_t n, int dtype, int device, int index, int format, int flags) {
  void* tensor = __real_csm_empty(sizes, n, dtype, device, index, format, flags);
  cudasmith::made_empty(csm_data(tensor, -1, false));
  return tensor;
}

__attribute__((visibility("hidden"))) void* __wrap_csm_empty_like(void* like, int dtype, int device, int index, int format, int flags) {
  void* tensor = __real_csm_empty_like(like, dtype, device, index, format, flags);
  cudasmith::made_empty(csm_data(tensor, -1, false));
  return tensor;
}

static void tell_returned(void* tensor) {
  if (tensor == nullptr) return;
  size_t n = 0;
  const int64_t* sizes = csm_sizes(tensor, &n);
  const int64_t* strides = csm_strides(tensor, &n);
  cudasmith::returned(csm_data(tensor, -1, false), sizes, strides, n, static_cast<size_t>(csm_element_size(static_cast<int>(csm_number(tensor, 2)))));
}

__attribute__((visibility("hidden"))) void __wrap_csm_push(csm_result* result, const csm_value* value) {
  if (value->tag == CSM_TENSOR) tell_returned(const_cast<void*>(value->p));
  __real_csm_push(result, value);
}
}
