// cub's algorithms of whole arrays: a first call with null tells the bytes of temporary storage, a second one does the
// work, as a kernel of one thread, so that what it accesses is checked as a kernel's.
#pragma once
#include "cub_ops.h"
#include "cub_radix.h"

namespace cudasmith {

constexpr std::size_t device_storage_bytes = 1023;  // any number would do; callers must use the one they are told

template <class Work>
cudaError_t device_wide(const char* name, void* storage, std::size_t& bytes, int line, Work work) {
  if (storage == nullptr) return bytes = device_storage_bytes, cudaSuccess;
  if (bytes < device_storage_bytes) return cudaErrorInvalidValue;
  auto body = [&] {
    std::memset(storage, 0, device_storage_bytes);
    work();
  };
  run_grid({name, line, dim3(1), dim3(1), 0, instrumented}, [](void* context) { (*static_cast<decltype(body)*>(context))(); }, &body);
  return cudaPeekAtLastError();
}

template <class It>
using value_at = std::decay_t<decltype(*std::declval<It>())>;
template <class Op, class A, class B>
using result_of = std::decay_t<decltype(std::declval<Op&>()(std::declval<A>(), std::declval<B>()))>;

// Halves, so that a long sum rounds as little as a GPU's tree does.
template <class Accumulator, class It, class N, class Op>
Accumulator reduce_range(It in, N begin, N end, Op& op) {
  if (end - begin > 32) {
    const N middle = begin + (end - begin) / 2;
    const Accumulator left = reduce_range<Accumulator>(in, begin, middle, op);
    return op(left, reduce_range<Accumulator>(in, middle, end, op));
  }
  Accumulator total = static_cast<Accumulator>(in[begin]);
  for (N i = begin + 1; i < end; ++i) total = op(total, in[i]);
  return total;
}
template <class It, class N, class Op, class Initial>
auto reduce_from(It in, N begin, N end, Op& op, Initial initial) {
  using Accumulator = result_of<Op, Initial, value_at<It>>;
  if (begin >= end) return static_cast<Accumulator>(initial);
  return static_cast<Accumulator>(op(static_cast<Accumulator>(initial), reduce_range<Accumulator>(in, begin, end, op)));
}

template <class T>
T lowest_of() {
  if constexpr (std::numeric_limits<T>::is_specialized) return std::numeric_limits<T>::lowest();
  else return T(-INFINITY);
}
template <class T>
T highest_of() {
  if constexpr (std::numeric_limits<T>::is_specialized) return std::numeric_limits<T>::max();
  else return T(INFINITY);
}
// The smaller index wins between equal values; of no items: 1 and the worst value, as cub has it.
template <class It, class N, class Op>
auto arg_reduce(It in, N begin, N end, Op op, value_at<It> worst) {
  cub::KeyValuePair<int, value_at<It>> best(1, worst);
  for (N i = begin; i < end; ++i) {
    const cub::KeyValuePair<int, value_at<It>> next(static_cast<int>(i - begin), in[i]);
    best = i == begin ? next : op(best, next);
  }
  return best;
}

}  // namespace cudasmith

#define CUDASMITH_STORAGE void *storage, std::size_t &bytes
#define CUDASMITH_STREAM cudaStream_t = nullptr, CUDASMITH_CALLED
#define CUDASMITH_DEVICE_WIDE(NAME, ...) ::cudasmith::device_wide("cub::" NAME, storage, bytes, at.line, [&] { __VA_ARGS__; })

namespace cub {

struct DeviceReduce {
  template <class In, class Out, class N, class Op, class T, class = std::enable_if_t<std::is_integral_v<N>>>
  static cudaError_t Reduce(CUDASMITH_STORAGE, In in, Out out, N n, Op op, T initial, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceReduce::Reduce", *out = ::cudasmith::reduce_from(in, N(0), n, op, initial));
  }
  template <class In, class Out, class N>
  static cudaError_t Sum(CUDASMITH_STORAGE, In in, Out out, N n, CUDASMITH_STREAM) {
    ::cub::Sum op;
    return CUDASMITH_DEVICE_WIDE("DeviceReduce::Sum", *out = ::cudasmith::reduce_from(in, N(0), n, op, ::cudasmith::value_at<Out>()));
  }
  template <class In, class Out, class N>
  static cudaError_t Max(CUDASMITH_STORAGE, In in, Out out, N n, CUDASMITH_STREAM) {
    ::cuda::maximum<> op;
    return CUDASMITH_DEVICE_WIDE("DeviceReduce::Max", *out = ::cudasmith::reduce_from(in, N(0), n, op, ::cudasmith::lowest_of<::cudasmith::value_at<In>>()));
  }
  template <class In, class Out, class N>
  static cudaError_t Min(CUDASMITH_STORAGE, In in, Out out, N n, CUDASMITH_STREAM) {
    ::cuda::minimum<> op;
    return CUDASMITH_DEVICE_WIDE("DeviceReduce::Min", *out = ::cudasmith::reduce_from(in, N(0), n, op, ::cudasmith::highest_of<::cudasmith::value_at<In>>()));
  }
  template <class In, class Out, class N>
  static cudaError_t ArgMax(CUDASMITH_STORAGE, In in, Out out, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceReduce::ArgMax", *out = ::cudasmith::arg_reduce(in, N(0), n, ::cub::ArgMax(), ::cudasmith::lowest_of<::cudasmith::value_at<In>>()));
  }
  template <class In, class Out, class N>
  static cudaError_t ArgMin(CUDASMITH_STORAGE, In in, Out out, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceReduce::ArgMin", *out = ::cudasmith::arg_reduce(in, N(0), n, ::cub::ArgMin(), ::cudasmith::highest_of<::cudasmith::value_at<In>>()));
  }
};

// Segment s is [begin[s], end[s]).
struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Op, class T>
  static cudaError_t Reduce(CUDASMITH_STORAGE, In in, Out out, std::int64_t segments, Begin begin, End end, Op op, T initial, CUDASMITH_STREAM) {
    return named("cub::DeviceSegmentedReduce::Reduce", storage, bytes, in, out, segments, begin, end, op, initial, at.line);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(CUDASMITH_STORAGE, In in, Out out, std::int64_t segments, Begin begin, End end, CUDASMITH_STREAM) {
    return named("cub::DeviceSegmentedReduce::Sum", storage, bytes, in, out, segments, begin, end, ::cub::Sum(), ::cudasmith::value_at<Out>(), at.line);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Max(CUDASMITH_STORAGE, In in, Out out, std::int64_t segments, Begin begin, End end, CUDASMITH_STREAM) {
    return named("cub::DeviceSegmentedReduce::Max", storage, bytes, in, out, segments, begin, end, ::cuda::maximum<>(), ::cudasmith::lowest_of<::cudasmith::value_at<In>>(), at.line);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Min(CUDASMITH_STORAGE, In in, Out out, std::int64_t segments, Begin begin, End end, CUDASMITH_STREAM) {
    return named("cub::DeviceSegmentedReduce::Min", storage, bytes, in, out, segments, begin, end, ::cuda::minimum<>(), ::cudasmith::highest_of<::cudasmith::value_at<In>>(), at.line);
  }

 private:
  template <class In, class Out, class Begin, class End, class Op, class T>
  static cudaError_t named(const char* name, CUDASMITH_STORAGE, In in, Out out, std::int64_t segments, Begin begin, End end, Op op, T initial, int line) {
    return ::cudasmith::device_wide(name, storage, bytes, line, [&] {
      for (std::int64_t s = 0; s < segments; ++s)
        out[s] = ::cudasmith::reduce_from(in, static_cast<std::int64_t>(begin[s]), static_cast<std::int64_t>(end[s]), op, initial);
    });
  }
};

struct DeviceScan {
  template <class In, class Out, class Op, class T, class N>
  static cudaError_t ExclusiveScan(CUDASMITH_STORAGE, In in, Out out, Op op, T initial, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceScan::ExclusiveScan", exclusive(in, out, op, initial, n));
  }
  template <class In, class Out, class Op, class N>
  static cudaError_t InclusiveScan(CUDASMITH_STORAGE, In in, Out out, Op op, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceScan::InclusiveScan", inclusive(in, out, op, n));
  }
  template <class In, class Out, class N, class = std::enable_if_t<std::is_integral_v<N>>>
  static cudaError_t ExclusiveSum(CUDASMITH_STORAGE, In in, Out out, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceScan::ExclusiveSum", exclusive(in, out, ::cub::Sum(), ::cudasmith::value_at<In>(), n));
  }
  template <class In, class Out, class N, class = std::enable_if_t<std::is_integral_v<N>>>
  static cudaError_t InclusiveSum(CUDASMITH_STORAGE, In in, Out out, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceScan::InclusiveSum", inclusive(in, out, ::cub::Sum(), n));
  }
  // In place.
  template <class It, class N, class = std::enable_if_t<std::is_integral_v<N>>>
  static cudaError_t ExclusiveSum(CUDASMITH_STORAGE, It data, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceScan::ExclusiveSum", exclusive(data, data, ::cub::Sum(), ::cudasmith::value_at<It>(), n));
  }
  template <class It, class N, class = std::enable_if_t<std::is_integral_v<N>>>
  static cudaError_t InclusiveSum(CUDASMITH_STORAGE, It data, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceScan::InclusiveSum", inclusive(data, data, ::cub::Sum(), n));
  }

 private:
  template <class In, class Out, class Op, class T, class N>
  static void exclusive(In in, Out out, Op op, T initial, N n) {
    using Accumulator = ::cudasmith::result_of<Op, T, ::cudasmith::value_at<In>>;
    Accumulator running = static_cast<Accumulator>(initial);
    for (N i = 0; i < n; ++i) {
      const Accumulator next = op(running, in[i]);
      out[i] = running;
      running = next;
    }
  }
  template <class In, class Out, class Op, class N>
  static void inclusive(In in, Out out, Op op, N n) {
    using T = ::cudasmith::value_at<In>;
    using Accumulator = ::cudasmith::result_of<Op, T, T>;
    if (n <= 0) return;
    Accumulator running = static_cast<Accumulator>(in[0]);
    out[0] = running;
    for (N i = 1; i < n; ++i) out[i] = running = op(running, in[i]);
  }
};

// Two buffers of which cub says which holds the result: here always the other one.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  DoubleBuffer() : d_buffers{nullptr, nullptr} {}
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

}  // namespace cub

namespace cudasmith {
template <class T>
void take_in_order(const T* from, T* to, const Scratch<Ranked>& order, std::size_t n) {
  Scratch<T> taken(n);
  for (std::size_t i = 0; i < n; ++i) taken[i] = from[order[i].from];
  for (std::size_t i = 0; i < n; ++i) to[i] = taken[i];
}
// Sorts [begin, end) of the keys, and of the values where there are any.
template <class Key, class Value>
void sort_range(const Key* keys, Key* keys_out, const Value* values, Value* values_out, std::int64_t begin, std::int64_t end,
                int first_bit, int last_bit, bool descending) {
  if (end <= begin) return;
  const std::size_t n = static_cast<std::size_t>(end - begin);
  Scratch<Ranked> order(n);
  sort_places(keys + begin, n, first_bit, last_bit, descending, order);
  take_in_order(keys + begin, keys_out + begin, order, n);
  if constexpr (!std::is_same_v<Value, cub::NullType>) take_in_order(values + begin, values_out + begin, order, n);
}
}  // namespace cudasmith

#define CUDASMITH_BITS int first_bit = 0, int last_bit = sizeof(K) * 8, CUDASMITH_STREAM
namespace cub {
struct DeviceRadixSort {
#define CUDASMITH_SORT(KEYS, PAIRS, DESCENDING) \
  template <class K, class N> \
  static cudaError_t KEYS(CUDASMITH_STORAGE, const K* in, K* out, N n, CUDASMITH_BITS) { \
    const NullType* none = nullptr; \
    return CUDASMITH_DEVICE_WIDE("DeviceRadixSort::" #KEYS, ::cudasmith::sort_range(in, out, none, const_cast<NullType*>(none), 0, n, first_bit, last_bit, DESCENDING)); \
  } \
  template <class K, class N> \
  static cudaError_t KEYS(CUDASMITH_STORAGE, DoubleBuffer<K>& keys, N n, CUDASMITH_BITS) { \
    const cudaError_t e = KEYS(storage, bytes, keys.Current(), keys.Alternate(), n, first_bit, last_bit, nullptr, at); \
    return storage != nullptr && e == cudaSuccess ? keys.selector ^= 1, e : e; \
  } \
  template <class K, class V, class N> \
  static cudaError_t PAIRS(CUDASMITH_STORAGE, const K* in, K* out, const V* values, V* values_out, N n, CUDASMITH_BITS) { \
    return CUDASMITH_DEVICE_WIDE("DeviceRadixSort::" #PAIRS, ::cudasmith::sort_range(in, out, values, values_out, 0, n, first_bit, last_bit, DESCENDING)); \
  } \
  template <class K, class V, class N> \
  static cudaError_t PAIRS(CUDASMITH_STORAGE, DoubleBuffer<K>& keys, DoubleBuffer<V>& values, N n, CUDASMITH_BITS) { \
    const cudaError_t e = PAIRS(storage, bytes, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), n, first_bit, last_bit, nullptr, at); \
    return storage != nullptr && e == cudaSuccess ? keys.selector ^= 1, values.selector ^= 1, e : e; \
  }
  CUDASMITH_SORT(SortKeys, SortPairs, false)
  CUDASMITH_SORT(SortKeysDescending, SortPairsDescending, true)
#undef CUDASMITH_SORT
};

struct DeviceSegmentedRadixSort {
#define CUDASMITH_SORT(KEYS, PAIRS, DESCENDING) \
  template <class K, class Begin, class End> \
  static cudaError_t KEYS(CUDASMITH_STORAGE, const K* in, K* out, std::int64_t, std::int64_t segments, Begin begin, End end, CUDASMITH_BITS) { \
    const NullType* none = nullptr; \
    return CUDASMITH_DEVICE_WIDE("DeviceSegmentedRadixSort::" #KEYS, for (std::int64_t s = 0; s < segments; ++s) \
        ::cudasmith::sort_range(in, out, none, const_cast<NullType*>(none), begin[s], end[s], first_bit, last_bit, DESCENDING)); \
  } \
  template <class K, class V, class Begin, class End> \
  static cudaError_t PAIRS(CUDASMITH_STORAGE, const K* in, K* out, const V* values, V* values_out, std::int64_t, std::int64_t segments, Begin begin, End end, CUDASMITH_BITS) { \
    return CUDASMITH_DEVICE_WIDE("DeviceSegmentedRadixSort::" #PAIRS, for (std::int64_t s = 0; s < segments; ++s) \
        ::cudasmith::sort_range(in, out, values, values_out, begin[s], end[s], first_bit, last_bit, DESCENDING)); \
  }
  CUDASMITH_SORT(SortKeys, SortPairs, false)
  CUDASMITH_SORT(SortKeysDescending, SortPairsDescending, true)
#undef CUDASMITH_SORT
};
#undef CUDASMITH_BITS

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count, class N>
  static cudaError_t Flagged(CUDASMITH_STORAGE, In in, Flags flags, Out out, Count count, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceSelect::Flagged", select(in, out, count, n, [&](N i) { return static_cast<bool>(flags[i]); }));
  }
  template <class In, class Out, class Count, class N, class Op>
  static cudaError_t If(CUDASMITH_STORAGE, In in, Out out, Count count, N n, Op op, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceSelect::If", select(in, out, count, n, [&](N i) { return static_cast<bool>(op(in[i])); }));
  }
  template <class In, class Out, class Count, class N>
  static cudaError_t Unique(CUDASMITH_STORAGE, In in, Out out, Count count, N n, CUDASMITH_STREAM) {
    return CUDASMITH_DEVICE_WIDE("DeviceSelect::Unique", select(in, out, count, n, [&](N i) { return i == 0 || !(in[i] == in[i - 1]); }));
  }

 private:
  template <class In, class Out, class Count, class N, class Take>
  static void select(In in, Out out, Count count, N n, Take take) {
    N taken = 0;
    for (N i = 0; i < n; ++i)
      if (take(i)) out[taken++] = in[i];
    *count = static_cast<::cudasmith::value_at<Count>>(taken);
  }
};

}  // namespace cub
#undef CUDASMITH_STORAGE
#undef CUDASMITH_STREAM
#undef CUDASMITH_DEVICE_WIDE
