// Declarations that stand in for torch's C++ headers when only the device code is compiled: enough for
// nvcc to parse host functions and to instantiate exactly the kernels they launch. Nothing is defined,
// nothing can be linked. Real headers take nvcc 30 to 75 seconds, these under one.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>
#include <cuda_runtime.h>

namespace c10 {
using DeviceIndex = int8_t;
enum class ScalarType : int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, BFloat16
};
enum class DeviceType : int8_t { CPU, CUDA };
enum class Layout : int8_t { Strided };
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

struct Device {
  Device(DeviceType type, DeviceIndex index = -1);
  Device(const std::string& text);
  bool is_cuda() const;
  DeviceIndex index() const;
  DeviceType type() const;
  bool operator==(const Device& other) const;
  bool operator!=(const Device& other) const;
};

struct Half { uint16_t x; Half() = default; __host__ __device__ Half(float v); __host__ __device__ operator float() const; };
struct BFloat16 { uint16_t x; BFloat16() = default; __host__ __device__ BFloat16(float v); __host__ __device__ operator float() const; };

template <typename T> struct ArrayRef {
  ArrayRef();
  ArrayRef(const T& one);
  ArrayRef(const T* data, size_t size);
  ArrayRef(const std::vector<T>& values);
  ArrayRef(const std::initializer_list<T>& values);
  template <size_t N> ArrayRef(const T (&values)[N]);
  const T& operator[](size_t i) const;
  const T& back() const;
  const T& front() const;
  const T* begin() const;
  const T* end() const;
  const T* data() const;
  size_t size() const;
  bool empty() const;
  ArrayRef slice(size_t start, size_t count) const;
  ArrayRef slice(size_t start) const;
  std::vector<T> vec() const;
  bool equals(ArrayRef other) const;
};
template <typename T> bool operator==(ArrayRef<T> a, ArrayRef<T> b);
template <typename T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b);
using IntArrayRef = ArrayRef<int64_t>;

struct Scalar {
  Scalar(double v); Scalar(float v); Scalar(int v); Scalar(int64_t v); Scalar(bool v);
  template <typename T> T to() const;
  double toDouble() const;
  int64_t toLong() const;
};

struct TensorOptions {
  TensorOptions();
  TensorOptions(ScalarType type);
  TensorOptions(Device device);
  TensorOptions dtype(ScalarType type) const;
  TensorOptions device(Device device) const;
  TensorOptions device(DeviceType type, DeviceIndex index = -1) const;
  TensorOptions layout(Layout layout) const;
  TensorOptions memory_format(MemoryFormat format) const;
  TensorOptions requires_grad(bool on) const;
};

template <typename T> using optional = std::optional<T>;
inline constexpr std::nullopt_t nullopt = std::nullopt;
template <typename... Args> std::string str(const Args&... args);

namespace cuda {
struct CUDAStream { operator cudaStream_t() const; cudaStream_t stream() const; };
CUDAStream getCurrentCUDAStream(DeviceIndex device = -1);
CUDAStream getDefaultCUDAStream(DeviceIndex device = -1);
DeviceIndex current_device();
struct CUDAGuard { explicit CUDAGuard(Device device); explicit CUDAGuard(DeviceIndex device); };
struct OptionalCUDAGuard { OptionalCUDAGuard(); explicit OptionalCUDAGuard(Device device); };
}  // namespace cuda
[[noreturn]] void stub_fail();
template <typename... Args> void stub_use(const Args&... args);
}  // namespace c10

namespace at {
using namespace c10;
using c10::ScalarType;
struct Tensor {
  Tensor();
  bool defined() const; bool is_cuda() const; bool is_cpu() const; bool is_contiguous() const;
  bool is_contiguous(MemoryFormat format) const;
  bool is_floating_point() const; bool is_complex() const; bool requires_grad() const;
  ScalarType scalar_type() const; ScalarType dtype() const; Device device() const;
  int64_t get_device() const; int64_t dim() const; int64_t ndimension() const; int64_t numel() const;
  int64_t size(int64_t dim) const; int64_t stride(int64_t dim) const;
  int64_t element_size() const; int64_t itemsize() const; size_t nbytes() const; int64_t storage_offset() const;
  IntArrayRef sizes() const; IntArrayRef strides() const; TensorOptions options() const;
  void* data_ptr() const; void* mutable_data_ptr() const; const void* const_data_ptr() const;
  template <typename T> T* data_ptr() const;
  template <typename T> T* mutable_data_ptr() const;
  template <typename T> const T* const_data_ptr() const;
  template <typename T> T item() const;
  Scalar item() const;
  Tensor contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  Tensor expand(IntArrayRef sizes, bool implicit = false) const; Tensor expand_as(const Tensor& other) const;
  Tensor view(IntArrayRef sizes) const; Tensor view(ScalarType type) const;
  Tensor reshape(IntArrayRef sizes) const; Tensor flatten(int64_t start = 0, int64_t end = -1) const;
  Tensor narrow(int64_t dim, int64_t start, int64_t length) const; Tensor select(int64_t dim, int64_t index) const;
  Tensor slice(int64_t dim, optional<int64_t> start = nullopt, optional<int64_t> end = nullopt, int64_t step = 1) const;
  Tensor transpose(int64_t a, int64_t b) const; Tensor permute(IntArrayRef dims) const; Tensor t() const;
  Tensor squeeze() const; Tensor squeeze(int64_t dim) const; Tensor unsqueeze(int64_t dim) const;
  Tensor movedim(int64_t from, int64_t to) const; Tensor as_strided(IntArrayRef sizes, IntArrayRef strides) const;
  Tensor to(ScalarType type) const; Tensor to(Device device) const; Tensor to(TensorOptions options) const;
  Tensor clone() const; Tensor detach() const; Tensor& copy_(const Tensor& other); Tensor& zero_(); Tensor& fill_(Scalar v);
  Tensor operator[](int64_t index) const;
};
Tensor empty(IntArrayRef sizes, TensorOptions options = {}); Tensor zeros(IntArrayRef sizes, TensorOptions options = {});
Tensor ones(IntArrayRef sizes, TensorOptions options = {}); Tensor full(IntArrayRef sizes, Scalar v, TensorOptions options = {});
Tensor empty_like(const Tensor& t, TensorOptions options = {}); Tensor zeros_like(const Tensor& t, TensorOptions options = {});
Tensor ones_like(const Tensor& t, TensorOptions options = {});
Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {});
std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b);
int64_t maybe_wrap_dim(int64_t dim, int64_t rank, bool wrap_scalar = true);
inline constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char, kShort = ScalarType::Short,
  kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half, kFloat = ScalarType::Float,
  kDouble = ScalarType::Double, kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16, kFloat16 = kHalf,
  kFloat32 = kFloat, kFloat64 = kDouble, kInt32 = kInt, kInt64 = kLong, kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort;
inline constexpr DeviceType kCUDA = DeviceType::CUDA, kCPU = DeviceType::CPU;
namespace cuda {
using namespace c10::cuda;
struct CUDAContextProperties;
}
}  // namespace at

namespace torch {
using namespace at;
using Dtype = ScalarType;
namespace cuda { int64_t device_count(); void synchronize(int64_t device = -1); }
}  // namespace torch

#define TORCH_CHECK(cond, ...) do { if (!(cond)) { ::c10::stub_use(0, ##__VA_ARGS__); ::c10::stub_fail(); } } while (0)
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define TORCH_CHECK_VALUE TORCH_CHECK
#define TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK
#define AT_ERROR(...) TORCH_CHECK(false, ##__VA_ARGS__)
#define TORCH_WARN(...) ::c10::stub_use(0, ##__VA_ARGS__)
#define C10_CUDA_CHECK(expr) do { if ((expr) != cudaSuccess) ::c10::stub_fail(); } while (0)
#define AT_CUDA_CHECK C10_CUDA_CHECK
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_RESTRICT __restrict__

#define STUB_CASE(ENUM, T, ...) case ::at::ScalarType::ENUM: { using scalar_t = T; return __VA_ARGS__(); }
#define STUB_SWITCH(TYPE, NAME, CASES) [&] { switch (TYPE) { CASES default: ::c10::stub_fail(); } }()
#define STUB_FLOATS(...) STUB_CASE(Double, double, __VA_ARGS__) STUB_CASE(Float, float, __VA_ARGS__)
#define STUB_INTS(...) STUB_CASE(Byte, uint8_t, __VA_ARGS__) STUB_CASE(Char, int8_t, __VA_ARGS__) \
  STUB_CASE(Short, int16_t, __VA_ARGS__) STUB_CASE(Int, int, __VA_ARGS__) STUB_CASE(Long, int64_t, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) STUB_SWITCH(TYPE, NAME, STUB_FLOATS(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) STUB_SWITCH(TYPE, NAME, STUB_FLOATS(__VA_ARGS__) STUB_INTS(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  STUB_SWITCH(TYPE, NAME, STUB_FLOATS(__VA_ARGS__) STUB_CASE(Half, ::at::Half, __VA_ARGS__))

namespace stub_pybind {
struct arg { explicit arg(const char* name); template <typename T> arg operator=(const T& value) const; };
struct module_ {
  template <typename F, typename... Extra> module_& def(const char* name, F f, const Extra&... extra);
  const char*& doc();
};
}  // namespace stub_pybind
namespace pybind11 = stub_pybind;
namespace py = stub_pybind;
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME stub
#endif
#define STUB_JOIN_(a, b) a##b
#define STUB_JOIN(a, b) STUB_JOIN_(a, b)
#define PYBIND11_MODULE(name, variable, ...) void STUB_JOIN(stub_module_, name)(::stub_pybind::module_ & variable)
