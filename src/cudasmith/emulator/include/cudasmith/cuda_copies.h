// Asynchronous copies of cooperative groups: each thread copies its share, which arrives when it waits.
#pragma once
#include <cooperative_groups.h>

namespace cuda {
template <std::size_t Alignment>
struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  std::size_t value;
  explicit aligned_size_t(std::size_t v) : value(v) {}
  operator std::size_t() const { return value; }
};
}  // namespace cuda

namespace cudasmith {
// Words of four bytes, as far as addresses and size allow; other bytes are copied at once, as on a GPU.
inline void copy_share(void* to, const void* from, std::size_t bytes, std::size_t rank, std::size_t threads) {
  auto* d = static_cast<unsigned char*>(to);
  const auto* s = static_cast<const unsigned char*>(from);
  const bool words = (reinterpret_cast<std::uintptr_t>(d) | reinterpret_cast<std::uintptr_t>(s)) % 4 == 0 && __isShared(to);
  const std::size_t whole = words ? bytes / 4 * 4 : 0;
  for (std::size_t i = rank * 4; i < whole; i += threads * 4) async_copy(d + i, s + i, 4, 4);
  for (std::size_t i = whole + rank; i < bytes; i += threads) d[i] = s[i];
}
}  // namespace cudasmith

namespace cooperative_groups {
template <class Group, class T>
void memcpy_async(const Group& group, T* to, const T* from, std::size_t bytes) {
  ::cudasmith::copy_share(to, from, bytes, group.thread_rank(), group.size());
  ::cudasmith::async_commit();
}
template <class Group, class T, class U, std::size_t A>
void memcpy_async(const Group& group, T* to, const U* from, const ::cuda::aligned_size_t<A>& bytes) {
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes.value) % A != 0)
    ::cudasmith::device_fault("EM106", "memcpy_async with aligned_size_t<" + std::to_string(A) + "> of addresses or a size that are no multiple of it");
  memcpy_async(group, static_cast<void*>(to), static_cast<const void*>(from), bytes.value);
}
// As many elements as both sides have.
template <class Group, class T, class U>
void memcpy_async(const Group& group, T* to, std::size_t to_count, const U* from, std::size_t from_count) {
  static_assert(sizeof(T) == sizeof(U), "memcpy_async of elements of one size");
  memcpy_async(group, static_cast<void*>(to), static_cast<const void*>(from), (to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <unsigned Left, class Group>
void wait_prior(const Group& group, CUDASMITH_HERE) {
  ::cudasmith::async_wait(Left);
  group.sync(line);
}
template <class Group>
void wait(const Group& group, CUDASMITH_HERE) { wait_prior<0>(group, line); }
}  // namespace cooperative_groups
