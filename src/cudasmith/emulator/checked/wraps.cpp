// Linked into candidates of checked mode: which tensors they make without values, which they return, and on which device
// those lie that the library behind the light headers keeps on the CPU.
#include <cudasmith/abi.h>

namespace cudasmith {
// In the runtime library. `impl` is a tensor.
void made_empty(const void* data);
void returned(const void* data, const std::int64_t* sizes, const std::int64_t* strides, std::size_t dimensions, std::size_t element_bytes);
int tensor_home(const void* data);
void set_tensor_home(const void* data, int home);
}  // namespace cudasmith

// The devices of a tensor, in the candidate's words (those of c10::DeviceType) and in the runtime's.
namespace {
constexpr int cpu = 0, cuda = 1;
constexpr int unknown = 0, host = 1, device = 2;
constexpr size_t most_arguments = 24;

int home_on(int type) { return type == cuda ? device : type == cpu ? host : unknown; }
const void* data_of(const void* tensor) { return tensor == nullptr ? nullptr : csm_data(const_cast<void*>(tensor), -1, false); }
bool is_any(const char* name, const char* const* names, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (__builtin_strcmp(name, names[i]) == 0) return true;
  return false;
}
bool makes_memory(const char* name) {
  static const char* const names[] = {"aten::zeros", "aten::ones", "aten::full", "aten::arange", "aten::rand", "aten::randn", "aten::empty_strided"};
  return is_any(name, names, sizeof names / sizeof *names);
}
bool makes_alike(const char* name) {
  static const char* const names[] = {"aten::zeros_like", "aten::ones_like", "aten::rand_like", "aten::randn_like", "aten::full_like"};
  return is_any(name, names, sizeof names / sizeof *names);
}
}  // namespace

extern "C" {
void* __real_csm_empty(const int64_t* sizes, size_t n, int dtype, int device, int index, int format, int flags);
void* __real_csm_empty_like(void* tensor, int dtype, int device, int index, int format, int flags);
void* __real_csm_call(const char* name, const char* overload, const csm_value* arguments, size_t n);
void __real_csm_device(void* tensor, int* type, int* index);
void __real_csm_push(csm_result*, const csm_value* value);

__attribute__((visibility("hidden"))) void __wrap_csm_device(void* tensor, int* type, int* index) {
  __real_csm_device(tensor, type, index);
  if (*type == cpu && cudasmith::tensor_home(data_of(tensor)) != host) *type = cuda, *index = 0;
}

__attribute__((visibility("hidden"))) int __wrap_csm_cuda_device() { return 0; }

__attribute__((visibility("hidden"))) void* __wrap_csm_empty(const int64_t* sizes, size_t n, int dtype, int type, int index, int format, int flags) {
  const bool pinned = (flags & 2) != 0;
  void* tensor = __real_csm_empty(sizes, n, dtype, type == cuda ? cpu : type, type == cuda ? -1 : index, format, flags);
  if (type > cuda) return tensor;
  cudasmith::made_empty(data_of(tensor));
  if (!pinned) cudasmith::set_tensor_home(data_of(tensor), type == cuda ? device : host);
  return tensor;
}

__attribute__((visibility("hidden"))) void* __wrap_csm_empty_like(void* like, int dtype, int type, int index, int format, int flags) {
  const int home = type < 0 ? cudasmith::tensor_home(data_of(like)) : home_on(type);
  void* tensor = __real_csm_empty_like(like, dtype, type == cuda ? cpu : type, type == cuda ? -1 : index, format, flags);
  if (type > cuda) return tensor;
  cudasmith::made_empty(data_of(tensor));
  if ((flags & 2) == 0) cudasmith::set_tensor_home(data_of(tensor), home);
  return tensor;
}

// An operator's tensor where it lies, whose arguments named a device or none (-1).
static void* placed(const char* name, const csm_value* arguments, size_t n, void* tensor, int type) {
  const void* data = data_of(tensor);
  if (data == nullptr || type > cuda) return tensor;
  if (makes_memory(name)) {
    const bool pinned = n > 0 && arguments[n - 1].tag == CSM_BOOL && arguments[n - 1].i != 0;
    if (!pinned) cudasmith::set_tensor_home(data, type == cuda ? device : host);
    return tensor;
  }
  if (makes_alike(name)) {
    const bool pinned = n > 1 && arguments[n - 2].tag == CSM_BOOL && arguments[n - 2].i != 0;
    const int home = type < 0 ? cudasmith::tensor_home(data_of(arguments[0].p)) : home_on(type);
    if (!pinned) cudasmith::set_tensor_home(data, home);
    return tensor;
  }
  if (type >= 0) {  // a move copies, from one memory to the other
    const int from = cudasmith::tensor_home(data_of(arguments[0].p)), to = home_on(type);
    if (from == unknown || from == to) return tensor;
    if (data == data_of(arguments[0].p)) {
      const csm_value copied[] = {{CSM_TENSOR, 0, 0, tensor, 0}, {CSM_NONE, 0, 0, nullptr, 0}};
      void* copy = __real_csm_call("aten::clone", "", copied, 2);
      csm_release(tensor);
      tensor = copy;
    }
    cudasmith::set_tensor_home(data_of(tensor), to);
    return tensor;
  }
  int common = -1;
  for (size_t i = 0; i < n; ++i) {
    if (arguments[i].tag == CSM_TENSORS) return tensor;
    if (arguments[i].tag != CSM_TENSOR || arguments[i].p == nullptr) continue;
    const int home = cudasmith::tensor_home(data_of(arguments[i].p));
    if (common >= 0 && home != common) return tensor;
    common = home;
  }
  if (common > unknown && cudasmith::tensor_home(data) == unknown) cudasmith::set_tensor_home(data, common);
  return tensor;
}

__attribute__((visibility("hidden"))) void* __wrap_csm_call(const char* name, const char* overload, const csm_value* arguments, size_t n) {
  if (n > most_arguments) return __real_csm_call(name, overload, arguments, n);
  csm_value own[most_arguments];
  int type = -1;
  for (size_t i = 0; i < n; ++i) {
    own[i] = arguments[i];
    if (own[i].tag != CSM_DEVICE) continue;
    type = static_cast<int>(own[i].i);
    if (type == cuda) own[i].i = cpu, own[i].n = static_cast<size_t>(-1);
  }
  return placed(name, arguments, n, __real_csm_call(name, overload, own, n), type);
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
