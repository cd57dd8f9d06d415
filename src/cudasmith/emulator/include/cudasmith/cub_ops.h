// What all of cub uses: operators, storage, iterators, and where a collective is called.
#pragma once
#include <cudasmith/prelude.h>

#include "cuda_functional.h"
#include "device_scratch.h"

#define CubDebug(e) (e)
#define CubDebugExit(e) ((void)(e))
#define CUB_MIN(a, b) (((a) > (b)) ? (b) : (a))
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_VERSION 300000
#define CUDASMITH_CALLED ::cudasmith::Called at = {__builtin_LINE()}

namespace cudasmith {
// What cub calls undefined, as NaN or -1, so that its use shows.
template <class T>
void make_undefined(T& v) {
  if constexpr (std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>) std::memset(static_cast<void*>(&v), 0xFF, sizeof(T));
}

inline void check_block(const char* what, int x, int y, int z, int line) {
  const dim3 is = position.block_dim;
  if (is.x == static_cast<unsigned>(x) && is.y == static_cast<unsigned>(y) && is.z == static_cast<unsigned>(z)) return;
  const auto shape = [](unsigned a, unsigned b, unsigned c) { return std::to_string(a) + " x " + std::to_string(b) + " x " + std::to_string(c); };
  device_fault("EM206", std::string(what) + " of line " + std::to_string(line) + " is for blocks of " + shape(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)) +
                            " threads, and this block has " + shape(is.x, is.y, is.z));
}

// Memory for an S that nobody constructs, as a TempStorage is: it may lie in a union.
template <class S>
struct Unconstructed {
  alignas(S) unsigned char bytes[sizeof(S)];
  S& object() { return *reinterpret_cast<S*>(bytes); }
};
struct NoStorage {};

// The storage of a collective that was given none: of the block, one for each type of collective.
template <class Storage>
Storage& private_storage() {
  static SharedSlot slot{"cub's private storage"};
  return slot.get<Storage>();
}
}  // namespace cudasmith

namespace cub {

struct NullType {};
struct Sum {
  template <class A, class B>
  auto operator()(A&& a, B&& b) const -> decltype(std::forward<A>(a) + std::forward<B>(b)) { return std::forward<A>(a) + std::forward<B>(b); }
};
struct Difference {
  template <class A, class B>
  auto operator()(A&& a, B&& b) const -> decltype(std::forward<A>(a) - std::forward<B>(b)) { return std::forward<A>(a) - std::forward<B>(b); }
};
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;
using Equality = ::std::equal_to<>;
using Inequality = ::std::not_equal_to<>;

template <class K, class V>
struct KeyValuePair {
  using Key = K;
  using Value = V;
  K key;
  V value;
  KeyValuePair() = default;
  KeyValuePair(const K& k, const V& v) : key(k), value(v) {}
  bool operator!=(const KeyValuePair& o) const { return value != o.value || key != o.key; }
};
// The smaller key wins between equal values.
struct ArgMax {
  template <class V, class K>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class V, class K>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
template <class Op>
struct SwizzleScanOp {
  Op op;
  template <class T>
  T operator()(const T& a, const T& b) { return op(b, a); }
};

inline unsigned LaneId() { return static_cast<unsigned>(::cudasmith::lane()); }
inline unsigned WarpId() { return ::cudasmith::linear_thread() / 32; }
inline int RowMajorTid(int x, int y, int) { return static_cast<int>((threadIdx.z * static_cast<unsigned>(y) + threadIdx.y) * static_cast<unsigned>(x) + threadIdx.x); }

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M, class I>
auto ThreadLoad(I it) { return *it; }
template <CacheStoreModifier M, class I, class T>
void ThreadStore(I it, T v) { *it = v; }

template <class T, int N, class Op>
T ThreadReduce(const T (&v)[N], Op op) {
  T total = v[0];
  for (int i = 1; i < N; ++i) total = op(total, v[i]);
  return total;
}

// Iterators that compute what they read.
template <class Value, class Offset>
struct InputIteratorTypes {
  using value_type = Value;
  using difference_type = Offset;
  using reference = Value;
  using pointer = Value*;
  using iterator_category = std::random_access_iterator_tag;
};
template <class Value, class Conversion, class Input, class Offset = std::ptrdiff_t>
class TransformInputIterator : public InputIteratorTypes<Value, Offset> {
 public:
  TransformInputIterator(Input it, Conversion op) : it_(it), op_(op) {}
  Value operator*() const { return op_(*it_); }
  template <class N>
  Value operator[](N n) const { return op_(it_[n]); }
  template <class N>
  TransformInputIterator operator+(N n) const { return {it_ + n, op_}; }
  TransformInputIterator& operator++() { return ++it_, *this; }

 private:
  Input it_;
  Conversion op_;
};
template <class Value, class Offset = std::ptrdiff_t>
class CountingInputIterator : public InputIteratorTypes<Value, Offset> {
 public:
  explicit CountingInputIterator(Value v) : v_(v) {}
  Value operator*() const { return v_; }
  template <class N>
  Value operator[](N n) const { return v_ + static_cast<Value>(n); }
  template <class N>
  CountingInputIterator operator+(N n) const { return CountingInputIterator(v_ + static_cast<Value>(n)); }
  CountingInputIterator& operator++() { return ++v_, *this; }

 private:
  Value v_;
};
template <class Value, class Offset = std::ptrdiff_t>
class ConstantInputIterator : public InputIteratorTypes<Value, Offset> {
 public:
  explicit ConstantInputIterator(Value v) : v_(v) {}
  Value operator*() const { return v_; }
  template <class N>
  Value operator[](N) const { return v_; }
  template <class N>
  ConstantInputIterator operator+(N) const { return *this; }
  ConstantInputIterator& operator++() { return *this; }

 private:
  Value v_;
};

}  // namespace cub
