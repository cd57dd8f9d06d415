// What a candidate, compiled with the light headers, asks of the support library, compiled with torch's own.
// Only plain types cross. A tensor crosses as the address of its TensorImpl: 0 is the undefined tensor.
// Functions throw torch's own exceptions.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {
enum csm_tag : int8_t {
  CSM_NONE, CSM_TENSOR, CSM_INT, CSM_DOUBLE, CSM_BOOL, CSM_INTS, CSM_DOUBLES, CSM_STRING, CSM_TENSORS, CSM_DTYPE,
  CSM_DEVICE, CSM_LAYOUT, CSM_MEMORY_FORMAT, CSM_OPT_TENSORS
};
// One value. INT, BOOL, DTYPE, LAYOUT and MEMORY_FORMAT lie in i; a device's type in i and its index in n;
// a string or a list at p with n elements; a list of tensors is a list of TensorImpl addresses.
struct csm_value {
  csm_tag tag;
  int64_t i;
  double d;
  const void* p;
  size_t n;
};
struct csm_module;  // a Python module while it is filled
struct csm_text;    // a message while it is put together
struct csm_result;  // what a bound function returns, while it is put together
using csm_init = void (*)(csm_module*);
using csm_function = void (*)(void* target, const csm_value* arguments, csm_result* result);

// Bindings. `parameters` and `result`: type codes, see Code in binding.h. `flags`: CSM_WRAPPED for a function that
// torch::wrap_pybind_function wraps. `names` may be null; a name's default is null where there is none.
constexpr int CSM_WRAPPED = 1;
struct _object* csm_make_module(const char* name, csm_init init);
void csm_define(csm_module*, const char* name, const char* doc, const char* parameters, size_t n_parameters, const char* result,
                const char* const* names, const csm_value* const* defaults, size_t n_names,
                csm_function call, void* target, int flags);
// `after` is called when a function that csm_define bound has returned (it may throw); `translate` while an exception
// of any function that pybind11 bound is in flight (rethrow it to look): true when a Python error is set in its place.
struct csm_hooks {
  void (*after)();
  bool (*translate)();
};
void csm_set_hooks(const csm_hooks* hooks);
void csm_set_doc(csm_module*, const char* doc);
void csm_set_attribute(csm_module*, const char* name, const csm_value* value);
void csm_push(csm_result*, const csm_value* value);
void csm_open(csm_result*);               // begins a tuple or a list,
void csm_close(csm_result*, bool tuple);  // ends it

// Tensors. csm_retain and csm_release count references; a returned tensor is the caller's to release.
void csm_retain(void* tensor);
void csm_release(void* tensor);
int64_t csm_size(void* tensor, int64_t dim);
int64_t csm_stride(void* tensor, int64_t dim);
const int64_t* csm_sizes(void* tensor, size_t* n);
const int64_t* csm_strides(void* tensor, size_t* n);
int64_t csm_number(void* tensor, int what);  // see Number in tensor.h
void* csm_data(void* tensor, int dtype, bool writable);  // dtype -1: any
void csm_device(void* tensor, int* type, int* index);
csm_value csm_item(void* tensor);
void* csm_empty(const int64_t* sizes, size_t n, int dtype, int device, int index, int format, int flags);
void* csm_empty_like(void* tensor, int dtype, int device, int index, int format, int flags);
// One operator of torch by its schema's name, for example ("aten::sum", "dim_IntList").
void* csm_call(const char* name, const char* overload, const csm_value* arguments, size_t n);

// Errors and text. `kind`: see Kind in check.h.
// csm_throw and csm_warn end the text's life.
csm_text* csm_text_new();
void csm_text_add(csm_text*, const char* text, size_t n);
void csm_text_add_number(csm_text*, double v);
void csm_text_add_integer(csm_text*, int64_t v, bool is_unsigned);
void csm_text_print(csm_text*, const csm_value* value);  // as torch prints it
const char* csm_text_get(csm_text*, size_t* n);
void csm_text_delete(csm_text*);
[[noreturn]] void csm_throw(int kind, const char* function, const char* file, unsigned line, csm_text* text);
void csm_warn(const char* function, const char* file, unsigned line, csm_text* text);
const char* csm_dtype_name(int dtype);  // "Float"
const char* csm_type_name(int dtype);   // "float", as TypeMeta prints it
int64_t csm_element_size(int dtype);

// CUDA.
void csm_cuda_check(int error, const char* file, const char* function, unsigned line);
void* csm_cuda_stream(int device, int what);  // cudaStream_t; what: 0 current, 1 default, 2 from the pool
int csm_cuda_device();
int csm_cuda_device_count();
int csm_cuda_set_device(int device);  // the device before
void* csm_cuda_properties(int device);  // cudaDeviceProp
void csm_cuda_synchronize(int device);
bool csm_grad_enabled();
bool csm_set_grad_enabled(bool on);  // the state before
}
