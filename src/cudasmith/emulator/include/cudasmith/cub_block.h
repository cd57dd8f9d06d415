// cub::BlockReduce and cub::BlockScan: warps exchange registers, their totals meet in the user's TempStorage. As in cub,
// nothing waits after the last read of it.
#pragma once
#include "cub_warp.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;
  struct Totals { T of_warp[warps]; };

 public:
  struct TempStorage : ::cudasmith::Unconstructed<Totals> {};
  BlockReduce() : totals_(::cudasmith::private_storage<TempStorage>().object()) {}
  explicit BlockReduce(TempStorage& storage) : totals_(storage.object()) {}

  // Thread 0 has the result, the others nothing.
  template <class Op>
  T Reduce(T v, Op op, int valid, CUDASMITH_CALLED) {
    // A row may be shorter than the widest block that the kernel was compiled for, if all warps with items are there.
    const bool is_part = Y * Z == 1 && blockDim.y * blockDim.z == 1 && blockDim.x <= X && valid <= static_cast<int>(blockDim.x);
    if (!is_part) ::cudasmith::check_block("cub::BlockReduce", X, Y, Z, at.line);
    const int self = static_cast<int>(::cudasmith::linear_thread()), warp = self / 32, left = valid - warp * 32;
    v = ::cudasmith::reduce_warp(0xffffffffu, v, op, left < 32 ? left : 32, at.line);
    if (self % 32 == 0) totals_.of_warp[warp] = v;
    ::cudasmith::block_barrier(false, at.line);
    if (self == 0)
      for (int w = 1; w < warps && w * 32 < valid; ++w) v = op(v, totals_.of_warp[w]);
    else
      ::cudasmith::make_undefined(v);
    return v;
  }
  template <class Op>
  T Reduce(T v, Op op, CUDASMITH_CALLED) { return Reduce(v, op, threads, at); }
  template <int N, class Op>
  T Reduce(T (&v)[N], Op op, CUDASMITH_CALLED) { return Reduce(ThreadReduce(v, op), op, threads, at); }
  T Sum(T v, CUDASMITH_CALLED) { return Reduce(v, ::cub::Sum(), threads, at); }
  T Sum(T v, int valid, CUDASMITH_CALLED) { return Reduce(v, ::cub::Sum(), valid, at); }
  template <int N>
  T Sum(T (&v)[N], CUDASMITH_CALLED) { return Reduce(v, ::cub::Sum(), at); }

 private:
  Totals& totals_;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;
  struct Totals { T of_warp[warps], before; };
  struct Scanned { T inclusive, exclusive, total; };

  static int self() { return static_cast<int>(::cudasmith::linear_thread()); }

  // `initial`: null for none, and then thread 0 has no exclusive result.
  template <class Op>
  Scanned scan(T v, Op& op, const T* initial, int line) {
    ::cudasmith::check_block("cub::BlockScan", X, Y, Z, line);
    const int warp = self() / 32, lane = self() % 32;
    const auto in_warp = ::cudasmith::scan_warp(0xffffffffu, v, op, line);
    if (lane == 31 || self() == threads - 1) totals_.of_warp[warp] = in_warp.inclusive;
    ::cudasmith::block_barrier(false, line);
    Scanned s{in_warp.inclusive, in_warp.exclusive, totals_.of_warp[0]};
    T before = s.total;  // of the warps before
    for (int w = 1; w < warps; ++w) {
      if (w == warp) before = s.total;
      s.total = op(s.total, totals_.of_warp[w]);
    }
    if (warp > 0) s.inclusive = op(before, s.inclusive);
    if (initial != nullptr) before = warp > 0 ? op(*initial, before) : *initial;
    if (warp > 0 || initial != nullptr) s.exclusive = lane == 0 ? before : op(before, in_warp.exclusive);
    else if (lane == 0) ::cudasmith::make_undefined(s.exclusive);
    return s;
  }
  // The first warp asks for what comes before the block; its first lane's answer counts.
  template <class Callback>
  T before_block(const T& total, Callback& callback, int line) {
    if (self() < 32) {
      T before = callback(total);
      if (self() == 0) totals_.before = before;
    }
    ::cudasmith::block_barrier(false, line);
    return totals_.before;
  }
  template <class Op>
  static void scan_items(const T* in, T* out, int n, T running, Op& op) {  // exclusive, from `running`
    for (int i = 0; i < n; ++i) {
      const T next = op(running, in[i]);
      out[i] = running;
      running = next;
    }
  }
  template <class Op>
  static void scan_inclusive(const T* in, T* out, int n, T running, Op& op) {
    for (int i = 0; i < n; ++i) out[i] = running = op(running, in[i]);
  }
  template <class Op>
  static void first_inclusive(const T* in, T* out, int n, Op& op) {
    out[0] = in[0];
    if (n > 1) scan_inclusive(in + 1, out + 1, n - 1, in[0], op);
  }
  template <class Op>
  static void first_exclusive(const T* in, T* out, int n, Op& op) {
    const T first = in[0];
    if (n > 1) scan_items(in + 1, out + 1, n - 1, first, op);
    ::cudasmith::make_undefined(out[0]);
  }

 public:
  struct TempStorage : ::cudasmith::Unconstructed<Totals> {};
  BlockScan() : totals_(::cudasmith::private_storage<TempStorage>().object()) {}
  explicit BlockScan(TempStorage& storage) : totals_(storage.object()) {}

  template <class Op>
  void ExclusiveScan(T v, T& out, T initial, Op op, CUDASMITH_CALLED) { out = scan(v, op, &initial, at.line).exclusive; }
  template <class Op>
  void ExclusiveScan(T v, T& out, T initial, Op op, T& total, CUDASMITH_CALLED) {
    const Scanned s = scan(v, op, &initial, at.line);
    out = s.exclusive, total = s.total;
  }
  template <class Op>
  void ExclusiveScan(T v, T& out, Op op, CUDASMITH_CALLED) { out = scan(v, op, nullptr, at.line).exclusive; }
  template <class Op>
  void ExclusiveScan(T v, T& out, Op op, T& total, CUDASMITH_CALLED) {
    const Scanned s = scan(v, op, nullptr, at.line);
    out = s.exclusive, total = s.total;
  }
  template <class Op, class Callback>
  void ExclusiveScan(T v, T& out, Op op, Callback& callback, CUDASMITH_CALLED) {
    const Scanned s = scan(v, op, nullptr, at.line);
    const T before = before_block(s.total, callback, at.line);
    out = self() == 0 ? before : op(before, s.exclusive);
  }
  template <class Op>
  void InclusiveScan(T v, T& out, Op op, CUDASMITH_CALLED) { out = scan(v, op, nullptr, at.line).inclusive; }
  template <class Op>
  void InclusiveScan(T v, T& out, Op op, T& total, CUDASMITH_CALLED) {
    const Scanned s = scan(v, op, nullptr, at.line);
    out = s.inclusive, total = s.total;
  }
  template <class Op, class Callback>
  void InclusiveScan(T v, T& out, Op op, Callback& callback, CUDASMITH_CALLED) {
    const Scanned s = scan(v, op, nullptr, at.line);
    out = op(before_block(s.total, callback, at.line), s.inclusive);
  }

  // Several items of each thread: their reductions are scanned, then each thread's items.
  template <int N, class Op>
  void ExclusiveScan(T (&v)[N], T (&out)[N], T initial, Op op, CUDASMITH_CALLED) {
    scan_items(v, out, N, scan(ThreadReduce(v, op), op, &initial, at.line).exclusive, op);
  }
  template <int N, class Op>
  void ExclusiveScan(T (&v)[N], T (&out)[N], T initial, Op op, T& total, CUDASMITH_CALLED) {
    const Scanned s = scan(ThreadReduce(v, op), op, &initial, at.line);
    scan_items(v, out, N, s.exclusive, op), total = s.total;
  }
  template <int N, class Op>
  void ExclusiveScan(T (&v)[N], T (&out)[N], Op op, T& total, CUDASMITH_CALLED) {
    const Scanned s = scan(ThreadReduce(v, op), op, nullptr, at.line);
    self() == 0 ? first_exclusive(v, out, N, op) : scan_items(v, out, N, s.exclusive, op);
    total = s.total;
  }
  template <int N, class Op>
  void ExclusiveScan(T (&v)[N], T (&out)[N], Op op, CUDASMITH_CALLED) {
    T total = v[0];
    ExclusiveScan(v, out, op, total, at);
  }
  template <int N, class Op, class Callback>
  void ExclusiveScan(T (&v)[N], T (&out)[N], Op op, Callback& callback, CUDASMITH_CALLED) {
    T before = v[0];
    ExclusiveScan(ThreadReduce(v, op), before, op, callback, at);
    scan_items(v, out, N, before, op);
  }
  template <int N, class Op>
  void InclusiveScan(T (&v)[N], T (&out)[N], Op op, T& total, CUDASMITH_CALLED) {
    const Scanned s = scan(ThreadReduce(v, op), op, nullptr, at.line);
    self() == 0 ? first_inclusive(v, out, N, op) : scan_inclusive(v, out, N, s.exclusive, op);
    total = s.total;
  }
  template <int N, class Op>
  void InclusiveScan(T (&v)[N], T (&out)[N], Op op, CUDASMITH_CALLED) {
    T total = v[0];
    InclusiveScan(v, out, op, total, at);
  }
  template <int N, class Op>
  void InclusiveScan(T (&v)[N], T (&out)[N], T initial, Op op, CUDASMITH_CALLED) {
    scan_inclusive(v, out, N, scan(ThreadReduce(v, op), op, &initial, at.line).exclusive, op);
  }
  template <int N, class Op, class Callback>
  void InclusiveScan(T (&v)[N], T (&out)[N], Op op, Callback& callback, CUDASMITH_CALLED) {
    T before = v[0];
    ExclusiveScan(ThreadReduce(v, op), before, op, callback, at);
    scan_inclusive(v, out, N, before, op);
  }

  // Exclusive sums begin with zero.
  void ExclusiveSum(T v, T& out, CUDASMITH_CALLED) { ExclusiveScan(v, out, T(), ::cub::Sum(), at); }
  void ExclusiveSum(T v, T& out, T& total, CUDASMITH_CALLED) { ExclusiveScan(v, out, T(), ::cub::Sum(), total, at); }
  template <class Callback>
  void ExclusiveSum(T v, T& out, Callback& callback, CUDASMITH_CALLED) { ExclusiveScan(v, out, ::cub::Sum(), callback, at); }
  void InclusiveSum(T v, T& out, CUDASMITH_CALLED) { InclusiveScan(v, out, ::cub::Sum(), at); }
  void InclusiveSum(T v, T& out, T& total, CUDASMITH_CALLED) { InclusiveScan(v, out, ::cub::Sum(), total, at); }
  template <class Callback>
  void InclusiveSum(T v, T& out, Callback& callback, CUDASMITH_CALLED) { InclusiveScan(v, out, ::cub::Sum(), callback, at); }
  template <int N>
  void ExclusiveSum(T (&v)[N], T (&out)[N], CUDASMITH_CALLED) { ExclusiveScan(v, out, T(), ::cub::Sum(), at); }
  template <int N>
  void ExclusiveSum(T (&v)[N], T (&out)[N], T& total, CUDASMITH_CALLED) { ExclusiveScan(v, out, T(), ::cub::Sum(), total, at); }
  template <int N, class Callback>
  void ExclusiveSum(T (&v)[N], T (&out)[N], Callback& callback, CUDASMITH_CALLED) { ExclusiveScan(v, out, ::cub::Sum(), callback, at); }
  template <int N>
  void InclusiveSum(T (&v)[N], T (&out)[N], CUDASMITH_CALLED) { InclusiveScan(v, out, ::cub::Sum(), at); }
  template <int N>
  void InclusiveSum(T (&v)[N], T (&out)[N], T& total, CUDASMITH_CALLED) { InclusiveScan(v, out, ::cub::Sum(), total, at); }
  template <int N, class Callback>
  void InclusiveSum(T (&v)[N], T (&out)[N], Callback& callback, CUDASMITH_CALLED) { InclusiveScan(v, out, ::cub::Sum(), callback, at); }

 private:
  Totals& totals_;
};

}  // namespace cub
