// m.def(...) without pybind11: converts arguments and results by small templates.
#pragma once
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "value.h"

namespace cudasmith {

// Converter<T>: the Python kind of T, T from a Value, and a Value from T.
template <class T, class = void>
struct Converter {
  static_assert(sizeof(T) == 0, "the emulator's binding does not know this parameter or result type; "
                                "host functions should use torch::Tensor, numbers, bool, std::string or lists of them");
};

#define CUDASMITH_CONVERTER(TYPE, KIND, NAME, FIELD) \
  template <> \
  struct Converter<TYPE> { \
    static constexpr Parameter parameter{Kind::KIND, false, NAME}; \
    static TYPE from(Value& v) { return v.FIELD; } \
    static Value to(TYPE x) { \
      Value v; \
      v.kind = Kind::KIND; \
      v.FIELD = std::move(x); \
      return v; \
    } \
  };
CUDASMITH_CONVERTER(at::Tensor, tensor, "torch.Tensor", tensor)
CUDASMITH_CONVERTER(std::string, string, "str", text)
CUDASMITH_CONVERTER(std::vector<std::int64_t>, integers, "list[int]", integers)
CUDASMITH_CONVERTER(std::vector<double>, reals, "list[float]", reals)
CUDASMITH_CONVERTER(std::vector<at::Tensor>, tensors, "list[torch.Tensor]", tensors)

#define CUDASMITH_VIEW(TYPE, KIND, NAME, FIELD) \
  template <> \
  struct Converter<TYPE> { \
    static constexpr Parameter parameter{Kind::KIND, false, NAME}; \
    static TYPE from(Value& v) { return v.FIELD; } \
  };
CUDASMITH_VIEW(c10::ArrayRef<std::int64_t>, integers, "list[int]", integers)
CUDASMITH_VIEW(c10::ArrayRef<double>, reals, "list[float]", reals)
CUDASMITH_VIEW(c10::ArrayRef<at::Tensor>, tensors, "list[torch.Tensor]", tensors)

template <>
struct Converter<bool> {
  static constexpr Parameter parameter{Kind::boolean, false, "bool"};
  static bool from(Value& v) { return v.integer != 0; }
  static Value to(bool x) {
    Value v;
    v.kind = Kind::boolean;
    v.integer = x;
    return v;
  }
};

template <>
struct Converter<c10::ScalarType> {
  static constexpr Parameter parameter{Kind::scalar_type, false, "torch.dtype"};
  static c10::ScalarType from(Value& v) { return static_cast<c10::ScalarType>(v.integer); }
};

template <class T>
struct Converter<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static constexpr Parameter parameter{Kind::integer, false, "int"};
  static T from(Value& v) {
    const T narrow = static_cast<T>(v.integer);
    if (static_cast<std::int64_t>(narrow) != v.integer || (std::is_unsigned_v<T> && v.integer < 0))
      throw c10::TypeError({__func__, __FILE__, __LINE__},
                           "integer argument " + std::to_string(v.integer) + " does not fit its C++ type");
    return narrow;
  }
  static Value to(T x) {
    Value v;
    v.kind = Kind::integer;
    v.integer = static_cast<std::int64_t>(x);
    return v;
  }
};

template <class T>
struct Converter<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  static constexpr Parameter parameter{Kind::real, false, "float"};
  static T from(Value& v) { return static_cast<T>(v.real); }
  static Value to(T x) {
    Value v;
    v.kind = Kind::real;
    v.real = static_cast<double>(x);
    return v;
  }
};

template <>
struct Converter<std::vector<int>> {
  static constexpr Parameter parameter{Kind::integers, false, "list[int]"};
  static std::vector<int> from(Value& v) { return {v.integers.begin(), v.integers.end()}; }
  static Value to(const std::vector<int>& x) {
    return Converter<std::vector<std::int64_t>>::to({x.begin(), x.end()});
  }
};

template <class T>
struct Converter<std::optional<T>> {
  static constexpr Parameter parameter{Converter<T>::parameter.kind, true, Converter<T>::parameter.type};
  static std::optional<T> from(Value& v) {
    if (v.kind == Kind::none) return std::nullopt;
    return Converter<T>::from(v);
  }
  static Value to(std::optional<T> x) { return x ? Converter<T>::to(*std::move(x)) : Value{}; }
};

template <class... T>
struct Converter<std::tuple<T...>> {
  static Value to(std::tuple<T...> x) {
    Value v;
    v.kind = Kind::tuple;
    std::apply([&](auto&... item) { (v.items.push_back(Converter<T>::to(std::move(item))), ...); }, x);
    return v;
  }
};
template <class A, class B>
struct Converter<std::pair<A, B>> {
  static Value to(std::pair<A, B> x) { return Converter<std::tuple<A, B>>::to(std::tuple<A, B>(std::move(x))); }
};

template <class F, class R, class... A, std::size_t... I>
Value invoke(F& function, Value* arguments, std::index_sequence<I...>) {
  std::tuple<std::decay_t<A>...> kept{Converter<std::decay_t<A>>::from(arguments[I])...};
  if constexpr (std::is_void_v<R>) {
    function(static_cast<A&&>(std::get<I>(kept))...);
    return {};
  } else {
    return Converter<std::decay_t<R>>::to(function(static_cast<A&&>(std::get<I>(kept))...));
  }
}

template <class F, class R, class... A>
Function bound(F function) {
  Function f;
  f.parameters = {Converter<std::decay_t<A>>::parameter...};
  f.target = new F(std::move(function));  // lives as long as the library, that is, for ever
  f.call = [](void* target, Value* arguments) {
    return invoke<F, R, A...>(*static_cast<F*>(target), arguments, std::index_sequence_for<A...>{});
  };
  return f;
}

template <class F, class Member>
struct Callable;
template <class F, class R, class... A>
struct Callable<F, R (F::*)(A...) const> {
  static Function make(F f) { return bound<F, R, A...>(std::move(f)); }
};
template <class F, class R, class... A>
struct Callable<F, R (F::*)(A...)> {
  static Function make(F f) { return bound<F, R, A...>(std::move(f)); }
};

template <class R, class... A>
Function describe(R (*f)(A...)) { return bound<R (*)(A...), R, A...>(f); }
template <class F>
Function describe(F f) { return Callable<F, decltype(&F::operator())>::make(std::move(f)); }

// The extras of m.def: a doc string, py::arg with or without a default; anything else changes nothing here.
struct NamedArgument {
  std::string name;
  bool has_default = false;
  Value value;
};
inline void apply_extra(Function& f, const char* doc) { f.doc = doc; }
template <class T>
void apply_extra(Function& f, const T& extra) {
  if constexpr (std::is_base_of_v<NamedArgument, T>) {
    f.names.push_back(extra.name);
    if (extra.has_default) f.defaults.push_back(extra.value);
  }
}

template <class F, class... Extra>
Module& Module::def(const char* name, F function, const Extra&... extra) {
  Function f = describe(function);
  f.name = name;
  (apply_extra(f, extra), ...);
  add(std::move(f));
  return *this;
}

}  // namespace cudasmith

namespace pybind11 {
using module = ::cudasmith::Module;
using module_ = ::cudasmith::Module;
struct arg : ::cudasmith::NamedArgument {
  explicit arg(const char* name_) { name = name_; }
  arg& noconvert(bool = true) { return *this; }
  arg& none(bool = true) { return *this; }
  template <class T>
  ::cudasmith::NamedArgument operator=(T&& value_) const {
    ::cudasmith::NamedArgument a = *this;
    a.has_default = true;
    using D = std::decay_t<T>;
    if constexpr (std::is_convertible_v<D, const char*>) a.value = ::cudasmith::Converter<std::string>::to(value_);
    else if constexpr (!std::is_same_v<D, none_type> && !std::is_same_v<D, std::nullopt_t>)
      a.value = ::cudasmith::Converter<D>::to(std::forward<T>(value_));
    return a;
  }
  struct none_type {};
};
using none = arg::none_type;
struct gil_scoped_release {};
struct gil_scoped_acquire {};
template <class...>
struct call_guard {};
enum class return_value_policy { automatic, copy, move, reference, take_ownership };
inline namespace literals {
inline arg operator""_a(const char* name, std::size_t) { return arg(name); }
}
}  // namespace pybind11

namespace torch {
template <class F>
F wrap_pybind_function(F f) { return f; }
}  // namespace torch
