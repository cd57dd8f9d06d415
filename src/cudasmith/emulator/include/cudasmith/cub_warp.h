// cub's collectives of one warp, and the parts of which blocks make theirs. A result that cub defines for one lane only
// is undefined in the others.
#pragma once
#include "cub_ops.h"

namespace cudasmith {

template <class T, class Op>
struct LaneReduction {
  T value;
  Op* op;
  int valid;  // lanes with an item
};
// Halves the distance of shuffles down, as cub does: sums round alike.
template <class T, class Op>
void reduce_down(void* const* brought, unsigned lanes) {
  using R = LaneReduction<T, Op>;
  const int first = __builtin_ctz(lanes);
  const auto lane = [&](int i) { return first + i < 32 ? static_cast<R*>(brought[first + i]) : nullptr; };
  const int valid = lane(0)->valid;
  for (int distance = 1; distance < valid; distance *= 2)
    for (int i = 0; i + distance < valid; i += 2 * distance)
      if (lane(i) != nullptr && lane(i + distance) != nullptr) lane(i)->value = (*lane(i)->op)(lane(i)->value, lane(i + distance)->value);
}
// The first lane of the mask gets the reduction of the first `valid` lanes.
template <class T, class Op>
T reduce_warp(unsigned mask, T v, Op& op, int valid, int line) {
  LaneReduction<T, Op> mine{v, &op, valid};
  warp_together(mask, reduce_down<T, Op>, &mine, line);
  return mine.value;
}

template <class T, class Op>
struct LaneScan {
  T inclusive, exclusive, total;
  Op* op;
};
template <class T, class Op>
void scan_up(void* const* brought, unsigned lanes) {
  using S = LaneScan<T, Op>;
  S* all[32];
  int n = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1u) all[n++] = static_cast<S*>(brought[lane]);
  for (int distance = 1; distance < n; distance *= 2)
    for (int i = n - 1; i >= distance; --i) all[i]->inclusive = (*all[i]->op)(all[i - distance]->inclusive, all[i]->inclusive);
  for (int i = 0; i < n; ++i) {
    if (i > 0) all[i]->exclusive = all[i - 1]->inclusive;
    all[i]->total = all[n - 1]->inclusive;
  }
}
template <class T, class Op>
LaneScan<T, Op> scan_warp(unsigned mask, T v, Op& op, int line) {
  LaneScan<T, Op> mine{v, v, v, &op};
  warp_together(mask, scan_up<T, Op>, &mine, line);
  return mine;
}

template <int Lanes>
struct LogicalWarp {
  static_assert(Lanes >= 1 && Lanes <= 32, "a logical warp has at most 32 lanes");
  static int rank() { return lane() % Lanes; }
  static unsigned mask() {
    const unsigned ones = Lanes == 32 ? 0xffffffffu : (1u << (Lanes % 32)) - 1;
    return ones << (lane() / Lanes * Lanes);
  }
};

}  // namespace cudasmith

namespace cub {

template <class T, int Lanes = 32, int = 0>
class WarpReduce {
  using Warp = ::cudasmith::LogicalWarp<Lanes>;
  template <class Op>
  T in_first_lane(T v, Op op, int valid, int line) {
    v = ::cudasmith::reduce_warp(Warp::mask(), v, op, valid, line);
    if (Warp::rank() != 0) ::cudasmith::make_undefined(v);
    return v;
  }

 public:
  struct TempStorage : ::cudasmith::NoStorage {};
  explicit WarpReduce(TempStorage&) {}
  T Sum(T v, CUDASMITH_CALLED) { return in_first_lane(v, ::cub::Sum(), Lanes, at.line); }
  T Sum(T v, int valid, CUDASMITH_CALLED) { return in_first_lane(v, ::cub::Sum(), valid, at.line); }
  T Max(T v, CUDASMITH_CALLED) { return in_first_lane(v, ::cuda::maximum<>(), Lanes, at.line); }
  T Max(T v, int valid, CUDASMITH_CALLED) { return in_first_lane(v, ::cuda::maximum<>(), valid, at.line); }
  T Min(T v, CUDASMITH_CALLED) { return in_first_lane(v, ::cuda::minimum<>(), Lanes, at.line); }
  T Min(T v, int valid, CUDASMITH_CALLED) { return in_first_lane(v, ::cuda::minimum<>(), valid, at.line); }
  template <class Op>
  T Reduce(T v, Op op, CUDASMITH_CALLED) { return in_first_lane(v, op, Lanes, at.line); }
  template <class Op>
  T Reduce(T v, Op op, int valid, CUDASMITH_CALLED) { return in_first_lane(v, op, valid, at.line); }
};

template <class T, int Lanes = 32, int = 0>
class WarpScan {
  using Warp = ::cudasmith::LogicalWarp<Lanes>;

 public:
  struct TempStorage : ::cudasmith::NoStorage {};
  explicit WarpScan(TempStorage&) {}
  template <class Op>
  void InclusiveScan(T v, T& out, Op op, CUDASMITH_CALLED) { out = ::cudasmith::scan_warp(Warp::mask(), v, op, at.line).inclusive; }
  template <class Op>
  void InclusiveScan(T v, T& out, Op op, T& total, CUDASMITH_CALLED) {
    const auto scanned = ::cudasmith::scan_warp(Warp::mask(), v, op, at.line);
    out = scanned.inclusive, total = scanned.total;
  }
  template <class Op>
  void ExclusiveScan(T v, T& out, Op op, T& total, CUDASMITH_CALLED) {
    const auto scanned = ::cudasmith::scan_warp(Warp::mask(), v, op, at.line);
    out = scanned.exclusive, total = scanned.total;
    if (Warp::rank() == 0) ::cudasmith::make_undefined(out);
  }
  template <class Op>
  void ExclusiveScan(T v, T& out, Op op, CUDASMITH_CALLED) {
    T total = v;
    ExclusiveScan(v, out, op, total, at);
  }
  template <class Op>
  void ExclusiveScan(T v, T& out, T initial, Op op, T& total, CUDASMITH_CALLED) {
    const auto scanned = ::cudasmith::scan_warp(Warp::mask(), v, op, at.line);
    total = scanned.total;
    if (Warp::rank() == 0) out = initial;
    else out = op(initial, scanned.exclusive);
  }
  template <class Op>
  void ExclusiveScan(T v, T& out, T initial, Op op, CUDASMITH_CALLED) {
    T total = v;
    ExclusiveScan(v, out, initial, op, total, at);
  }
  void InclusiveSum(T v, T& out, CUDASMITH_CALLED) { InclusiveScan(v, out, ::cub::Sum(), at); }
  void InclusiveSum(T v, T& out, T& total, CUDASMITH_CALLED) { InclusiveScan(v, out, ::cub::Sum(), total, at); }
  void ExclusiveSum(T v, T& out, CUDASMITH_CALLED) { ExclusiveScan(v, out, T(), ::cub::Sum(), at); }
  void ExclusiveSum(T v, T& out, T& total, CUDASMITH_CALLED) { ExclusiveScan(v, out, T(), ::cub::Sum(), total, at); }
  template <class Op>
  void Scan(T v, T& inclusive, T& exclusive, Op op, CUDASMITH_CALLED) {
    const auto scanned = ::cudasmith::scan_warp(Warp::mask(), v, op, at.line);
    inclusive = scanned.inclusive, exclusive = scanned.exclusive;
    if (Warp::rank() == 0) ::cudasmith::make_undefined(exclusive);
  }
  void Sum(T v, T& inclusive, T& exclusive, CUDASMITH_CALLED) {
    Scan(v, inclusive, exclusive, ::cub::Sum(), at);
    if (Warp::rank() == 0) exclusive = T();
  }
  T Broadcast(T v, unsigned from, CUDASMITH_CALLED) {
    return ::cudasmith::shuffle(Warp::mask(), v, ::cudasmith::lane() / Lanes * Lanes + static_cast<int>(from), at.line);
  }
};

template <int Lanes = 32, class T>
T ShuffleUp(T v, int by, int first, unsigned mask, CUDASMITH_CALLED) {
  const int source = Lanes == 32 ? ::cudasmith::lane() - by : ::cudasmith::lane() % Lanes - by;
  return ::cudasmith::shuffle(mask, v, source < first ? ::cudasmith::lane() : ::cudasmith::lane() - by, at.line);
}
template <int Lanes = 32, class T>
T ShuffleDown(T v, int by, int last, unsigned mask, CUDASMITH_CALLED) {
  const int source = ::cudasmith::lane() % Lanes + by;
  return ::cudasmith::shuffle(mask, v, source > last ? ::cudasmith::lane() : ::cudasmith::lane() + by, at.line);
}
template <int Lanes = 32, class T>
T ShuffleIndex(T v, int from, unsigned mask, CUDASMITH_CALLED) {
  return ::cudasmith::shuffle(mask, v, ::cudasmith::source_at(from, Lanes), at.line);
}

}  // namespace cub
