// The order of cub's radix sorts: stable, by some bits of each key.
#pragma once
#include "cub_ops.h"
#include "device_scratch.h"

namespace cudasmith {

template <class Key>
constexpr bool is_small_float = std::is_same_v<Key, __half> || std::is_same_v<Key, __nv_bfloat16>;

// The key's bits, so that unsigned numbers compare as the keys do. Zeros of both signs are equal.
template <class Key>
std::uint64_t radix_bits(const Key& key) {
  static_assert((std::is_arithmetic_v<Key> && sizeof(Key) <= 8) || is_small_float<Key>, "the emulator does not have cub's radix sort by keys of this type");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &key, sizeof(Key));
  const std::uint64_t sign = std::uint64_t{1} << (sizeof(Key) * 8 - 1), all = sign | (sign - 1);
  if constexpr (std::is_floating_point_v<Key> || is_small_float<Key>) {
    if (bits == sign) bits = 0;
    return (bits & sign) != 0 ? ~bits & all : bits | sign;
  } else {
    return std::is_signed_v<Key> ? bits ^ sign : bits;
  }
}

struct Ranked {
  std::uint64_t bits;
  std::size_t from;  // where the key was
};

// The keys' places in sorted order, eight bits at a time.
template <class Keys>
void sort_places(Keys keys, std::size_t n, int begin, int end, bool descending, Scratch<Ranked>& sorted) {
  const std::uint64_t mask = end - begin >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - begin)) - 1;
  Scratch<Ranked> other(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t bits = radix_bits(keys[i]) >> begin & mask;
    sorted[i] = {descending ? ~bits & mask : bits, i};
  }
  for (int shift = 0; shift < end - begin; shift += 8) {
    std::size_t starts[257] = {};
    for (std::size_t i = 0; i < n; ++i) ++starts[(sorted[i].bits >> shift & 255) + 1];
    for (int d = 0; d < 256; ++d) starts[d + 1] += starts[d];
    for (std::size_t i = 0; i < n; ++i) other[starts[sorted[i].bits >> shift & 255]++] = sorted[i];
    sorted.swap(other);
  }
}

}  // namespace cudasmith
