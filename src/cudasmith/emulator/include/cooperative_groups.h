// Cooperative groups of one block: blocks, tiles, coalesced groups and their collectives. A grid meets only when it is
// one block.
#pragma once
#include <cudasmith/prelude.h>

namespace cooperative_groups {

class thread_block {
 public:
  static void sync(CUDASMITH_HERE) { ::cudasmith::block_barrier(false, line); }
  static unsigned thread_rank() { return ::cudasmith::linear_thread(); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  static bool is_valid() { return true; }
  static void sync(CUDASMITH_HERE) {
    if (num_blocks() != 1) ::cudasmith::device_fault("EM901", "grid.sync() of several blocks is not emulated (line " + std::to_string(line) + ")");
    ::cudasmith::block_barrier(false, line);
  }
  static unsigned long long num_blocks() { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
  static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned long long size() { return num_threads(); }
  static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

// Lanes of one warp, named by a mask; ranks count its bits.
class lanes_group {
 public:
  explicit lanes_group(unsigned mask) : mask_(mask) {}
  unsigned thread_rank() const { return static_cast<unsigned>(__builtin_popcount(mask_ & ((1u << ::cudasmith::lane()) - 1))); }
  unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
  unsigned num_threads() const { return size(); }
  void sync(CUDASMITH_HERE) const { __syncwarp(mask_, line); }
  template <class T>
  T shfl(T v, int source, CUDASMITH_HERE) const {
    return from(v, static_cast<unsigned>(source) % size(), line);
  }
  template <class T>
  T shfl_up(T v, unsigned delta, CUDASMITH_HERE) const {
    return from(v, delta > thread_rank() ? thread_rank() : thread_rank() - delta, line);
  }
  template <class T>
  T shfl_down(T v, unsigned delta, CUDASMITH_HERE) const {
    return from(v, thread_rank() + delta >= size() ? thread_rank() : thread_rank() + delta, line);
  }
  int any(int p, CUDASMITH_HERE) const { return __any_sync(mask_, p, line); }
  int all(int p, CUDASMITH_HERE) const { return __all_sync(mask_, p, line); }
  unsigned ballot(int p, CUDASMITH_HERE) const { return packed(__ballot_sync(mask_, p, line)); }
  template <class T>
  unsigned match_any(T v, CUDASMITH_HERE) const { return packed(__match_any_sync(mask_, v, line)); }
  template <class T>
  unsigned match_all(T v, int& all, CUDASMITH_HERE) const { return packed(__match_all_sync(mask_, v, &all, line)); }
  unsigned mask() const { return mask_; }

 protected:
  template <class T>
  T from(T v, unsigned rank, int line) const {
    unsigned left = mask_;
    for (; rank > 0; --rank) left &= left - 1;
    return ::cudasmith::shuffle(mask_, v, __builtin_ctz(left), line);
  }
  unsigned packed(unsigned lanes) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((mask_ >> lane & 1u) == 0) continue;
      ranks |= (lanes >> lane & 1u) << rank++;
    }
    return ranks;
  }
  unsigned mask_;
};

class coalesced_group : public lanes_group {
 public:
  explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : lanes_group(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

 private:
  unsigned meta_rank_, meta_size_;
};
inline coalesced_group coalesced_threads(CUDASMITH_HERE) { return coalesced_group(::cudasmith::converged_lanes(line)); }

// `Size` consecutive lanes of a warp. Ranks in the parent: as the partition found them.
template <unsigned Size, class Parent = void>
class thread_block_tile : public lanes_group {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "the emulator has tiles of a power of two of at most 32 threads");

 public:
  thread_block_tile(unsigned meta_rank, unsigned meta_size) : lanes_group(tile_mask()), meta_rank_(meta_rank), meta_size_(meta_size) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& o) : thread_block_tile(o.meta_group_rank(), o.meta_group_size()) {}
  unsigned thread_rank() const { return static_cast<unsigned>(::cudasmith::lane()) % Size; }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }
  template <class T>
  T shfl(T v, int source, CUDASMITH_HERE) const { return ::cudasmith::shuffle(mask_, v, ::cudasmith::source_at(source, Size), line); }
  template <class T>
  T shfl_up(T v, unsigned delta, CUDASMITH_HERE) const { return ::cudasmith::shuffle(mask_, v, ::cudasmith::source_up(delta, Size), line); }
  template <class T>
  T shfl_down(T v, unsigned delta, CUDASMITH_HERE) const { return ::cudasmith::shuffle(mask_, v, ::cudasmith::source_down(delta, Size), line); }
  template <class T>
  T shfl_xor(T v, int lanes, CUDASMITH_HERE) const { return ::cudasmith::shuffle(mask_, v, ::cudasmith::source_xor(lanes, Size), line); }

 private:
  static unsigned tile_mask() {
    return (Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1) << (static_cast<unsigned>(::cudasmith::lane()) / Size * Size);
  }
  unsigned meta_rank_, meta_size_;
};

// The base of old code: any group, asked for its rank, its size and a barrier.
class thread_group {
 public:
  thread_group(thread_block) : block_(true), mask_(0) {}
  thread_group(const lanes_group& g) : block_(false), mask_(g.mask()) {}
  unsigned thread_rank() const { return block_ ? thread_block::thread_rank() : lanes_group(mask_).thread_rank(); }
  unsigned size() const { return block_ ? thread_block::size() : lanes_group(mask_).size(); }
  unsigned num_threads() const { return size(); }
  void sync(CUDASMITH_HERE) const { block_ ? thread_block::sync(line) : __syncwarp(mask_, line); }

 private:
  bool block_;
  unsigned mask_;
};

template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return {block.thread_rank() / Size, (block.size() + Size - 1) / Size};
}
template <unsigned Size, unsigned Outer, class P>
thread_block_tile<Size, thread_block_tile<Outer>> tiled_partition(const thread_block_tile<Outer, P>& tile) {
  static_assert(Size <= Outer, "a tile is cut into smaller ones");
  return {tile.thread_rank() / Size, Outer / Size};
}
inline thread_group tiled_partition(const thread_block&, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0) ::cudasmith::device_fault("EM202", "a tile has a power of two of at most 32 threads, not " + std::to_string(size));
  const unsigned first = static_cast<unsigned>(::cudasmith::lane()) / size * size;
  return lanes_group((size == 32 ? 0xffffffffu : (1u << size) - 1) << first);
}
template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label, CUDASMITH_HERE) {
  const unsigned mine = __match_any_sync(group.mask(), label, line);
  // The lowest lane of each part names it; its place among them is the part's rank.
  const bool leads = __builtin_ctz(mine) == ::cudasmith::lane();
  const unsigned leaders = __ballot_sync(group.mask(), leads, line), before = leaders & ((1u << __builtin_ctz(mine)) - 1);
  return coalesced_group(mine, static_cast<unsigned>(__builtin_popcount(before)), static_cast<unsigned>(__builtin_popcount(leaders)));
}
template <class Group>
coalesced_group binary_partition(const Group& group, bool p, CUDASMITH_HERE) {
  const unsigned with = __ballot_sync(group.mask(), p, line);
  return coalesced_group(p ? with : group.mask() & ~with, p, 2);
}
template <class Group>
void sync(const Group& group, CUDASMITH_HERE) { group.sync(line); }

template <class T = void>
struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T = void>
struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T = void>
struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T = void>
struct bit_and { T operator()(T a, T b) const { return a & b; } };
template <class T = void>
struct bit_or { T operator()(T a, T b) const { return a | b; } };
template <class T = void>
struct bit_xor { T operator()(T a, T b) const { return a ^ b; } };

namespace detail {
template <class T, class Op>
struct Brought {
  T value;
  Op* op;
};
// Halves the values until one is left, neighbours at a distance first, as shuffles would.
template <class T, class Op>
void reduce_lanes(void* const* brought, unsigned lanes) {
  using B = Brought<T, Op>;
  B* all[32];
  unsigned n = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1u) all[n++] = static_cast<B*>(brought[lane]);
  T values[32];
  for (unsigned i = 0; i < n; ++i) values[i] = all[i]->value;
  for (unsigned left = n; left > 1; left = (left + 1) / 2)
    for (unsigned i = 0; i < left / 2; ++i) values[i] = (*all[0]->op)(values[i], values[i + (left + 1) / 2]);
  for (unsigned i = 0; i < n; ++i) all[i]->value = values[0];
}
template <class T, class Op>
void scan_lanes(void* const* brought, unsigned lanes) {
  using B = Brought<T, Op>;
  B* before = nullptr;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    B* b = static_cast<B*>(brought[lane]);
    if (before != nullptr) b->value = (*b->op)(before->value, b->value);
    before = b;
  }
}
}  // namespace detail

template <class Group, class T, class Op>
T reduce(const Group& group, T v, Op op, CUDASMITH_HERE) {
  detail::Brought<T, Op> mine{v, &op};
  ::cudasmith::warp_together(group.mask(), detail::reduce_lanes<T, Op>, &mine, line);
  return mine.value;
}
template <class Group, class T, class Op>
T inclusive_scan(const Group& group, T v, Op op, CUDASMITH_HERE) {
  detail::Brought<T, Op> mine{v, &op};
  ::cudasmith::warp_together(group.mask(), detail::scan_lanes<T, Op>, &mine, line);
  return mine.value;
}
template <class Group, class T>
T inclusive_scan(const Group& group, T v, CUDASMITH_HERE) { return inclusive_scan(group, v, plus<T>(), line); }
// The first thread's result is the value-initialised T for plus, as CUDA has it.
template <class Group, class T, class Op>
T exclusive_scan(const Group& group, T v, Op op, CUDASMITH_HERE) {
  const T up = group.shfl_up(inclusive_scan(group, v, op, line), 1, line);
  return group.thread_rank() == 0 ? T() : up;
}
template <class Group, class T>
T exclusive_scan(const Group& group, T v, CUDASMITH_HERE) { return exclusive_scan(group, v, plus<T>(), line); }

// One thread of the group calls f; all get what it returned.
template <class Group, class F>
auto invoke_one_broadcast(const Group& group, F f, CUDASMITH_HERE) {
  decltype(f()) v{};
  if (group.thread_rank() == 0) v = f();
  return group.shfl(v, 0, line);
}
template <class Group, class F>
void invoke_one(const Group& group, F f) {
  if (group.thread_rank() == 0) f();
}

}  // namespace cooperative_groups
