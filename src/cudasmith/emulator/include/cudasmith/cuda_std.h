// The standard library's names that libcu++ repeats for device code.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda::std {
#define CUDASMITH_STD(NAME) using ::std::NAME;
#define CUDASMITH_STD_NAMES(_) \
  _(numeric_limits) _(enable_if) _(enable_if_t) _(conditional) _(conditional_t) _(decay_t) _(remove_cv_t) _(remove_cvref_t) \
  _(remove_reference) _(remove_reference_t) _(is_same) _(is_same_v) _(is_integral) _(is_integral_v) _(is_floating_point) \
  _(is_floating_point_v) _(is_signed_v) _(is_unsigned_v) _(is_arithmetic_v) _(is_trivially_copyable_v) _(is_convertible_v) \
  _(is_pointer_v) _(is_void_v) _(integral_constant) _(true_type) _(false_type) _(make_unsigned_t) _(make_signed_t) \
  _(common_type_t) _(void_t) _(invoke_result_t) _(declval) _(move) _(forward) _(swap) _(pair) _(make_pair) _(exchange) \
  _(integer_sequence) _(index_sequence) _(make_index_sequence) _(index_sequence_for) _(array) _(tuple) _(make_tuple) _(get) _(tie) \
  _(apply) _(tuple_size_v) _(tuple_element_t) _(bit_cast) _(popcount) _(countl_zero) _(countr_zero) _(has_single_bit) _(bit_ceil) \
  _(initializer_list) _(size_t) _(ptrdiff_t) _(nullptr_t) _(int8_t) _(int16_t) _(int32_t) _(int64_t) _(uint8_t) _(uint16_t) \
  _(uint32_t) _(uint64_t) _(intptr_t) _(uintptr_t) _(abs) _(sqrt) _(exp) _(log) _(pow) _(sin) _(cos) _(tanh) _(floor) _(ceil) \
  _(isnan) _(isinf) _(isfinite) _(fmax) _(fmin) _(min) _(max)
CUDASMITH_STD_NAMES(CUDASMITH_STD)
#undef CUDASMITH_STD_NAMES
#undef CUDASMITH_STD
}  // namespace cuda::std
