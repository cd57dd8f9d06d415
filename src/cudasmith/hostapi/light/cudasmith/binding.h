// PYBIND11_MODULE and m.def: argument types travel as codes; torch's own pybind11 converts, refuses and documents.
#pragma once
#include <type_traits>
#include <utility>
#include <vector>

#include "tensor.h"

namespace csm {
// Code<T>: the type code of T for csm_define, T from an argument, and a result into Python.
// T tensor, b bool, a h i l signed and A H I L unsigned integers of 8 to 64 bits, f d floats, s string, D dtype,
// V device, R IntArrayRef, v void; "?" before a code: optional; "[...]": std::vector; "(...)": tuple.
template <typename T, typename = void> struct Code;
struct Writer {  // codes, a blank between parameters
  char text[512] = {};
  size_t n = 0;
  Writer& operator<<(char c) {
    if (n + 1 < sizeof text) text[n++] = c;
    return *this;
  }
};

template <> struct Code<Tensor> {
  static void code(Writer& w) { w << 'T'; }
  static Tensor from(const csm_value& v) {
    void* impl = const_cast<void*>(v.p);
    if (impl) csm_retain(impl);
    return Tensor(Owned{impl});
  }
  static void push(csm_result* r, const Tensor& t) {
    const csm_value v{CSM_TENSOR, 0, 0, t.unsafeGetTensorImpl(), 0};
    csm_push(r, &v);
  }
};
template <typename T> struct Code<T, std::enable_if_t<std::is_integral_v<T>>> {
  static void code(Writer& w) {
    const char* codes = std::is_signed_v<T> ? "ahil" : "AHIL";
    w << (std::is_same_v<T, bool> ? 'b' : codes[sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3]);
  }
  static_assert(!std::is_same_v<T, char>, "pybind11 takes a char as text");
  static T from(const csm_value& v) { return static_cast<T>(v.i); }
  static void push(csm_result* r, T x) {
    const csm_value v{std::is_same_v<T, bool> ? CSM_BOOL : CSM_INT, static_cast<int64_t>(x), 0, nullptr, std::is_unsigned_v<T>};
    csm_push(r, &v);
  }
};
template <typename T> struct Code<T, std::enable_if_t<std::is_same_v<T, float> || std::is_same_v<T, double>>> {
  static void code(Writer& w) { w << (sizeof(T) == 4 ? 'f' : 'd'); }
  static T from(const csm_value& v) { return static_cast<T>(v.d); }
  static void push(csm_result* r, T x) {
    const csm_value v{CSM_DOUBLE, 0, static_cast<double>(x)};
    csm_push(r, &v);
  }
};
#ifdef CSM_WITH_STRING
template <> struct Code<std::string> {
  static void code(Writer& w) { w << 's'; }
  static std::string from(const csm_value& v) { return {static_cast<const char*>(v.p), v.n}; }
  static void push(csm_result* r, const std::string& s) {
    const csm_value v{CSM_STRING, 0, 0, s.data(), s.size()};
    csm_push(r, &v);
  }
};
#endif
template <> struct Code<c10::ScalarType> {
  static void code(Writer& w) { w << 'D'; }
  static c10::ScalarType from(const csm_value& v) { return static_cast<c10::ScalarType>(v.i); }
};
template <> struct Code<c10::Device> {
  static void code(Writer& w) { w << 'V'; }
  static c10::Device from(const csm_value& v) {
    return c10::Device(static_cast<c10::DeviceType>(v.i), static_cast<c10::DeviceIndex>(v.n));
  }
};
template <> struct Code<c10::IntArrayRef> {
  static void code(Writer& w) { w << 'R'; }
  static c10::IntArrayRef from(const csm_value& v) { return {static_cast<const int64_t*>(v.p), v.n}; }
};
template <typename T> struct Code<std::optional<T>> {
  static void code(Writer& w) { Code<T>::code(w << '?'); }
  static std::optional<T> from(const csm_value& v) {
    if (v.tag == CSM_NONE) return std::nullopt;
    return Code<T>::from(v);
  }
  static void push(csm_result* r, const std::optional<T>& x) {
    const csm_value none{CSM_NONE};
    x ? Code<T>::push(r, *x) : csm_push(r, &none);
  }
};
// A vector's argument is a list of values, each as its element's code has it.
template <typename T> struct Code<std::vector<T>> {
  static void code(Writer& w) {
    Code<T>::code(w << '[');
    w << ']';
  }
  static std::vector<T> from(const csm_value& v) {
    std::vector<T> all;
    all.reserve(v.n);
    for (size_t i = 0; i < v.n; ++i) all.push_back(Code<T>::from(static_cast<const csm_value*>(v.p)[i]));
    return all;
  }
  static void push(csm_result* r, const std::vector<T>& all) {
    csm_open(r);
    for (const T& x : all) Code<T>::push(r, x);
    csm_close(r, false);
  }
};
template <typename... T> struct Code<std::tuple<T...>> {
  static void code(Writer& w) {
    w << '(';
    (Code<T>::code(w), ...);
    w << ')';
  }
  static void push(csm_result* r, const std::tuple<T...>& all) {
    csm_open(r);
    std::apply([&](const T&... x) { (Code<T>::push(r, x), ...); }, all);
    csm_close(r, true);
  }
};
template <typename A, typename B> struct Code<std::pair<A, B>> {
  static void code(Writer& w) { Code<std::tuple<A, B>>::code(w); }
  static void push(csm_result* r, const std::pair<A, B>& x) {
    csm_open(r);
    Code<A>::push(r, x.first);
    Code<B>::push(r, x.second);
    csm_close(r, true);
  }
};
template <> struct Code<void> {
  static void code(Writer& w) { w << 'v'; }
};
template <typename T> using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <typename F, typename R, typename... A, size_t... I>
void invoke(F& f, const csm_value* values, csm_result* result, std::index_sequence<I...>) {
  std::tuple<Plain<A>...> kept{Code<Plain<A>>::from(values[I])...};
  if constexpr (std::is_void_v<R>) {
    f(static_cast<A&&>(std::get<I>(kept))...);
    const csm_value none{CSM_NONE};
    csm_push(result, &none);
  } else {
    Code<Plain<R>>::push(result, f(static_cast<A&&>(std::get<I>(kept))...));
  }
}

struct Default {
  const char* name;
  std::optional<csm_value> value;
};

template <typename F, typename R, typename... A>
void define(csm_module* m, const char* name, const char* doc, const std::vector<Default>& names, F function, int flags) {
  Writer parameters, result;
  (Code<Plain<A>>::code(parameters), ...);
  Code<Plain<R>>::code(result);
  std::vector<const char*> keys;
  std::vector<const csm_value*> defaults;
  for (const Default& d : names) {
    keys.push_back(d.name);
    defaults.push_back(d.value ? &*d.value : nullptr);
  }
  csm_define(m, name, doc, parameters.text, sizeof...(A), result.text, keys.data(), defaults.data(), keys.size(),
             [](void* f, const csm_value* values, csm_result* result) {
               invoke<F, R, A...>(*static_cast<F*>(f), values, result, std::index_sequence_for<A...>{});
             },
             new F(std::move(function)), flags);  // lives as long as the library, that is, for ever
}
template <typename F, typename Member> struct Callable;
template <typename F, typename R, typename... A> struct Callable<F, R (F::*)(A...) const> {
  static void define(csm_module* m, const char* n, const char* doc, const std::vector<Default>& names, F f, int flags) {
    ::csm::define<F, R, A...>(m, n, doc, names, std::move(f), flags);
  }
};
template <typename F> struct Callable<F, void> : Callable<F, decltype(&F::operator())> {};
template <typename R, typename... A> struct Callable<R (*)(A...), void> {
  static void define(csm_module* m, const char* n, const char* doc, const std::vector<Default>& names, R (*f)(A...), int flags) {
    ::csm::define<R (*)(A...), R, A...>(m, n, doc, names, f, flags);
  }
};
template <typename F> struct Wrapped {
  F function;
};
}  // namespace csm

// An inline namespace: pybind11::arg is the name in the source, while the symbols differ from the real pybind11's.
namespace pybind11 {
inline namespace csm_light {
struct arg_v;
struct arg {
  explicit arg(const char* name) : name(name) {}
  template <typename T> arg_v operator=(const T& value) const;
  const char* name;
};
struct arg_v {
  const char* name;
  csm_value value;
};
struct none {};
template <typename T> arg_v arg::operator=(const T& value) const {
  if constexpr (std::is_same_v<T, none>) return {name, csm_value{CSM_NONE}};
  else return {name, ::csm::arg(value)};
}
inline namespace literals {
inline arg operator""_a(const char* name, size_t) { return arg(name); }
}

class module_ {
 public:
  explicit module_(csm_module* m) : m_(m) {}
  template <typename F, typename... Extra> module_& def(const char* name, F f, const Extra&... extra) {
    const char* doc = nullptr;
    std::vector<::csm::Default> names;
    (take(doc, names, extra), ...);
    finish(name, doc, names, std::move(f));
    return *this;
  }
  struct Doc {
    csm_module* m;
    Doc& operator=(const char* text) { return csm_set_doc(m, text), *this; }
  };
  Doc doc() { return {m_}; }
  struct Attribute {
    csm_module* m;
    const char* name;
    template <typename T> void operator=(const T& value) {
      const csm_value v = ::csm::arg(value);
      csm_set_attribute(m, name, &v);
    }
  };
  Attribute attr(const char* name) { return {m_, name}; }

 private:
  template <typename F> void finish(const char* name, const char* doc, const std::vector<::csm::Default>& names, F f) {
    ::csm::Callable<F, void>::define(m_, name, doc, names, std::move(f), 0);
  }
  template <typename F> void finish(const char* name, const char* doc, const std::vector<::csm::Default>& names, ::csm::Wrapped<F> f) {
    ::csm::Callable<F, void>::define(m_, name, doc, names, std::move(f.function), CSM_WRAPPED);
  }
  static void take(const char*& doc, std::vector<::csm::Default>&, const char* text) { doc = text; }
  static void take(const char*&, std::vector<::csm::Default>& names, const arg& a) { names.push_back({a.name, std::nullopt}); }
  static void take(const char*&, std::vector<::csm::Default>& names, const arg_v& a) { names.push_back({a.name, a.value}); }
  csm_module* m_;
};
using module = module_;
}  // namespace csm_light
}  // namespace pybind11
namespace py = pybind11;
namespace torch {
template <typename F> auto wrap_pybind_function(F&& f) { return ::csm::Wrapped<std::decay_t<F>>{std::forward<F>(f)}; }
}  // namespace torch

#define CSM_JOIN_(a, b) a##b
#define CSM_JOIN(a, b) CSM_JOIN_(a, b)
#define CSM_TEXT_(a) #a
#define CSM_TEXT(a) CSM_TEXT_(a)
#define PYBIND11_MODULE(name, variable, ...) \
  static void CSM_JOIN(csm_fill_, name)(::pybind11::module_&); \
  extern "C" __attribute__((visibility("default"))) struct _object* CSM_JOIN(PyInit_, name)() { \
    return csm_make_module(CSM_TEXT(name), [](csm_module* m) { \
      ::pybind11::module_ module(m); \
      CSM_JOIN(csm_fill_, name)(module); \
    }); \
  } \
  static void CSM_JOIN(csm_fill_, name)(::pybind11::module_& variable)
#define PYBIND11_EXPORT __attribute__((visibility("default")))
