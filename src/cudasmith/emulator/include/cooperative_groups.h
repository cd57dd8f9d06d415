// Cooperative groups of one block: thread blocks, warp tiles and their collectives. No grid-wide groups.
#pragma once
#include <cudasmith/prelude.h>

namespace cooperative_groups {

class thread_block {
 public:
  void sync(CUDASMITH_HERE) const { ::cudasmith::block_barrier(false, line); }
  unsigned thread_rank() const { return ::cudasmith::linear_thread(); }
  unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  unsigned num_threads() const { return size(); }
  dim3 group_index() const { return blockIdx; }
  dim3 thread_index() const { return threadIdx; }
  dim3 group_dim() const { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

// `Size` consecutive lanes of a warp.
template <unsigned Size>
class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has a power of two of at most 32 lanes");

 public:
  unsigned thread_rank() const { return static_cast<unsigned>(::cudasmith::lane()) % Size; }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  unsigned meta_group_rank() const { return ::cudasmith::linear_thread() / Size; }
  unsigned meta_group_size() const { return (this_thread_block().size() + Size - 1) / Size; }
  void sync(CUDASMITH_HERE) const { __syncwarp(mask(), line); }
  template <class T>
  T shfl(T v, int source, CUDASMITH_HERE) const { return __shfl_sync(mask(), v, source, Size, line); }
  template <class T>
  T shfl_up(T v, unsigned delta, CUDASMITH_HERE) const { return __shfl_up_sync(mask(), v, delta, Size, line); }
  template <class T>
  T shfl_down(T v, unsigned delta, CUDASMITH_HERE) const { return __shfl_down_sync(mask(), v, delta, Size, line); }
  template <class T>
  T shfl_xor(T v, int lanes, CUDASMITH_HERE) const { return __shfl_xor_sync(mask(), v, lanes, Size, line); }
  unsigned ballot(int p, CUDASMITH_HERE) const { return __ballot_sync(mask(), p, line) >> shift(); }
  bool any(int p, CUDASMITH_HERE) const { return ballot(p, line) != 0; }
  bool all(int p, CUDASMITH_HERE) const { return ballot(p == 0, line) == 0; }

 private:
  static unsigned shift() { return static_cast<unsigned>(::cudasmith::lane()) / Size * Size; }
  static unsigned mask() { return (Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1) << shift(); }
};

template <unsigned Size, class Parent>
thread_block_tile<Size> tiled_partition(const Parent&) { return {}; }
template <class Group>
void sync(const Group& group, CUDASMITH_HERE) { group.sync(line); }

template <class T>
struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T>
struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T>
struct less { T operator()(T a, T b) const { return b < a ? b : a; } };

template <unsigned Size, class T, class Op>
T reduce(const thread_block_tile<Size>& tile, T v, Op op, CUDASMITH_HERE) {
  for (unsigned offset = Size / 2; offset > 0; offset /= 2) v = op(v, tile.shfl_xor(v, static_cast<int>(offset), line));
  return v;
}

}  // namespace cooperative_groups
