// cuda::atomic, cuda::atomic_ref and their forms in cuda::std. One OS thread runs the grid, so plain accesses are atomic;
// every order but relaxed is a fence for checked mode.
#pragma once
#include <cudasmith/prelude.h>

#include "cuda_std.h"

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
namespace std {
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
}  // namespace std
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
}  // namespace cuda

namespace cudasmith {
inline void order_by(::std::memory_order order) {
  if (order != ::std::memory_order_relaxed) CUDASMITH_FENCE();
}
}  // namespace cudasmith

namespace cuda {
inline void atomic_thread_fence(::std::memory_order order, thread_scope = thread_scope_system) { ::cudasmith::order_by(order); }
}  // namespace cuda
namespace cuda::std {
inline void atomic_thread_fence(::std::memory_order order) { ::cuda::atomic_thread_fence(order); }
}  // namespace cuda::std

namespace cudasmith {

// Operations on the value at `p`.
template <class T>
class AtomicValue {
  static_assert(std::is_trivially_copyable_v<T>, "an atomic's type is trivially copyable");
  using Order = ::std::memory_order;
  static constexpr Order strict = ::std::memory_order_seq_cst;

  template <class New>
  T update(New change, Order order) const {
    order_by(order);
    T old;
    bool unchanged;
    {
      CUDASMITH_ATOMIC_ACCESS(p_);
      old = *p_;
      const T v = static_cast<T>(change(old));
      unchanged = same(old, v);
      *p_ = v;
    }
    if (unchanged) polled(p_, sizeof(T));  // as a lock that is taken
    return old;
  }
  static bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

 public:
  using value_type = T;
  explicit AtomicValue(T* p) : p_(p) {}
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;
  bool is_lock_free() const { return is_always_lock_free; }
  // A loop that waits for another thread's store ends only when that thread runs.
  T load(Order order = strict) const {
    yield_thread();
    polled(p_, sizeof(T));
    order_by(order);
    CUDASMITH_ATOMIC_ACCESS(p_);
    return *p_;
  }
  // Reads nothing: it may be the first to write.
  void store(T v, Order order = strict) const {
    order_by(order);
    CUDASMITH_ATOMIC_ACCESS(p_);
    *p_ = v;
  }
  T exchange(T v, Order order = strict) const { return update([&](T) { return v; }, order); }
  bool compare_exchange_strong(T& expected, T v, Order order = strict) const {
    const T wanted = expected;
    expected = update([&](T old) { return same(old, wanted) ? v : old; }, order);
    if (same(expected, wanted)) return true;
    yield_thread();
    return false;
  }
  bool compare_exchange_strong(T& expected, T v, Order order, Order) const { return compare_exchange_strong(expected, v, order); }
  bool compare_exchange_weak(T& expected, T v, Order order = strict) const { return compare_exchange_strong(expected, v, order); }
  bool compare_exchange_weak(T& expected, T v, Order order, Order) const { return compare_exchange_strong(expected, v, order); }
#define CUDASMITH_FETCH(NAME, NEW) \
  T NAME(T v, Order order = strict) const { return update([&](T old) { return NEW; }, order); }
  CUDASMITH_FETCH(fetch_min, v < old ? v : old)
  CUDASMITH_FETCH(fetch_max, old < v ? v : old)
  CUDASMITH_FETCH(fetch_and, old& v)
  CUDASMITH_FETCH(fetch_or, old | v)
  CUDASMITH_FETCH(fetch_xor, old ^ v)
#undef CUDASMITH_FETCH
  // Integers wrap.
  T fetch_add(T v, Order order = strict) const { return update([&](T old) { return sum(old, v); }, order); }
  T fetch_sub(T v, Order order = strict) const { return update([&](T old) { return difference(old, v); }, order); }
  T operator+=(T v) const { return sum(fetch_add(v), v); }
  T operator-=(T v) const { return difference(fetch_sub(v), v); }
  T operator&=(T v) const { return fetch_and(v) & v; }
  T operator|=(T v) const { return fetch_or(v) | v; }
  T operator^=(T v) const { return fetch_xor(v) ^ v; }
  T operator++() const { return sum(fetch_add(T(1)), T(1)); }
  T operator--() const { return difference(fetch_sub(T(1)), T(1)); }
  T operator++(int) const { return fetch_add(T(1)); }
  T operator--(int) const { return fetch_sub(T(1)); }
  operator T() const { return load(); }
  T operator=(T v) const { return store(v), v; }
  void wait(T old, Order order = strict) const {
    while (same(load(order), old)) {}
  }
  void notify_one() const {}
  void notify_all() const {}

 private:
  static T sum(T a, T b) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    else return a + b;
  }
  static T difference(T a, T b) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) - static_cast<std::make_unsigned_t<T>>(b));
    else return a - b;
  }
  T* p_;
};

// An atomic that holds its value, with the operations of one that refers to it.
template <class T>
class AtomicObject {
  AtomicValue<T> at() const { return AtomicValue<T>(const_cast<T*>(&value_)); }
  using Order = ::std::memory_order;
  static constexpr Order strict = ::std::memory_order_seq_cst;

 public:
  using value_type = T;
  AtomicObject() = default;
  constexpr AtomicObject(T v) : value_(v) {}
  AtomicObject(const AtomicObject&) = delete;
  AtomicObject& operator=(const AtomicObject&) = delete;
  static constexpr bool is_always_lock_free = AtomicValue<T>::is_always_lock_free;
  T load(Order order = strict) const { return at().load(order); }
  void store(T v, Order order = strict) { at().store(v, order); }
  T exchange(T v, Order order = strict) { return at().exchange(v, order); }
  bool compare_exchange_strong(T& e, T v, Order order = strict) { return at().compare_exchange_strong(e, v, order); }
  bool compare_exchange_weak(T& e, T v, Order order = strict) { return at().compare_exchange_strong(e, v, order); }
  bool compare_exchange_strong(T& e, T v, Order order, Order) { return at().compare_exchange_strong(e, v, order); }
  bool compare_exchange_weak(T& e, T v, Order order, Order) { return at().compare_exchange_strong(e, v, order); }
#define CUDASMITH_FETCH(NAME) \
  T NAME(T v, Order order = strict) { return at().NAME(v, order); }
  CUDASMITH_FETCH(fetch_add)
  CUDASMITH_FETCH(fetch_sub)
  CUDASMITH_FETCH(fetch_min)
  CUDASMITH_FETCH(fetch_max)
  CUDASMITH_FETCH(fetch_and)
  CUDASMITH_FETCH(fetch_or)
  CUDASMITH_FETCH(fetch_xor)
#undef CUDASMITH_FETCH
  T operator+=(T v) { return at() += v; }
  T operator-=(T v) { return at() -= v; }
  T operator&=(T v) { return at() &= v; }
  T operator|=(T v) { return at() |= v; }
  T operator^=(T v) { return at() ^= v; }
  T operator++() { return ++at(); }
  T operator--() { return --at(); }
  T operator++(int) { return at()++; }
  T operator--(int) { return at()--; }
  operator T() const { return load(); }
  T operator=(T v) { return store(v), v; }
  void wait(T old, Order order = strict) const { at().wait(old, order); }
  void notify_one() {}
  void notify_all() {}

 private:
  T value_;
};

}  // namespace cudasmith

namespace cuda {
template <class T, thread_scope = thread_scope_system>
struct atomic : ::cudasmith::AtomicObject<T> {
  using ::cudasmith::AtomicObject<T>::AtomicObject;
  using ::cudasmith::AtomicObject<T>::operator=;
};
template <class T, thread_scope = thread_scope_system>
struct atomic_ref : ::cudasmith::AtomicValue<T> {
  explicit atomic_ref(T& v) : ::cudasmith::AtomicValue<T>(&v) {}
  using ::cudasmith::AtomicValue<T>::operator=;
};
namespace std {
template <class T>
struct atomic : ::cuda::atomic<T> {
  using ::cuda::atomic<T>::atomic;
  using ::cuda::atomic<T>::operator=;
};
template <class T>
struct atomic_ref : ::cuda::atomic_ref<T> {
  using ::cuda::atomic_ref<T>::atomic_ref;
  using ::cuda::atomic_ref<T>::operator=;
};
}  // namespace std
}  // namespace cuda
