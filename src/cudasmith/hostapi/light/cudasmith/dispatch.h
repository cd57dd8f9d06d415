// AT_DISPATCH_...: a switch over the dtype; the refusal is torch's own text.
#pragma once
#include "tensor.h"

namespace csm {
inline c10::ScalarType scalar_type(c10::ScalarType t) { return t; }
}
#define AT_PRIVATE_CASE(ENUM, T, ...) \
  case ENUM: { \
    using scalar_t [[maybe_unused]] = T; \
    return __VA_ARGS__(); \
  }
#define CSM_DISPATCH(TYPE, NAME, CASES) \
  [&] { \
    const ::c10::ScalarType csm_type = ::csm::scalar_type(TYPE); \
    [[maybe_unused]] constexpr const char* csm_name = NAME; \
    switch (csm_type) { \
      CASES \
      default: \
        ::csm::fail(::csm::NOT_IMPLEMENTED, __func__, __FILE__, static_cast<unsigned>(__LINE__), "", '"', csm_name, \
                    "\" not implemented for '", ::c10::toString(csm_type), "'"); \
    } \
  }()
namespace csm {
template <c10::ScalarType> struct TypeOf;
#define CSM_OF(T, NAME) \
  template <> struct TypeOf<c10::ScalarType::NAME> { using type = T; };
CSM_SCALAR_TYPES(CSM_OF)
#undef CSM_OF
}  // namespace csm
#define AT_DISPATCH_CASE(ENUM, ...) AT_PRIVATE_CASE(ENUM, typename ::csm::TypeOf<ENUM>::type, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...) CSM_DISPATCH(TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) \
  AT_PRIVATE_CASE(::c10::ScalarType::Double, double, __VA_ARGS__) AT_PRIVATE_CASE(::c10::ScalarType::Float, float, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...) \
  AT_PRIVATE_CASE(::c10::ScalarType::Byte, uint8_t, __VA_ARGS__) AT_PRIVATE_CASE(::c10::ScalarType::Char, int8_t, __VA_ARGS__) \
  AT_PRIVATE_CASE(::c10::ScalarType::Int, int, __VA_ARGS__) AT_PRIVATE_CASE(::c10::ScalarType::Long, int64_t, __VA_ARGS__) \
  AT_PRIVATE_CASE(::c10::ScalarType::Short, int16_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...) AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) CSM_DISPATCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) CSM_DISPATCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) CSM_DISPATCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  CSM_DISPATCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(::c10::ScalarType::Half, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(A, TYPE, NAME, ...) \
  CSM_DISPATCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, TYPE, NAME, ...) \
  CSM_DISPATCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE(B, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(A, TYPE, NAME, ...) \
  CSM_DISPATCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, TYPE, NAME, ...) \
  CSM_DISPATCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE(B, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(A, B, C, TYPE, NAME, ...) \
  CSM_DISPATCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE(B, __VA_ARGS__) AT_DISPATCH_CASE(C, __VA_ARGS__))
