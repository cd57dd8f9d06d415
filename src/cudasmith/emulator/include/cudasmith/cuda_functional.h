// Function objects of <cuda/functional> and <cuda/std/functional>.
#pragma once
#include <functional>
#include <utility>

namespace cuda {
namespace std {
using ::std::bit_and;
using ::std::bit_or;
using ::std::bit_xor;
using ::std::divides;
using ::std::equal_to;
using ::std::greater;
using ::std::greater_equal;
using ::std::identity;
using ::std::less;
using ::std::less_equal;
using ::std::logical_and;
using ::std::logical_not;
using ::std::logical_or;
using ::std::minus;
using ::std::modulus;
using ::std::multiplies;
using ::std::negate;
using ::std::not_equal_to;
using ::std::plus;
}  // namespace std

template <class T = void>
struct maximum { constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; } };
template <>
struct maximum<void> {
  template <class A, class B>
  constexpr ::std::common_type_t<A, B> operator()(const A& a, const B& b) const { return a < b ? b : a; }
};
template <class T = void>
struct minimum { constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; } };
template <>
struct minimum<void> {
  template <class A, class B>
  constexpr ::std::common_type_t<A, B> operator()(const A& a, const B& b) const { return b < a ? b : a; }
};
}  // namespace cuda
