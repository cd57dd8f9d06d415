// at::Tensor and the functions of torch that host code of custom operators uses. Each asks torch itself.
#pragma once
#include "accessor.h"
#include "check.h"

namespace at {
class Tensor;
}
namespace csm {
using at::Tensor;
enum Number { DIM, NUMEL, DTYPE, OFFSET, CONTIGUOUS, CHANNELS_LAST, CHANNELS_LAST_3D, REQUIRES_GRAD, STRIDED, CONJ, NEG, SAME };
struct Nothing {};
struct Owned {
  void* impl;
};
// A value of the ABI from each type that a function of torch takes.
csm_value arg(const Tensor& t);
inline csm_value arg(bool v) { return {CSM_BOOL, v}; }
inline csm_value arg(int v) { return {CSM_INT, v}; }
inline csm_value arg(int64_t v) { return {CSM_INT, v}; }
inline csm_value arg(double v) { return {CSM_DOUBLE, 0, v}; }
inline csm_value arg(const c10::Scalar& v) { return v.value; }
inline csm_value arg(c10::IntArrayRef v) { return {CSM_INTS, 0, 0, v.data(), v.size()}; }
inline csm_value arg(c10::ScalarType v) { return {CSM_DTYPE, static_cast<int64_t>(v)}; }
inline csm_value arg(c10::MemoryFormat v) { return {CSM_MEMORY_FORMAT, static_cast<int64_t>(v)}; }
inline csm_value arg(const c10::Device& v) { return {CSM_DEVICE, static_cast<int64_t>(v.type()), 0, nullptr, static_cast<size_t>(v.index())}; }
inline csm_value arg(c10::ArrayRef<Tensor> v);
inline csm_value arg(const char* v) { return {CSM_STRING, 0, 0, v, __builtin_strlen(v)}; }
inline csm_value arg(std::nullopt_t) { return {CSM_NONE}; }
template <typename T> csm_value arg(const std::optional<T>& v) { return v ? arg(*v) : csm_value{CSM_NONE}; }
struct Arg {
  template <typename T> Arg(const T& v) : value(arg(v)) {}
  csm_value value;
};
Tensor call(const char* name, const char* overload, std::initializer_list<Arg> args);  // a template would be slow to compile
}  // namespace csm

namespace at {
using namespace c10;
using c10::ScalarType;

// The class of old code's x.type().
struct DeprecatedTypeProperties {  // converts to no ScalarType
  ScalarType type;
  bool cuda;
  bool is_cuda() const { return cuda; }
  ScalarType scalarType() const { return type; }
  operator TensorOptions() const { return TensorOptions(type).device(cuda ? DeviceType::CUDA : DeviceType::CPU); }
  bool operator==(const DeprecatedTypeProperties& o) const { return type == o.type && cuda == o.cuda; }
  bool operator!=(const DeprecatedTypeProperties& o) const { return !(*this == o); }
};

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(csm::Owned owned) : impl_(owned.impl) {}
  Tensor(const Tensor& o) : impl_(o.impl_) {
    if (impl_) csm_retain(impl_);
  }
  Tensor(Tensor&& o) noexcept : impl_(o.impl_) { o.impl_ = nullptr; }
  Tensor& operator=(const Tensor& o) & {
    Tensor copy(o);
    std::swap(impl_, copy.impl_);
    return *this;
  }
  Tensor& operator=(Tensor&& o) & noexcept {
    std::swap(impl_, o.impl_);
    return *this;
  }
  Tensor& operator=(csm::Nothing) & = delete;  // makes `t = {}` ambiguous, as it is in torch
  ~Tensor() {
    if (impl_) csm_release(impl_);
  }
  void* unsafeGetTensorImpl() const { return impl_; }
  void* release() {
    void* impl = impl_;
    impl_ = nullptr;
    return impl;
  }

  bool defined() const { return impl_ != nullptr; }
  bool is_same(const Tensor& o) const { return impl_ == o.impl_; }
  void reset() { *this = Tensor(); }
  Device device() const {
    int type, index;
    csm_device(impl_, &type, &index);
    return Device(static_cast<DeviceType>(type), static_cast<DeviceIndex>(index));
  }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_cpu() const { return device().is_cpu(); }
  int64_t get_device() const { return device().index(); }
  int64_t dim() const { return csm_number(impl_, csm::DIM); }
  int64_t ndimension() const { return dim(); }
  int64_t numel() const { return csm_number(impl_, csm::NUMEL); }
  int64_t storage_offset() const { return csm_number(impl_, csm::OFFSET); }
  ScalarType scalar_type() const { return static_cast<ScalarType>(csm_number(impl_, csm::DTYPE)); }
  caffe2::TypeMeta dtype() const { return caffe2::TypeMeta(scalar_type()); }
  DeprecatedTypeProperties type() const { return {scalar_type(), is_cuda()}; }
  bool is_floating_point() const { return isFloatingType(scalar_type()); }
  bool is_complex() const { return isComplexType(scalar_type()); }
  bool requires_grad() const { return csm_number(impl_, csm::REQUIRES_GRAD) != 0; }
  bool is_contiguous(MemoryFormat f = MemoryFormat::Contiguous) const {
    return csm_number(impl_, f == MemoryFormat::ChannelsLast ? csm::CHANNELS_LAST : f == MemoryFormat::ChannelsLast3d ? csm::CHANNELS_LAST_3D : csm::CONTIGUOUS) != 0;
  }
  int64_t size(int64_t d) const { return csm_size(impl_, d); }
  int64_t stride(int64_t d) const { return csm_stride(impl_, d); }
  IntArrayRef sizes() const {
    size_t n;
    const int64_t* p = csm_sizes(impl_, &n);
    return IntArrayRef(p, n);
  }
  IntArrayRef strides() const {
    size_t n;
    const int64_t* p = csm_strides(impl_, &n);
    return IntArrayRef(p, n);
  }
  int64_t element_size() const { return csm_element_size(static_cast<int>(scalar_type())); }
  size_t itemsize() const { return static_cast<size_t>(element_size()); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  TensorOptions options() const { return TensorOptions(scalar_type()).device(device()); }

  void* data_ptr() const { return csm_data(impl_, -1, true); }
  void* mutable_data_ptr() const { return csm_data(impl_, -1, true); }
  const void* const_data_ptr() const { return csm_data(impl_, -1, false); }
  template <typename T> T* data_ptr() const { return static_cast<T*>(csm_data(impl_, of<T>(), true)); }
  template <typename T> T* mutable_data_ptr() const { return static_cast<T*>(csm_data(impl_, of<T>(), true)); }
  template <typename T> const std::remove_const_t<T>* const_data_ptr() const {
    return static_cast<const std::remove_const_t<T>*>(csm_data(impl_, of<std::remove_const_t<T>>(), false));
  }
  template <typename T> [[deprecated("Tensor.data<T>() is deprecated. Please use Tensor.data_ptr<T>() instead.")]]
  T* data() const { return data_ptr<T>(); }
  Scalar item() const { return Scalar(csm_item(impl_)); }
  template <typename T> T item() const { return item().template to<T>(); }
  template <typename T, size_t N> TensorAccessor<T, N> accessor() const & {
    ready<N>("accessor");
    return {data_ptr<T>(), sizes().data(), strides().data()};
  }
  template <typename T, size_t N> TensorAccessor<T, N> accessor() && = delete;  // it would outlive its tensor
  template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, P> packed_accessor32() && = delete;
  template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, P> packed_accessor64() && = delete;
  template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, P> packed_accessor32() const & {
    TORCH_CHECK(numel() <= static_cast<int64_t>(INT32_MAX), "numel needs to be smaller than int32_t max; otherwise, please use packed_accessor64");
    ready<N>("packed_accessor");
    return {static_cast<typename P<T>::PtrType>(data_ptr<T>()), sizes().data(), strides().data()};
  }
  template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, P> packed_accessor64() const & {
    ready<N>("packed_accessor");
    return {static_cast<typename P<T>::PtrType>(data_ptr<T>()), sizes().data(), strides().data()};
  }

  Tensor to(ScalarType t, bool non_blocking = false, bool copy = false) const { return csm::call("aten::to", "dtype", {*this, t, non_blocking, copy, nullopt}); }
  Tensor to(caffe2::TypeMeta t) const { return to(t.toScalarType()); }
  Tensor to(Device d, ScalarType t) const { return csm::call("aten::to", "device", {*this, d, t, false, false, nullopt}); }
  Tensor to(Device d) const { return to(d, scalar_type()); }
  Tensor to(TensorOptions o) const { return to(o.device_.value_or(device()), o.dtype_.value_or(scalar_type())); }
  Tensor to(DeviceType t) const { return to(Device(t)); }
  Tensor to(const Tensor& o) const { return to(o.device(), o.scalar_type()); }
  Tensor cuda() const { return is_cuda() ? *this : to(Device(DeviceType::CUDA, static_cast<DeviceIndex>(csm_cuda_device()))); }
  Tensor cpu() const { return to(Device(DeviceType::CPU)); }
  const Tensor& set_requires_grad(bool on) const { return csm::call("aten::requires_grad_", "", {*this, on}), *this; }
  const Tensor& requires_grad_(bool on = true) const { return set_requires_grad(on); }
  Tensor operator[](int64_t i) const { return csm::call("aten::select", "int", {*this, int64_t{0}, i}); }

#define CSM_METHOD(NAME, OVERLOAD, PARAMETERS, ...) \
  Tensor NAME PARAMETERS const { return csm::call("aten::" #NAME, OVERLOAD, {*this, ##__VA_ARGS__}); }
#define CSM_IN_PLACE(NAME, OVERLOAD, PARAMETERS, ...) \
  Tensor& NAME PARAMETERS const { return csm::call("aten::" #NAME, OVERLOAD, {*this, ##__VA_ARGS__}), const_cast<Tensor&>(*this); }
  CSM_METHOD(contiguous, "", (MemoryFormat f = MemoryFormat::Contiguous), f)
  CSM_METHOD(clone, "", (optional<MemoryFormat> f = nullopt), f)
  CSM_METHOD(detach, "", ())
  CSM_METHOD(view, "", (IntArrayRef s), s)
  CSM_METHOD(view, "dtype", (ScalarType t), t)
  CSM_METHOD(view_as, "", (const Tensor& o), o)
  CSM_METHOD(reshape, "", (IntArrayRef s), s)
  CSM_METHOD(reshape_as, "", (const Tensor& o), o)
  CSM_METHOD(expand, "", (IntArrayRef s, bool implicit = false), s, implicit)
  CSM_METHOD(expand_as, "", (const Tensor& o), o)
  CSM_METHOD(flatten, "using_ints", (int64_t a = 0, int64_t b = -1), a, b)
  CSM_METHOD(narrow, "", (int64_t d, int64_t a, int64_t n), d, a, n)
  CSM_METHOD(select, "int", (int64_t d, int64_t i), d, i)
  CSM_METHOD(slice, "Tensor", (int64_t d = 0, optional<int64_t> a = nullopt, optional<int64_t> b = nullopt, int64_t step = 1), d, a, b, step)
  CSM_METHOD(transpose, "int", (int64_t a, int64_t b), a, b)
  CSM_METHOD(permute, "", (IntArrayRef d), d)
  CSM_METHOD(t, "", ())
  CSM_METHOD(squeeze, "", ())
  CSM_METHOD(squeeze, "dim", (int64_t d), d)
  CSM_METHOD(unsqueeze, "", (int64_t d), d)
  CSM_METHOD(movedim, "int", (int64_t a, int64_t b), a, b)
  CSM_METHOD(as_strided, "", (IntArrayRef s, IntArrayRef t, optional<int64_t> o = nullopt), s, t, o)
  CSM_METHOD(repeat, "", (IntArrayRef r), r)
  CSM_METHOD(flip, "", (IntArrayRef d), d)
  CSM_METHOD(resolve_conj, "", ())
  CSM_METHOD(pow, "Tensor_Scalar", (const Scalar& v), v)
  CSM_METHOD(clamp, "", (const optional<Scalar>& a, const optional<Scalar>& b = nullopt), a, b)
  CSM_METHOD(clamp_min, "", (const Scalar& v), v)
  CSM_METHOD(clamp_max, "", (const Scalar& v), v)
  CSM_METHOD(softmax, "int", (int64_t d, optional<ScalarType> t = nullopt), d, t)
  CSM_METHOD(log_softmax, "int", (int64_t d, optional<ScalarType> t = nullopt), d, t)
  CSM_METHOD(amax, "", (IntArrayRef d = {}, bool keep = false), d, keep)
  CSM_METHOD(amin, "", (IntArrayRef d = {}, bool keep = false), d, keep)
  CSM_METHOD(argmax, "", (optional<int64_t> d = nullopt, bool keep = false), d, keep)
  CSM_METHOD(argmin, "", (optional<int64_t> d = nullopt, bool keep = false), d, keep)
  CSM_METHOD(cumsum, "", (int64_t d, optional<ScalarType> t = nullopt), d, t)
  CSM_METHOD(any, "", ())
  CSM_METHOD(all, "", ())
  CSM_METHOD(index_select, "", (int64_t d, const Tensor& i), d, i)
  CSM_METHOD(gather, "", (int64_t d, const Tensor& i), d, i)
  CSM_METHOD(masked_fill, "Scalar", (const Tensor& m, const Scalar& v), m, v)
  CSM_METHOD(type_as, "", (const Tensor& o), o)
  CSM_IN_PLACE(fill_, "Scalar", (const Scalar& v), v)
  CSM_IN_PLACE(fill_, "Tensor", (const Tensor& v), v)
  CSM_IN_PLACE(zero_, "", ())
  CSM_IN_PLACE(copy_, "", (const Tensor& o, bool non_blocking = false), o, non_blocking)
  CSM_IN_PLACE(add_, "Tensor", (const Tensor& o, const Scalar& by = 1), o, by)
  CSM_IN_PLACE(add_, "Scalar", (const Scalar& o, const Scalar& by = 1), o, by)
  CSM_IN_PLACE(sub_, "Tensor", (const Tensor& o, const Scalar& by = 1), o, by)
  CSM_IN_PLACE(sub_, "Scalar", (const Scalar& o, const Scalar& by = 1), o, by)
  CSM_IN_PLACE(mul_, "Tensor", (const Tensor& o), o)
  CSM_IN_PLACE(mul_, "Scalar", (const Scalar& o), o)
  CSM_IN_PLACE(div_, "Tensor", (const Tensor& o), o)
  CSM_IN_PLACE(div_, "Scalar", (const Scalar& o), o)
#undef CSM_METHOD
#undef CSM_IN_PLACE
#define CSM_UNARY(NAME) \
  Tensor NAME() const { return csm::call("aten::" #NAME, "", {*this}); }
  CSM_UNARY(abs) CSM_UNARY(exp) CSM_UNARY(log) CSM_UNARY(sqrt) CSM_UNARY(rsqrt) CSM_UNARY(sigmoid) CSM_UNARY(tanh)
  CSM_UNARY(relu) CSM_UNARY(neg) CSM_UNARY(sin) CSM_UNARY(cos) CSM_UNARY(square) CSM_UNARY(floor) CSM_UNARY(ceil)
  CSM_UNARY(reciprocal) CSM_UNARY(round) CSM_UNARY(max) CSM_UNARY(min)
#undef CSM_UNARY
  Tensor sum(optional<ScalarType> t = nullopt) const { return csm::call("aten::sum", "", {*this, t}); }
  Tensor sum(IntArrayRef d, bool keep = false, optional<ScalarType> t = nullopt) const { return csm::call("aten::sum", "dim_IntList", {*this, d, keep, t}); }
  Tensor mean(optional<ScalarType> t = nullopt) const { return csm::call("aten::mean", "", {*this, t}); }
  Tensor mean(IntArrayRef d, bool keep = false, optional<ScalarType> t = nullopt) const { return csm::call("aten::mean", "dim", {*this, d, keep, t}); }
#define CSM_BINARY(NAME) \
  Tensor NAME(const Tensor& o) const { return csm::call("aten::" #NAME, "Tensor", {*this, o}); } \
  Tensor NAME(const Scalar& o) const { return csm::call("aten::" #NAME, "Scalar", {*this, o}); }
#define CSM_SCALED(NAME) \
  Tensor NAME(const Tensor& o, const Scalar& by = 1) const { return csm::call("aten::" #NAME, "Tensor", {*this, o, by}); } \
  Tensor NAME(const Scalar& o, const Scalar& by = 1) const { return csm::call("aten::" #NAME, "Scalar", {*this, o, by}); }
  CSM_SCALED(add) CSM_SCALED(sub)
  CSM_BINARY(mul) CSM_BINARY(div)
  CSM_BINARY(eq) CSM_BINARY(ne) CSM_BINARY(lt) CSM_BINARY(le) CSM_BINARY(gt) CSM_BINARY(ge)
#undef CSM_BINARY
#undef CSM_SCALED
  Tensor matmul(const Tensor& o) const { return csm::call("aten::matmul", "", {*this, o}); }
  Tensor mm(const Tensor& o) const { return csm::call("aten::mm", "", {*this, o}); }
  Tensor bmm(const Tensor& o) const { return csm::call("aten::bmm", "", {*this, o}); }
  Tensor& operator+=(const Tensor& o) { return add_(o), *this; }
  Tensor& operator-=(const Tensor& o) { return sub_(o), *this; }
  Tensor& operator*=(const Tensor& o) { return mul_(o), *this; }
  Tensor& operator/=(const Tensor& o) { return div_(o), *this; }
  Tensor& operator+=(const Scalar& o) { return add_(o), *this; }
  Tensor& operator-=(const Scalar& o) { return sub_(o), *this; }
  Tensor& operator/=(const Scalar& o) { return div_(o), *this; }
  Tensor& operator*=(const Scalar& o) { return mul_(o), *this; }

 private:
  template <typename T> static int of() { return static_cast<int>(CppTypeToScalarType<T>::value); }
  template <size_t N> void ready(const char*) const {
    static_assert(N > 0, "accessor is used for indexing tensor, for scalars use *data_ptr<T>()");
    TORCH_CHECK(dim() == static_cast<int64_t>(N), "TensorAccessor expected ", N, " dims but tensor has ", dim());
  }
  void* impl_ = nullptr;
};
}  // namespace at

namespace csm {
inline csm_value arg(const Tensor& t) { return {CSM_TENSOR, 0, 0, t.unsafeGetTensorImpl(), 0}; }
// A tensor is the address of its TensorImpl, so that a list of them is what the ABI takes.
inline csm_value arg(c10::ArrayRef<Tensor> v) {
  static_assert(sizeof(Tensor) == sizeof(void*));
  return {CSM_TENSORS, 0, 0, v.data(), v.size()};
}
inline Tensor call(const char* name, const char* overload, std::initializer_list<Arg> args) {
  static_assert(sizeof(Arg) == sizeof(csm_value));
  return Tensor(Owned{csm_call(name, overload, &args.begin()->value, args.size())});
}
inline int dtype_of(const c10::TensorOptions& o) { return o.dtype_ ? static_cast<int>(*o.dtype_) : -1; }
inline int device_of(const c10::TensorOptions& o) { return o.device_ ? static_cast<int>(o.device_->type()) : -1; }
inline int index_of(const c10::TensorOptions& o) { return o.device_ ? o.device_->index() : -1; }
inline int format_of(const c10::TensorOptions& o) { return o.format_ ? static_cast<int>(*o.format_) : -1; }
inline int flags_of(const c10::TensorOptions& o) { return (o.grad_ ? 1 : 0) | (o.pinned_.value_or(false) ? 2 : 0); }
inline Tensor with_grad(Tensor t, const c10::TensorOptions& o) { return o.grad_ ? t.set_requires_grad(true) : t; }
template <typename... Args> Tensor made(const char* name, const char* overload, const c10::TensorOptions& o, const Args&... args) {
  return with_grad(call(name, overload, {args..., o.dtype_, std::nullopt, o.device_, o.pinned_}), o);
}
}  // namespace csm

namespace at {
inline Tensor empty(IntArrayRef s, TensorOptions o = {}, optional<MemoryFormat> f = nullopt) {
  if (f) o = o.memory_format(f);
  return Tensor(csm::Owned{csm_empty(s.data(), s.size(), csm::dtype_of(o), csm::device_of(o), csm::index_of(o), csm::format_of(o), csm::flags_of(o))});
}
inline Tensor empty_like(const Tensor& t, TensorOptions o = {}, optional<MemoryFormat> f = nullopt) {
  if (f) o = o.memory_format(f);
  return Tensor(csm::Owned{csm_empty_like(t.unsafeGetTensorImpl(), csm::dtype_of(o), csm::device_of(o), csm::index_of(o), csm::format_of(o), csm::flags_of(o))});
}
inline Tensor zeros(IntArrayRef s, TensorOptions o = {}) { return csm::made("aten::zeros", "", o, s); }
inline Tensor ones(IntArrayRef s, TensorOptions o = {}) { return csm::made("aten::ones", "", o, s); }
inline Tensor full(IntArrayRef s, const Scalar& v, TensorOptions o = {}) { return csm::made("aten::full", "", o, s, v); }
inline Tensor arange(const Scalar& end, TensorOptions o = {}) { return csm::made("aten::arange", "", o, end); }
inline Tensor arange(const Scalar& a, const Scalar& b, TensorOptions o = {}) { return csm::made("aten::arange", "start", o, a, b); }
inline Tensor rand(IntArrayRef s, TensorOptions o = {}) { return csm::made("aten::rand", "", o, s); }
inline Tensor randn(IntArrayRef s, TensorOptions o = {}) { return csm::made("aten::randn", "", o, s); }
inline Tensor empty_strided(IntArrayRef s, IntArrayRef t, TensorOptions o = {}) { return csm::made("aten::empty_strided", "", o, s, t); }
#define CSM_LIKE(NAME) \
  inline Tensor NAME(const Tensor& t, TensorOptions o = {}) { \
    return csm::with_grad(csm::call("aten::" #NAME, "", {t, o.dtype_, nullopt, o.device_, o.pinned_, o.format_}), o); \
  }
CSM_LIKE(zeros_like) CSM_LIKE(ones_like) CSM_LIKE(rand_like) CSM_LIKE(randn_like)
#undef CSM_LIKE
inline Tensor full_like(const Tensor& t, const Scalar& v, TensorOptions o = {}) {
  return csm::with_grad(csm::call("aten::full_like", "", {t, v, o.dtype_, nullopt, o.device_, o.pinned_, o.format_}), o);
}
#define CSM_FUNCTION(NAME) \
  inline Tensor NAME(const Tensor& t) { return t.NAME(); }
CSM_FUNCTION(abs) CSM_FUNCTION(exp) CSM_FUNCTION(log) CSM_FUNCTION(sqrt) CSM_FUNCTION(rsqrt) CSM_FUNCTION(sigmoid)
CSM_FUNCTION(tanh) CSM_FUNCTION(relu) CSM_FUNCTION(neg) CSM_FUNCTION(sum) CSM_FUNCTION(mean) CSM_FUNCTION(square)
CSM_FUNCTION(max) CSM_FUNCTION(min) CSM_FUNCTION(clone)
#undef CSM_FUNCTION
#define CSM_OPERATOR(OP, NAME) \
  inline Tensor operator OP(const Tensor& a, const Tensor& b) { return a.NAME(b); } \
  inline Tensor operator OP(const Tensor& a, const Scalar& b) { return a.NAME(b); }
CSM_OPERATOR(+, add) CSM_OPERATOR(-, sub) CSM_OPERATOR(*, mul) CSM_OPERATOR(/, div)
CSM_OPERATOR(==, eq) CSM_OPERATOR(!=, ne) CSM_OPERATOR(<, lt) CSM_OPERATOR(<=, le) CSM_OPERATOR(>, gt) CSM_OPERATOR(>=, ge)
#undef CSM_OPERATOR
inline Tensor operator+(const Scalar& a, const Tensor& b) { return b.add(a); }
inline Tensor operator*(const Scalar& a, const Tensor& b) { return b.mul(a); }
inline Tensor operator-(const Tensor& a) { return a.neg(); }
inline Tensor operator-(const Scalar& a, const Tensor& b) { return csm::call("aten::rsub", "Scalar", {b, a}); }
inline Tensor operator/(const Scalar& a, const Tensor& b) { return b.reciprocal().mul(a); }
using TensorList = ArrayRef<Tensor>;
inline Tensor cat(TensorList l, int64_t d = 0) { return csm::call("aten::cat", "", {l, d}); }
inline Tensor stack(TensorList l, int64_t d = 0) { return csm::call("aten::stack", "", {l, d}); }
inline Tensor where(const Tensor& c, const Tensor& a, const Tensor& b) { return csm::call("aten::where", "self", {c, a, b}); }
inline Tensor softmax(const Tensor& t, int64_t d, optional<ScalarType> type = nullopt) { return t.softmax(d, type); }
inline Tensor log_softmax(const Tensor& t, int64_t d, optional<ScalarType> type = nullopt) { return t.log_softmax(d, type); }
inline Tensor pow(const Tensor& t, const Scalar& v) { return t.pow(v); }
inline Tensor clamp(const Tensor& t, const optional<Scalar>& a, const optional<Scalar>& b = nullopt) { return t.clamp(a, b); }
inline Tensor cumsum(const Tensor& t, int64_t d, optional<ScalarType> type = nullopt) { return t.cumsum(d, type); }
inline Tensor sum(const Tensor& t, optional<ScalarType> type) { return t.sum(type); }
inline Tensor mean(const Tensor& t, optional<ScalarType> type) { return t.mean(type); }
inline Tensor arange(const Scalar& a, const Scalar& b, const Scalar& step, TensorOptions o = {}) { return csm::made("aten::arange", "start_step", o, a, b, step); }
inline Tensor linspace(const Scalar& a, const Scalar& b, int64_t n, TensorOptions o = {}) { return csm::made("aten::linspace", "", o, a, b, n); }
inline Tensor eye(int64_t n, TensorOptions o = {}) { return csm::made("aten::eye", "", o, n); }
inline Tensor matmul(const Tensor& a, const Tensor& b) { return a.matmul(b); }
inline Tensor mm(const Tensor& a, const Tensor& b) { return a.mm(b); }
inline Tensor bmm(const Tensor& a, const Tensor& b) { return a.bmm(b); }
inline Tensor sum(const Tensor& t, IntArrayRef d, bool keep = false, optional<ScalarType> type = nullopt) { return t.sum(d, keep, type); }
inline Tensor mean(const Tensor& t, IntArrayRef d, bool keep = false, optional<ScalarType> type = nullopt) { return t.mean(d, keep, type); }
inline Tensor transpose(const Tensor& t, int64_t a, int64_t b) { return t.transpose(a, b); }
inline Tensor reshape(const Tensor& t, IntArrayRef s) { return t.reshape(s); }
inline Tensor flatten(const Tensor& t, int64_t a = 0, int64_t b = -1) { return t.flatten(a, b); }
inline Tensor squeeze(const Tensor& t) { return t.squeeze(); }
inline Tensor squeeze(const Tensor& t, int64_t d) { return t.squeeze(d); }
inline Tensor unsqueeze(const Tensor& t, int64_t d) { return t.unsqueeze(d); }
inline std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b) {
  std::vector<int64_t> sizes(a.size() > b.size() ? a.size() : b.size());
  for (size_t i = 0; i < sizes.size(); ++i) {  // from the last dimension
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    TORCH_CHECK(x == y || x == 1 || y == 1, "The size of tensor a (", x, ") must match the size of tensor b (", y,
                ") at non-singleton dimension ", sizes.size() - 1 - i);
    sizes[sizes.size() - 1 - i] = x == 1 ? y : x;
  }
  return sizes;
}
inline int64_t maybe_wrap_dim(int64_t d, int64_t rank, bool wrap_scalar = true) {
  TORCH_CHECK_INDEX(rank > 0 || wrap_scalar, "Dimension specified as ", d, " but tensor has no dimensions");
  const int64_t n = rank > 0 ? rank : 1;
  TORCH_CHECK_INDEX(d >= -n && d < n, "Dimension out of range (expected to be in range of [", -n, ", ", n - 1, "], but got ", d, ")");
  return d < 0 ? d + n : d;
}

#define CSM_NAMES(_) \
  _(Byte) _(Char) _(Short) _(Int) _(Long) _(Half) _(Float) _(Double) _(Bool) _(BFloat16) _(ComplexFloat) _(ComplexDouble) \
  _(Float8_e5m2) _(Float8_e4m3fn) _(UInt16) _(UInt32) _(UInt64)
#define CSM_NAMED(NAME) inline constexpr ScalarType k##NAME = ScalarType::NAME;
CSM_NAMES(CSM_NAMED)
#undef CSM_NAMED
inline constexpr ScalarType kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble, kUInt8 = kByte, kInt8 = kChar,
  kInt16 = kShort, kInt32 = kInt, kInt64 = kLong;
inline constexpr DeviceType kCUDA = DeviceType::CUDA, kCPU = DeviceType::CPU;
inline constexpr Layout kStrided = Layout::Strided;

// The device of a tensor, as a guard takes it.
inline optional<Device> device_of(const Tensor& t) {
  if (!t.defined()) return nullopt;
  return t.device();
}

struct NoGradGuard {
  NoGradGuard() : before_(csm_set_grad_enabled(false)) {}
  ~NoGradGuard() { csm_set_grad_enabled(before_); }
  NoGradGuard(const NoGradGuard&) = delete;
  NoGradGuard& operator=(const NoGradGuard&) = delete;

 private:
  bool before_;
};
}  // namespace at

namespace torch {
using namespace at;
using Dtype = ScalarType;
using at::empty_like;
}  // namespace torch
