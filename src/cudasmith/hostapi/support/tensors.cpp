// Tensors and operators of torch behind the plain functions of abi.h.
#include <cudasmith/abi.h>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/item.h>
#include <ATen/core/grad_mode.h>

#include <cstdio>
#include <string>

// No stream: with torch 2.11 and g++ 13 a stream of this library crashed when it printed a number.
struct csm_text {
  std::string text;
};

namespace {
static_assert(static_cast<int>(c10::ScalarType::Bool) == 11 && static_cast<int>(c10::ScalarType::BFloat16) == 15 &&
              static_cast<int>(c10::ScalarType::Float8_e4m3fn) == 24 && static_cast<int>(c10::ScalarType::UInt64) == 29);
static_assert(static_cast<int>(c10::DeviceType::CUDA) == 1 && static_cast<int>(c10::MemoryFormat::ChannelsLast3d) == 3);

at::Tensor taken(const void* impl) {
  if (!impl) return {};
  return at::Tensor(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::reclaim_copy(
      static_cast<c10::TensorImpl*>(const_cast<void*>(impl))));
}
struct Held {  // a tensor of the candidate, for the time of one call
  explicit Held(void* impl) : tensor(taken(impl)) {}
  at::Tensor* operator->() { return &tensor; }
  at::Tensor tensor;
};

void* give(at::Tensor t) { return t.defined() ? static_cast<void*>(t.unsafeReleaseTensorImpl()) : nullptr; }

c10::TensorOptions options(int dtype, int device, int index, int flags) {
  c10::TensorOptions o;
  if (dtype >= 0) o = o.dtype(static_cast<c10::ScalarType>(dtype));
  if (device >= 0) o = o.device(c10::Device(static_cast<c10::DeviceType>(device), static_cast<c10::DeviceIndex>(index)));
  if (flags & 1) o = o.requires_grad(true);
  if (flags & 2) o = o.pinned_memory(true);
  return o;
}
std::optional<c10::MemoryFormat> memory_format(int f) {
  if (f < 0) return std::nullopt;
  return static_cast<c10::MemoryFormat>(f);
}

c10::IValue ivalue(const csm_value& v) {
  switch (v.tag) {
    case CSM_TENSOR: return taken(v.p);
    case CSM_INT: case CSM_DTYPE: case CSM_LAYOUT: case CSM_MEMORY_FORMAT: return v.i;
    case CSM_DOUBLE: return v.d;
    case CSM_BOOL: return v.i != 0;
    case CSM_INTS: return c10::List<int64_t>(c10::IntArrayRef(static_cast<const int64_t*>(v.p), v.n));
    case CSM_DOUBLES: return c10::List<double>(c10::ArrayRef<double>(static_cast<const double*>(v.p), v.n));
    case CSM_STRING: return std::string(static_cast<const char*>(v.p), v.n);
    case CSM_DEVICE: return c10::Device(static_cast<c10::DeviceType>(v.i), static_cast<c10::DeviceIndex>(v.n));
    case CSM_TENSORS: {
      c10::List<at::Tensor> list;
      for (size_t i = 0; i < v.n; ++i) list.push_back(taken(static_cast<void* const*>(v.p)[i]));
      return list;
    }
    default: return {};
  }
}
torch::jit::Stack called(const char* name, const char* overload, const csm_value* arguments, size_t n) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
  torch::jit::Stack stack;
  const auto& parameters = op.schema().arguments();
  for (size_t i = 0; i < n; ++i) stack.push_back(ivalue(arguments[i]));
  for (size_t i = n; i < parameters.size(); ++i)
    stack.push_back(parameters[i].default_value() ? *parameters[i].default_value() : c10::IValue());
  op.callBoxed(stack);
  return stack;
}
}  // namespace

extern "C" {
void csm_retain(void* t) { c10::raw::intrusive_ptr::incref(static_cast<c10::TensorImpl*>(t)); }
void csm_release(void* t) { c10::raw::intrusive_ptr::decref(static_cast<c10::TensorImpl*>(t)); }
int64_t csm_size(void* t, int64_t d) { return Held(t)->size(d); }
int64_t csm_stride(void* t, int64_t d) { return Held(t)->stride(d); }
const int64_t* csm_sizes(void* t, size_t* n) {
  const auto s = Held(t)->sizes();  // owned by the TensorImpl
  *n = s.size();
  return s.data();
}
const int64_t* csm_strides(void* t, size_t* n) {
  const auto s = Held(t)->strides();
  *n = s.size();
  return s.data();
}
int64_t csm_number(void* t, int what) {
  Held x(t);
  switch (what) {
    case 0: return x->dim();
    case 1: return x->numel();
    case 2: return static_cast<int64_t>(x->scalar_type());
    case 3: return x->storage_offset();
    case 4: return x->is_contiguous();
    case 5: return x->is_contiguous(c10::MemoryFormat::ChannelsLast);
    case 6: return x->is_contiguous(c10::MemoryFormat::ChannelsLast3d);
    default: return x->requires_grad();
  }
}
void* csm_data(void* t, int dtype, bool writable) {
  Held x(t);
  if (dtype >= 0) {
    const auto wanted = static_cast<c10::ScalarType>(dtype);
    TORCH_CHECK(x->scalar_type() == wanted, "expected scalar type ", wanted, " but found ", x->scalar_type());
  }
  return writable ? x->mutable_data_ptr() : const_cast<void*>(x->const_data_ptr());
}
void csm_device(void* t, int* type, int* index) {
  const auto d = Held(t)->device();
  *type = static_cast<int>(d.type());
  *index = d.index();
}
csm_value csm_item(void* t) {
  const c10::Scalar s = Held(t)->item();
  if (s.isFloatingPoint()) return {CSM_DOUBLE, 0, s.toDouble()};
  if (s.isBoolean()) return {CSM_BOOL, s.toBool()};
  return {CSM_INT, s.toLong()};
}
void* csm_empty(const int64_t* sizes, size_t n, int dtype, int device, int index, int format, int flags) {
  return give(at::empty(c10::IntArrayRef(sizes, n), options(dtype, device, index, flags), memory_format(format)));
}
void* csm_empty_like(void* t, int dtype, int device, int index, int format, int flags) {
  return give(at::empty_like(taken(t), options(dtype, device, index, flags), memory_format(format)));
}
void* csm_call(const char* name, const char* overload, const csm_value* arguments, size_t n) {
  return give(called(name, overload, arguments, n).back().toTensor());
}
bool csm_grad_enabled() { return c10::GradMode::is_enabled(); }
bool csm_set_grad_enabled(bool on) {
  const bool before = c10::GradMode::is_enabled();
  c10::GradMode::set_enabled(on);
  return before;
}

csm_text* csm_text_new() { return new csm_text; }
void csm_text_add(csm_text* to, const char* text, size_t n) { to->text.append(text, n); }
void csm_text_add_number(csm_text* to, double v) {  // as a stream does
  char text[64];
  to->text.append(text, static_cast<size_t>(std::snprintf(text, sizeof text, "%g", v)));
}
void csm_text_add_integer(csm_text* to, int64_t v, bool is_unsigned) {
  to->text += is_unsigned ? std::to_string(static_cast<uint64_t>(v)) : std::to_string(v);
}
void csm_text_print(csm_text* to, const csm_value* v) {
  switch (v->tag) {
    case CSM_INTS:
      to->text += '[';
      for (size_t i = 0; i < v->n; ++i) to->text += (i ? ", " : "") + std::to_string(static_cast<const int64_t*>(v->p)[i]);
      to->text += ']';
      break;
    case CSM_DOUBLE: csm_text_add_number(to, v->d); break;
    case CSM_BOOL: to->text += v->i ? "true" : "false"; break;
    case CSM_INT: to->text += std::to_string(v->i); break;
    case CSM_DEVICE: {
      const auto type = static_cast<c10::DeviceType>(v->i);
      to->text += v->d != 0 ? c10::DeviceTypeName(type, true) : c10::Device(type, static_cast<c10::DeviceIndex>(v->n)).str();
      break;
    }
    default: break;
  }
}
const char* csm_text_get(csm_text* t, size_t* n) {
  *n = t->text.size();
  return t->text.data();
}
void csm_text_delete(csm_text* t) { delete t; }
void csm_throw(int kind, const char* function, const char* file, unsigned line, csm_text* text) {
  const c10::SourceLocation at{function, file, line};
  const std::string message = text->text;
  delete text;
  switch (kind) {
    case 1: throw c10::IndexError(at, message);
    case 2: throw c10::ValueError(at, message);
    case 3: throw c10::TypeError(at, message);
    case 4: throw c10::NotImplementedError(at, message);
    case 5: c10::detail::torchInternalAssertFail(function, file, line, "", message);
    default: throw c10::Error(at, message);
  }
}
void csm_warn(const char* function, const char* file, unsigned line, csm_text* text) {
  const std::string message = text->text;
  delete text;
  c10::warn(c10::Warning(c10::UserWarning(), c10::SourceLocation{function, file, line}, message, false));
}
const char* csm_dtype_name(int t) { return c10::toString(static_cast<c10::ScalarType>(t)); }
const char* csm_type_name(int t) {
  static thread_local std::string kept;  // the name is a piece of a longer text, without an end of its own
  kept = std::string(c10::scalarTypeToTypeMeta(static_cast<c10::ScalarType>(t)).name());
  return kept.c_str();
}
int64_t csm_element_size(int t) { return static_cast<int64_t>(c10::elementSize(static_cast<c10::ScalarType>(t))); }
}
