// c10's small types: the same names, values and conversions as in torch.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include <cudasmith/abi.h>

// <string> is a fifth of all that these headers cost: the builder asks for it where a source needs it.
#ifdef CSM_WITH_STRING
#include <iosfwd>
#include <string>
#endif

#ifdef __CUDACC__
#define CSM_HD __host__ __device__
#else
#define CSM_HD
#endif

namespace c10 {
using DeviceIndex = int8_t;
template <typename T> using optional = std::optional<T>;
using std::nullopt;
using std::nullopt_t;
using std::make_optional;

enum class ScalarType : int8_t {
  Byte = 0, Char = 1, Short = 2, Int = 3, Long = 4, Half = 5, Float = 6, Double = 7, ComplexHalf = 8, ComplexFloat = 9,
  ComplexDouble = 10, Bool = 11, BFloat16 = 15, Float8_e5m2 = 23, Float8_e4m3fn = 24, UInt16 = 27, UInt32 = 28, UInt64 = 29,
};
enum class DeviceType : int8_t { CPU = 0, CUDA = 1, Meta = 14 };
enum class Layout : int8_t { Strided = 0, Sparse = 1 };
enum class MemoryFormat : int8_t { Contiguous = 0, Preserve = 1, ChannelsLast = 2, ChannelsLast3d = 3 };
inline const char* toString(ScalarType t) { return csm_dtype_name(static_cast<int>(t)); }
inline size_t elementSize(ScalarType t) { return static_cast<size_t>(csm_element_size(static_cast<int>(t))); }
constexpr bool isFloatingType(ScalarType t) {
  return t == ScalarType::Double || t == ScalarType::Float || t == ScalarType::Half || t == ScalarType::BFloat16 ||
         t == ScalarType::Float8_e5m2 || t == ScalarType::Float8_e4m3fn;
}
constexpr bool isComplexType(ScalarType t) {
  return t == ScalarType::ComplexHalf || t == ScalarType::ComplexFloat || t == ScalarType::ComplexDouble;
}
constexpr bool isIntegralType(ScalarType t, bool bool_too) {
  return t == ScalarType::Byte || t == ScalarType::Char || t == ScalarType::Short || t == ScalarType::Int ||
         t == ScalarType::Long || t == ScalarType::UInt16 || t == ScalarType::UInt32 || t == ScalarType::UInt64 ||
         (bool_too && t == ScalarType::Bool);
}

struct Device {
  Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
  bool is_cuda() const { return type_ == DeviceType::CUDA; }
  bool is_cpu() const { return type_ == DeviceType::CPU; }
  bool has_index() const { return index_ != -1; }
  DeviceIndex index() const { return index_; }
  DeviceType type() const { return type_; }
  bool operator==(const Device& o) const { return type_ == o.type_ && index_ == o.index_; }
  bool operator!=(const Device& o) const { return !(*this == o); }

 private:
  DeviceType type_;
  DeviceIndex index_;
};

// 16-bit floats, as c10 has them: storage only; arithmetic goes through float and rounds to nearest even.
struct alignas(2) Half {
  struct from_bits_t {};
  static constexpr CSM_HD from_bits_t from_bits() { return {}; }
  unsigned short x;
  Half() = default;
  constexpr CSM_HD Half(unsigned short bits, from_bits_t) : x(bits) {}
  CSM_HD Half(float v) {
#ifdef __CUDA_ARCH__
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x) : "f"(v));
#else
    x = host_round(v);
#endif
  }
  CSM_HD operator float() const {
#ifdef __CUDA_ARCH__
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(x));
    return v;
#else
    return host_widen(x);
#endif
  }
#ifdef __CUDA_FP16_TYPES_EXIST__
  CSM_HD Half(const __half& v) : x(*reinterpret_cast<const unsigned short*>(&v)) {}
  CSM_HD operator __half() const { return *reinterpret_cast<const __half*>(&x); }
#endif

 private:
  static unsigned short host_round(float v) {
    uint32_t bits;
    __builtin_memcpy(&bits, &v, 4);
    const uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<unsigned short>(sign | 0x7e00u);
    if (magnitude >= 0x477ff000u) return static_cast<unsigned short>(sign | 0x7c00u);
    if (magnitude < 0x38800000u) {  // below the smallest normal half: a multiple of 2^-24
      float absolute;
      __builtin_memcpy(&absolute, &magnitude, 4);
      absolute += 0.5f;  // the sum's last bits are the rounded multiple
      uint32_t sum;
      __builtin_memcpy(&sum, &absolute, 4);
      return static_cast<unsigned short>(sign | (sum - 0x3f000000u));
    }
    const uint32_t odd = (magnitude >> 13) & 1u;
    return static_cast<unsigned short>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
  }
  static float host_widen(unsigned short h) {
    const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16, exponent = (h >> 10) & 31u, fraction = h & 0x3ffu;
    float v;
    if (exponent == 0) {
      v = static_cast<float>(fraction) * 0x1p-24f;
      return sign ? -v : v;
    }
    const uint32_t bits = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112u) << 23) | (fraction << 13);
    __builtin_memcpy(&v, &bits, 4);
    return v;
  }
};
struct alignas(2) BFloat16 {
  struct from_bits_t {};
  static constexpr CSM_HD from_bits_t from_bits() { return {}; }
  unsigned short x;
  BFloat16() = default;
  constexpr CSM_HD BFloat16(unsigned short bits, from_bits_t) : x(bits) {}
  CSM_HD BFloat16(float v) {
    uint32_t bits;
    __builtin_memcpy(&bits, &v, 4);
    x = (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc0 : static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }
  CSM_HD operator float() const {
    const uint32_t bits = static_cast<uint32_t>(x) << 16;
    float v;
    __builtin_memcpy(&v, &bits, 4);
    return v;
  }
#ifdef __CUDA_BF16_TYPES_EXIST__
  CSM_HD BFloat16(const __nv_bfloat16& v) : x(*reinterpret_cast<const unsigned short*>(&v)) {}
  CSM_HD operator __nv_bfloat16() const { return *reinterpret_cast<const __nv_bfloat16*>(&x); }
#endif
};
#define CSM_HALF_OPERATOR(T, OP) \
  inline CSM_HD T operator OP(const T& a, const T& b) { return static_cast<float>(a) OP static_cast<float>(b); } \
  inline CSM_HD T& operator OP##=(T& a, const T& b) { return a = a OP b; } \
  inline CSM_HD float operator OP(T a, float b) { return static_cast<float>(a) OP b; } \
  inline CSM_HD float operator OP(float a, T b) { return a OP static_cast<float>(b); } \
  inline CSM_HD double operator OP(T a, double b) { return static_cast<double>(a) OP b; } \
  inline CSM_HD double operator OP(double a, T b) { return a OP static_cast<double>(b); } \
  inline CSM_HD T operator OP(T a, int b) { return a OP static_cast<T>(static_cast<float>(b)); } \
  inline CSM_HD T operator OP(int a, T b) { return static_cast<T>(static_cast<float>(a)) OP b; } \
  inline CSM_HD T operator OP(T a, int64_t b) { return a OP static_cast<T>(static_cast<float>(b)); } \
  inline CSM_HD T operator OP(int64_t a, T b) { return static_cast<T>(static_cast<float>(a)) OP b; }
#define CSM_HALF_OPERATORS(T) \
  CSM_HALF_OPERATOR(T, +) CSM_HALF_OPERATOR(T, -) CSM_HALF_OPERATOR(T, *) CSM_HALF_OPERATOR(T, /) \
  inline CSM_HD T operator-(const T& a) { return -static_cast<float>(a); } \
  inline CSM_HD float& operator+=(float& a, const T& b) { return a += static_cast<float>(b); } \
  inline CSM_HD float& operator*=(float& a, const T& b) { return a *= static_cast<float>(b); }
CSM_HALF_OPERATORS(Half)
CSM_HALF_OPERATORS(BFloat16)

template <typename T>
struct ArrayRef {
  using value_type = T;
  constexpr ArrayRef() = default;
  ArrayRef(const T& one) : data_(&one), size_(1) {}
  ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  ArrayRef(const T* begin, const T* end) : data_(begin), size_(static_cast<size_t>(end - begin)) {}
  template <typename A> ArrayRef(const std::vector<T, A>& v) : data_(v.data()), size_(v.size()) {}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"  // as in torch: it lives to the end of the full expression
  ArrayRef(const std::initializer_list<T>& v) : data_(v.begin()), size_(v.size()) {}
#pragma GCC diagnostic pop
  template <size_t N> ArrayRef(const T (&v)[N]) : data_(v), size_(N) {}
  const T& operator[](size_t i) const { return data_[i]; }
  const T& front() const { return data_[0]; }
  const T& back() const { return data_[size_ - 1]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  ArrayRef slice(size_t start, size_t count) const { return {data_ + start, count}; }
  ArrayRef slice(size_t start) const { return {data_ + start, size_ - start}; }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  bool equals(ArrayRef o) const {
    if (size_ != o.size_) return false;
    for (size_t i = 0; i < size_; ++i)
      if (!(data_[i] == o.data_[i])) return false;
    return true;
  }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};
template <typename T> bool operator==(ArrayRef<T> a, ArrayRef<T> b) { return a.equals(b); }
template <typename T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b) { return !a.equals(b); }
template <typename T> bool operator==(const std::vector<T>& a, ArrayRef<T> b) { return ArrayRef<T>(a).equals(b); }
template <typename T> bool operator==(ArrayRef<T> a, const std::vector<T>& b) { return a.equals(ArrayRef<T>(b)); }
template <typename T> bool operator!=(const std::vector<T>& a, ArrayRef<T> b) { return !(a == b); }
template <typename T> bool operator!=(ArrayRef<T> a, const std::vector<T>& b) { return !(a == b); }
using IntArrayRef = ArrayRef<int64_t>;

struct Scalar {
  Scalar() : Scalar(int64_t{0}) {}
  Scalar(double v) : value{CSM_DOUBLE, 0, v} {}
  Scalar(float v) : Scalar(static_cast<double>(v)) {}
  Scalar(int v) : Scalar(static_cast<long>(v)) {}
  Scalar(long v) : value{CSM_INT, v} {}
  Scalar(long long v) : Scalar(static_cast<long>(v)) {}
  template <typename T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0> Scalar(T v) : value{CSM_BOOL, v} {}  // no pointer
  explicit Scalar(const csm_value& v) : value(v) {}
  bool isFloatingPoint() const { return value.tag == CSM_DOUBLE; }
  bool isBoolean() const { return value.tag == CSM_BOOL; }
  bool isIntegral(bool bool_too) const { return value.tag == CSM_INT || (bool_too && isBoolean()); }
  template <typename T> T to() const { return value.tag == CSM_DOUBLE ? static_cast<T>(value.d) : static_cast<T>(value.i); }
  double toDouble() const { return to<double>(); }
  float toFloat() const { return to<float>(); }
  int64_t toLong() const { return to<int64_t>(); }
  int toInt() const { return to<int>(); }
  bool toBool() const { return to<bool>(); }
  csm_value value;
};
}  // namespace c10

namespace caffe2 {
// What Tensor::dtype() returns.
struct TypeMeta {
  explicit TypeMeta(c10::ScalarType type) : type_(type) {}
  c10::ScalarType toScalarType() const { return type_; }
  const char* name() const { return csm_type_name(static_cast<int>(type_)); }
  size_t itemsize() const { return c10::elementSize(type_); }

 private:
  c10::ScalarType type_;
};
inline bool operator==(const TypeMeta& a, const TypeMeta& b) { return a.toScalarType() == b.toScalarType(); }
inline bool operator!=(const TypeMeta& a, const TypeMeta& b) { return !(a == b); }
inline bool operator==(const TypeMeta& a, c10::ScalarType b) { return a.toScalarType() == b; }
inline bool operator!=(const TypeMeta& a, c10::ScalarType b) { return a.toScalarType() != b; }
inline bool operator==(c10::ScalarType a, const TypeMeta& b) { return a == b.toScalarType(); }
inline bool operator!=(c10::ScalarType a, const TypeMeta& b) { return a != b.toScalarType(); }
}  // namespace caffe2

namespace c10 {
template <typename T> struct CppTypeToScalarType;
#define CSM_SCALAR_TYPES(_) \
  _(uint8_t, Byte) _(int8_t, Char) _(int16_t, Short) _(int, Int) _(int64_t, Long) _(::c10::Half, Half) _(float, Float) \
  _(double, Double) _(bool, Bool) _(::c10::BFloat16, BFloat16) _(uint16_t, UInt16) _(uint32_t, UInt32) _(uint64_t, UInt64)
#define CSM_OF(T, NAME) \
  template <> struct CppTypeToScalarType<T> { static constexpr ScalarType value = ScalarType::NAME; };
CSM_SCALAR_TYPES(CSM_OF)
#undef CSM_OF

struct TensorOptions {
  TensorOptions() = default;
  TensorOptions(ScalarType type) : dtype_(type) {}
  TensorOptions(caffe2::TypeMeta type) : dtype_(type.toScalarType()) {}
  TensorOptions(Device device) : device_(device) {}
  TensorOptions(DeviceType type) : device_(Device(type)) {}
  TensorOptions(Layout) {}
  TensorOptions(MemoryFormat format) : format_(format) {}
  TensorOptions dtype(ScalarType type) const { return dtype(optional<ScalarType>(type)); }
  TensorOptions dtype(optional<ScalarType> type) const { return with([&](auto& o) { o.dtype_ = type; }); }
  TensorOptions dtype(caffe2::TypeMeta type) const { return dtype(type.toScalarType()); }
  template <typename T> TensorOptions dtype() const { return dtype(CppTypeToScalarType<T>::value); }
  TensorOptions device(optional<Device> device) const { return with([&](auto& o) { o.device_ = device; }); }
  TensorOptions device(DeviceType type, DeviceIndex index = -1) const { return device(Device(type, index)); }
  TensorOptions device_index(DeviceIndex index) const { return device(DeviceType::CUDA, index); }
  TensorOptions layout(optional<Layout> layout) const { return *this; }
  TensorOptions memory_format(optional<MemoryFormat> format) const { return with([&](auto& o) { o.format_ = format; }); }
  TensorOptions requires_grad(optional<bool> on) const { return with([&](auto& o) { o.grad_ = on.value_or(false); }); }
  TensorOptions pinned_memory(optional<bool> on) const { return with([&](auto& o) { o.pinned_ = on; }); }
  optional<ScalarType> dtype_;
  optional<Device> device_;
  optional<MemoryFormat> format_;
  optional<bool> pinned_;
  bool grad_ = false;

 private:
  template <typename F> TensorOptions with(F change) const {
    TensorOptions o = *this;
    change(o);
    return o;
  }
};
inline TensorOptions dtype(ScalarType t) { return TensorOptions(t); }
inline ScalarType typeMetaToScalarType(caffe2::TypeMeta t) { return t.toScalarType(); }
inline TensorOptions device(Device d) { return TensorOptions(d); }
inline TensorOptions requires_grad(bool on = true) { return TensorOptions().requires_grad(on); }
}  // namespace c10
