// TORCH_CHECK and its kin. The message is put together without streams; torch throws it.
#pragma once
#include <type_traits>

#include "types.h"

namespace csm {
enum Kind { ERROR, INDEX_ERROR, VALUE_ERROR, TYPE_ERROR, NOT_IMPLEMENTED, INTERNAL };

using Text = csm_text*;  // a message while it is put together
inline void print(Text to, const char* v) { csm_text_add(to, v, __builtin_strlen(v)); }
inline void print(Text to, char* v) { print(to, const_cast<const char*>(v)); }
inline void print(Text to, c10::ScalarType v) { print(to, csm_dtype_name(static_cast<int>(v))); }
inline void print(Text to, const caffe2::TypeMeta& v) { print(to, v.name()); }
inline void print_value(Text to, const csm_value& v) { csm_text_print(to, &v); }
inline void print(Text to, const c10::Device& v) {
  print_value(to, {CSM_DEVICE, static_cast<int64_t>(v.type()), 0, nullptr, static_cast<size_t>(v.index())});
}
inline void print(Text to, c10::DeviceType v) { print_value(to, {CSM_DEVICE, static_cast<int64_t>(v), 1, nullptr, 0}); }
inline void print(Text to, c10::IntArrayRef v) { print_value(to, {CSM_INTS, 0, 0, v.data(), v.size()}); }
inline void print(Text to, const std::vector<int64_t>& v) { print(to, c10::IntArrayRef(v)); }
inline void print(Text to, const c10::Scalar& v) { print_value(to, v.value); }
#ifdef CSM_WITH_STRING
inline void print(Text to, const std::string& v) { csm_text_add(to, v.data(), v.size()); }
template <typename T> struct Deferred { using stream = std::ostringstream; };  // complete once <sstream> is included
#endif
template <typename T> void print(Text to, const T& v) {
  if constexpr (std::is_same_v<T, char> || std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>) {
    csm_text_add(to, reinterpret_cast<const char*>(&v), 1);  // as a stream does
  } else if constexpr (std::is_floating_point_v<T>) {
    csm_text_add_number(to, static_cast<double>(v));
  } else if constexpr (std::is_integral_v<T>) {
    csm_text_add_integer(to, static_cast<int64_t>(v), std::is_unsigned_v<T>);
  } else {
#ifdef CSM_WITH_STRING
    typename Deferred<T>::stream stream;
    stream << v;
    print(to, stream.str());
#else
    static_assert(sizeof(T) == 0, "needs <sstream>: the light headers do not print this type");
#endif
  }
}
template <typename... Args>
[[noreturn]] void fail(Kind kind, const char* function, const char* file, unsigned line, const char* plain, const Args&... args) {
  const Text text = csm_text_new();
  (print(text, args), ...);
  if (sizeof...(args) == 0) print(text, plain);
  csm_throw(kind, function, file, line, text);
}
template <typename... Args> void warn(const char* function, const char* file, unsigned line, const Args&... args) {
  const Text text = csm_text_new();
  (print(text, args), ...);
  csm_warn(function, file, line, text);
}
}  // namespace csm

#ifdef CSM_WITH_STRING
namespace c10 {
template <typename... Args> std::string str(const Args&... args) {
  const ::csm::Text text = csm_text_new();
  (::csm::print(text, args), ...);
  size_t n;
  const char* p = csm_text_get(text, &n);
  std::string s(p, n);
  csm_text_delete(text);
  return s;
}
}  // namespace c10
#endif

// An open `if`, as torch's: no `else` may follow.
#define CSM_CHECK(KIND, COND, ...) \
  if (__builtin_expect(!(COND), 0)) { \
      ::csm::fail(KIND, __func__, __FILE__, static_cast<unsigned>(__LINE__), \
                  "Expected " #COND " to be true, but got false.  " \
                  "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)", \
                  ##__VA_ARGS__); \
  }
#define TORCH_CHECK(COND, ...) CSM_CHECK(::csm::ERROR, COND, ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(COND, ...) CSM_CHECK(::csm::INDEX_ERROR, COND, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(COND, ...) CSM_CHECK(::csm::VALUE_ERROR, COND, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(COND, ...) CSM_CHECK(::csm::TYPE_ERROR, COND, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(COND, ...) CSM_CHECK(::csm::NOT_IMPLEMENTED, COND, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(COND, ...) CSM_CHECK(::csm::INTERNAL, COND, ##__VA_ARGS__)
#define TORCH_WARN(...) ::csm::warn(__func__, __FILE__, static_cast<unsigned>(__LINE__), ##__VA_ARGS__)
#define AT_ERROR(...) ::csm::fail(::csm::ERROR, __func__, __FILE__, static_cast<unsigned>(__LINE__), "", ##__VA_ARGS__)
#define AT_ASSERTM(COND, ...) TORCH_CHECK(COND, ##__VA_ARGS__)
#define AT_ASSERT(COND, ...) TORCH_CHECK(COND, ##__VA_ARGS__)
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_RESTRICT __restrict__
#define C10_UNUSED __attribute__((__unused__))
#define C10_LIKELY(E) (__builtin_expect(static_cast<bool>(E), 1))
#define C10_UNLIKELY(E) (__builtin_expect(static_cast<bool>(E), 0))
#define C10_ALWAYS_INLINE __attribute__((__always_inline__)) inline
#define TORCH_API
