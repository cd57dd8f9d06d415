// cub's collectives that move a block's items: exchange, load, store, shuffle and sort. Items meet in the user's
// TempStorage; as in cub, nothing waits after the last read of it.
#pragma once
#include "cub_block.h"
#include "cub_radix.h"

namespace cub {

template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange {
  static constexpr int threads = X * Y * Z;
  struct Items { T of_block[threads * N]; };
  enum Order { blocked, striped, warp_striped };

  static int self() { return static_cast<int>(::cudasmith::linear_thread()); }
  static int place(Order order, int i) {
    if (order == blocked) return self() * N + i;
    if (order == striped) return i * threads + self();
    return self() / 32 * 32 * N + i * warp_size() + self() % 32;
  }
  static int warp_size() { return threads - self() / 32 * 32 < 32 ? threads % 32 : 32; }
  void meet(bool within_warp, int line) {
    if (within_warp) __syncwarp(0xffffffffu, line);
    else ::cudasmith::block_barrier(false, line);
  }
  template <class U>
  void move(const T (&in)[N], U (&out)[N], Order from, Order to, int line) {
    ::cudasmith::check_block("cub::BlockExchange", X, Y, Z, line);
    for (int i = 0; i < N; ++i) items_.of_block[place(from, i)] = in[i];
    meet(from == warp_striped || to == warp_striped, line);
    for (int i = 0; i < N; ++i) out[i] = items_.of_block[place(to, i)];
  }
  template <class U, class Rank>
  void scatter(const T (&in)[N], U (&out)[N], const Rank (&ranks)[N], Order to, int line) {
    ::cudasmith::check_block("cub::BlockExchange", X, Y, Z, line);
    for (int i = 0; i < N; ++i) items_.of_block[ranks[i]] = in[i];
    ::cudasmith::block_barrier(false, line);
    for (int i = 0; i < N; ++i) out[i] = items_.of_block[place(to, i)];
  }

 public:
  struct TempStorage : ::cudasmith::Unconstructed<Items> {};
  BlockExchange() : items_(::cudasmith::private_storage<TempStorage>().object()) {}
  explicit BlockExchange(TempStorage& storage) : items_(storage.object()) {}

#define CUDASMITH_EXCHANGE(NAME, FROM, TO) \
  template <class U> \
  void NAME(const T (&in)[N], U (&out)[N], CUDASMITH_CALLED) { move(in, out, FROM, TO, at.line); } \
  void NAME(T (&items)[N], CUDASMITH_CALLED) { move(items, items, FROM, TO, at.line); }
  CUDASMITH_EXCHANGE(BlockedToStriped, blocked, striped)
  CUDASMITH_EXCHANGE(StripedToBlocked, striped, blocked)
  CUDASMITH_EXCHANGE(BlockedToWarpStriped, blocked, warp_striped)
  CUDASMITH_EXCHANGE(WarpStripedToBlocked, warp_striped, blocked)
#undef CUDASMITH_EXCHANGE
#define CUDASMITH_SCATTER(NAME, TO) \
  template <class U, class Rank> \
  void NAME(const T (&in)[N], U (&out)[N], const Rank (&ranks)[N], CUDASMITH_CALLED) { scatter(in, out, ranks, TO, at.line); } \
  template <class Rank> \
  void NAME(T (&items)[N], const Rank (&ranks)[N], CUDASMITH_CALLED) { scatter(items, items, ranks, TO, at.line); }
  CUDASMITH_SCATTER(ScatterToBlocked, blocked)
  CUDASMITH_SCATTER(ScatterToStriped, striped)
#undef CUDASMITH_SCATTER

 private:
  Items& items_;
};

// One thread's items of a blocked or striped arrangement; the places without an item stay as they were.
template <class T, int N, class It>
void LoadDirectBlocked(int thread, It from, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = from[thread * N + i];
}
template <class T, int N, class It>
void LoadDirectBlocked(int thread, It from, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (thread * N + i < valid) items[i] = from[thread * N + i];
}
template <class T, class Default, int N, class It>
void LoadDirectBlocked(int thread, It from, T (&items)[N], int valid, Default other) {
  for (int i = 0; i < N; ++i) items[i] = static_cast<T>(other);
  LoadDirectBlocked(thread, from, items, valid);
}
template <int Threads, class T, int N, class It>
void LoadDirectStriped(int thread, It from, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = from[i * Threads + thread];
}
template <int Threads, class T, int N, class It>
void LoadDirectStriped(int thread, It from, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (i * Threads + thread < valid) items[i] = from[i * Threads + thread];
}
template <int Threads, class T, class Default, int N, class It>
void LoadDirectStriped(int thread, It from, T (&items)[N], int valid, Default other) {
  for (int i = 0; i < N; ++i) items[i] = static_cast<T>(other);
  LoadDirectStriped<Threads>(thread, from, items, valid);
}
template <class T, int N, class It>
void StoreDirectBlocked(int thread, It to, T (&items)[N], int valid = 0x7fffffff) {
  for (int i = 0; i < N; ++i)
    if (thread * N + i < valid) to[thread * N + i] = items[i];
}
template <int Threads, class T, int N, class It>
void StoreDirectStriped(int thread, It to, T (&items)[N], int valid = 0x7fffffff) {
  for (int i = 0; i < N; ++i)
    if (i * Threads + thread < valid) to[i * Threads + thread] = items[i];
}

}  // namespace cub

namespace cudasmith {
// A vectorised access takes a pointer whose address fits the vector; an iterator is read item by item.
template <int N, class It>
void check_vector(It it, int line) {
  if constexpr (std::is_pointer_v<It>) {
    constexpr std::size_t items = N % 4 == 0 ? 4 : N % 2 == 0 ? 2 : 1, bytes = items * sizeof(*it);
    if (reinterpret_cast<std::uintptr_t>(it) % (bytes < 16 ? bytes : 16) != 0)
      device_fault("EM106", "misaligned access of cub in line " + std::to_string(line) + ": vectors of " + std::to_string(bytes) + " bytes at an address that is no multiple of them");
  }
}
}  // namespace cudasmith

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
  static constexpr int threads = X * Y * Z;
  static constexpr bool transposes = A >= BLOCK_LOAD_TRANSPOSE;
  using Exchange = BlockExchange<T, X, N, false, Y, Z>;

  template <class It, class... Guard>
  void load(It from, T (&items)[N], int line, Guard... guard) {
    ::cudasmith::check_block("cub::BlockLoad", X, Y, Z, line);
    const int self = static_cast<int>(::cudasmith::linear_thread());
    if constexpr (A == BLOCK_LOAD_VECTORIZE && sizeof...(Guard) == 0) ::cudasmith::check_vector<N>(from, line);
    if constexpr (transposes || A == BLOCK_LOAD_STRIPED) LoadDirectStriped<threads>(self, from, items, guard...);
    else LoadDirectBlocked(self, from, items, guard...);
    if constexpr (transposes) Exchange(*storage_).StripedToBlocked(items, ::cudasmith::Called{line});
  }

 public:
  struct TempStorage : std::conditional_t<transposes, typename Exchange::TempStorage, ::cudasmith::NoStorage> {};
  BlockLoad() : storage_(&::cudasmith::private_storage<TempStorage>()) {}
  explicit BlockLoad(TempStorage& storage) : storage_(&storage) {}
  template <class It>
  void Load(It from, T (&items)[N], CUDASMITH_CALLED) { load(from, items, at.line); }
  template <class It>
  void Load(It from, T (&items)[N], int valid, CUDASMITH_CALLED) { load(from, items, at.line, valid); }
  template <class It, class Default>
  void Load(It from, T (&items)[N], int valid, Default other, CUDASMITH_CALLED) { load(from, items, at.line, valid, other); }

 private:
  TempStorage* storage_;
};

template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
  static constexpr int threads = X * Y * Z;
  static constexpr bool transposes = A >= BLOCK_STORE_TRANSPOSE;
  using Exchange = BlockExchange<T, X, N, false, Y, Z>;

 public:
  struct TempStorage : std::conditional_t<transposes, typename Exchange::TempStorage, ::cudasmith::NoStorage> {};
  BlockStore() : storage_(&::cudasmith::private_storage<TempStorage>()) {}
  explicit BlockStore(TempStorage& storage) : storage_(&storage) {}
  template <class It>
  void Store(It to, T (&items)[N], int valid, CUDASMITH_CALLED) {
    ::cudasmith::check_block("cub::BlockStore", X, Y, Z, at.line);
    const int self = static_cast<int>(::cudasmith::linear_thread());
    if constexpr (transposes) Exchange(*storage_).BlockedToStriped(items, at);
    if constexpr (transposes || A == BLOCK_STORE_STRIPED) StoreDirectStriped<threads>(self, to, items, valid);
    else StoreDirectBlocked(self, to, items, valid);
  }
  template <class It>
  void Store(It to, T (&items)[N], CUDASMITH_CALLED) {
    if constexpr (A == BLOCK_STORE_VECTORIZE) ::cudasmith::check_vector<N>(to, at.line);
    Store(to, items, 0x7fffffff, at);
  }

 private:
  TempStorage* storage_;
};

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockShuffle {
  static constexpr int threads = X * Y * Z;
  struct Items { T of_thread[threads]; };
  int brought(T v, int line) {
    ::cudasmith::check_block("cub::BlockShuffle", X, Y, Z, line);
    const int self = static_cast<int>(::cudasmith::linear_thread());
    items_.of_thread[self] = v;
    ::cudasmith::block_barrier(false, line);
    return self;
  }

 public:
  struct TempStorage : ::cudasmith::Unconstructed<Items> {};
  BlockShuffle() : items_(::cudasmith::private_storage<TempStorage>().object()) {}
  explicit BlockShuffle(TempStorage& storage) : items_(storage.object()) {}
  void Offset(T v, T& out, int distance = 1, CUDASMITH_CALLED) {
    const int from = brought(v, at.line) + distance;
    if (from >= 0 && from < threads) out = items_.of_thread[from];
  }
  void Rotate(T v, T& out, unsigned distance = 1, CUDASMITH_CALLED) {
    const unsigned self = static_cast<unsigned>(brought(v, at.line));
    out = items_.of_thread[(self + distance) % threads];
  }
  template <int N>
  void Up(T (&v)[N], T (&out)[N], CUDASMITH_CALLED) {
    const int self = brought(v[N - 1], at.line);
    for (int i = N - 1; i > 0; --i) out[i] = v[i - 1];
    if (self > 0) out[0] = items_.of_thread[self - 1];
  }
  template <int N>
  void Down(T (&v)[N], T (&out)[N], CUDASMITH_CALLED) {
    const int self = brought(v[0], at.line);
    for (int i = 0; i < N - 1; ++i) out[i] = v[i + 1];
    if (self < threads - 1) out[N - 1] = items_.of_thread[self + 1];
  }

 private:
  Items& items_;
};

template <class Key, int X, int N, class Value = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          int = 0, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort {
  static constexpr int threads = X * Y * Z, count = threads * N, all_bits = sizeof(Key) * 8;
  struct Items {
    union {
      alignas(Key) unsigned char keys[count * sizeof(Key)];
      alignas(Value) unsigned char values[count * sizeof(Value)];
    };
    unsigned ranks[count];
  };
  static int self() { return static_cast<int>(::cudasmith::linear_thread()); }

  // Thread 0 ranks all keys, between barriers.
  void rank(Key (&keys)[N], unsigned (&ranks)[N], int begin, int end, bool descending, int line) {
    ::cudasmith::check_block("cub::BlockRadixSort", X, Y, Z, line);
    Key* const all = reinterpret_cast<Key*>(items_.keys);
    for (int i = 0; i < N; ++i) all[self() * N + i] = keys[i];
    ::cudasmith::block_barrier(false, line);
    if (self() == 0) {
      ::cudasmith::Scratch<::cudasmith::Ranked> sorted(count);
      ::cudasmith::sort_places(all, count, begin, end, descending, sorted);
      for (std::size_t i = 0; i < count; ++i) items_.ranks[sorted[i].from] = static_cast<unsigned>(i);
    }
    ::cudasmith::block_barrier(false, line);
    for (int i = 0; i < N; ++i) ranks[i] = items_.ranks[self() * N + i];
    ::cudasmith::block_barrier(false, line);
  }
  template <class V>
  void exchange(V* all, V (&items)[N], const unsigned (&ranks)[N], bool striped, int line) {
    for (int i = 0; i < N; ++i) all[ranks[i]] = items[i];
    ::cudasmith::block_barrier(false, line);
    for (int i = 0; i < N; ++i) items[i] = all[striped ? i * threads + self() : self() * N + i];
  }
  void sort(Key (&keys)[N], int begin, int end, bool descending, bool striped, int line) {
    unsigned ranks[N];
    rank(keys, ranks, begin, end, descending, line);
    exchange(reinterpret_cast<Key*>(items_.keys), keys, ranks, striped, line);
  }
  void sort(Key (&keys)[N], Value (&values)[N], int begin, int end, bool descending, bool striped, int line) {
    unsigned ranks[N];
    rank(keys, ranks, begin, end, descending, line);
    exchange(reinterpret_cast<Key*>(items_.keys), keys, ranks, striped, line);
    ::cudasmith::block_barrier(false, line);
    exchange(reinterpret_cast<Value*>(items_.values), values, ranks, striped, line);
  }

 public:
  struct TempStorage : ::cudasmith::Unconstructed<Items> {};
  BlockRadixSort() : items_(::cudasmith::private_storage<TempStorage>().object()) {}
  explicit BlockRadixSort(TempStorage& storage) : items_(storage.object()) {}
#define CUDASMITH_SORT(NAME, DESCENDING, STRIPED) \
  void NAME(Key (&keys)[N], int begin = 0, int end = all_bits, CUDASMITH_CALLED) { sort(keys, begin, end, DESCENDING, STRIPED, at.line); } \
  void NAME(Key (&keys)[N], Value (&values)[N], int begin = 0, int end = all_bits, CUDASMITH_CALLED) { \
    sort(keys, values, begin, end, DESCENDING, STRIPED, at.line); \
  }
  CUDASMITH_SORT(Sort, false, false)
  CUDASMITH_SORT(SortDescending, true, false)
  CUDASMITH_SORT(SortBlockedToStriped, false, true)
  CUDASMITH_SORT(SortDescendingBlockedToStriped, true, true)
#undef CUDASMITH_SORT

 private:
  Items& items_;
};

}  // namespace cub
