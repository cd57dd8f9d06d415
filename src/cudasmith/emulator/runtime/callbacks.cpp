// What instrumented candidates call: before every access (the interface of -fsanitize=thread, whose own library is not
// linked) and where signed arithmetic, a divisor, an index or an address is wrong (that of -fsanitize=undefined).
#include <cstring>
#include <ctime>

#include "grid.h"
#include "guarded.h"
#include "memory_check.h"
#include "quiet.h"
#include "races.h"
#include "scheduler.h"

namespace cudasmith {
namespace {

template <std::size_t Bytes> struct Shadow;
template <> struct Shadow<1> { using type = std::uint8_t; };
template <> struct Shadow<2> { using type = std::uint16_t; };
template <> struct Shadow<4> { using type = std::uint32_t; };
template <> struct Shadow<8> { using type = std::uint64_t; };
template <> struct Shadow<16> { using type = unsigned __int128; };

template <std::size_t Bytes>
constexpr typename Shadow<Bytes>::type all(std::uint8_t value) {
  typename Shadow<Bytes>::type v = 0;
  for (std::size_t i = 0; i < Bytes; ++i) v |= static_cast<typename Shadow<Bytes>::type>(value) << (8 * i);
  return v;
}

template <std::size_t Bytes, class Quick, class Note>
inline void remember(std::size_t offset, Quick quick, Note note, const void* frame) {
  if (Bytes % 4 != 0 || offset % 4 != 0) return note(offset, Bytes, Access::plain, frame);
  for (std::size_t i = 0; i < Bytes; i += 4)
    if (!quick(arena.words[(offset + i) / 4], frame)) note(offset + i, 4, Access::plain, frame);
}

template <std::size_t Bytes>
inline void read(void* p, bool is_volatile, const void* frame) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const std::size_t offset = address - arena.base;
  if (offset < Arena::bytes && !is_volatile) {
    typename Shadow<Bytes>::type s;
    std::memcpy(&s, arena.shadow + offset, Bytes);
    if (s == all<Bytes>(known)) return remember<Bytes>(offset, quick_read, note_read, frame);
  }
  if (fiber_stacks.holds(address) || host_stack.holds(address)) return;
  check_read(address, Bytes, is_volatile, frame);
}

template <std::size_t Bytes>
inline void write(void* p, bool is_volatile, const void* frame) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const std::size_t offset = address - arena.base;
  if (offset < Arena::bytes && !is_volatile) {
    typename Shadow<Bytes>::type s;
    std::memcpy(&s, arena.shadow + offset, Bytes);
    if ((s & all<Bytes>(addressable | packed)) == all<Bytes>(addressable)) {
      s = all<Bytes>(known);
      std::memcpy(arena.shadow + offset, &s, Bytes);
      memory_changed = true;
      return remember<Bytes>(offset, quick_write, note_write, frame);
    }
  }
  if (fiber_stacks.holds(address) || host_stack.holds(address)) return;
  check_write(address, Bytes, is_volatile, frame);
}

}  // namespace
}  // namespace cudasmith

#define CUDASMITH_EXPORT extern "C" __attribute__((visibility("default")))
#define CUDASMITH_FRAME __builtin_frame_address(0)
#define CUDASMITH_ACCESS(NAME, DO, BYTES, VOLATILE) \
  CUDASMITH_EXPORT void NAME##BYTES(void* p) { \
    if (cudasmith::checking) cudasmith::DO<BYTES>(p, VOLATILE, CUDASMITH_FRAME); \
  }
#define CUDASMITH_SIZES(NAME, DO, VOLATILE) \
  CUDASMITH_ACCESS(NAME, DO, 1, VOLATILE) \
  CUDASMITH_ACCESS(NAME, DO, 2, VOLATILE) \
  CUDASMITH_ACCESS(NAME, DO, 4, VOLATILE) \
  CUDASMITH_ACCESS(NAME, DO, 8, VOLATILE) \
  CUDASMITH_ACCESS(NAME, DO, 16, VOLATILE)
CUDASMITH_SIZES(__tsan_read, read, false)
CUDASMITH_SIZES(__tsan_write, write, false)
CUDASMITH_SIZES(__tsan_volatile_read, read, true)
CUDASMITH_SIZES(__tsan_volatile_write, write, true)
CUDASMITH_SIZES(__tsan_unaligned_read, read, false)
CUDASMITH_SIZES(__tsan_unaligned_write, write, false)
CUDASMITH_SIZES(__tsan_unaligned_volatile_read, read, true)
CUDASMITH_SIZES(__tsan_unaligned_volatile_write, write, true)

CUDASMITH_EXPORT void __tsan_read_range(void* p, std::size_t n) {
  if (cudasmith::checking && n > 0) cudasmith::check_read(reinterpret_cast<std::uintptr_t>(p), n, false, CUDASMITH_FRAME);
}
CUDASMITH_EXPORT void __tsan_write_range(void* p, std::size_t n) {
  if (cudasmith::checking && n > 0) cudasmith::check_write(reinterpret_cast<std::uintptr_t>(p), n, false, CUDASMITH_FRAME);
}
CUDASMITH_EXPORT void __tsan_init() {}
CUDASMITH_EXPORT void __tsan_func_entry(void*) {}
CUDASMITH_EXPORT void __tsan_func_exit() {}
CUDASMITH_EXPORT void __tsan_vptr_update(void**, void*) {}
CUDASMITH_EXPORT void __tsan_vptr_read(void**) {}

// Compiled atomics of host code (and of kernels that use the compiler's): done as they are.
#define CUDASMITH_FETCH(BITS, T, NAME) \
  CUDASMITH_EXPORT T __tsan_atomic##BITS##_fetch_##NAME(volatile T* p, T v, int) { cudasmith::memory_changed = true; return __atomic_fetch_##NAME(p, v, __ATOMIC_SEQ_CST); }
#define CUDASMITH_ATOMICS(BITS, T) \
  CUDASMITH_EXPORT T __tsan_atomic##BITS##_load(const volatile T* p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); } \
  CUDASMITH_EXPORT void __tsan_atomic##BITS##_store(volatile T* p, T v, int) { cudasmith::memory_changed = true; __atomic_store_n(p, v, __ATOMIC_SEQ_CST); } \
  CUDASMITH_EXPORT T __tsan_atomic##BITS##_exchange(volatile T* p, T v, int) { cudasmith::memory_changed = true; return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); } \
  CUDASMITH_FETCH(BITS, T, add) CUDASMITH_FETCH(BITS, T, sub) CUDASMITH_FETCH(BITS, T, and) \
  CUDASMITH_FETCH(BITS, T, or) CUDASMITH_FETCH(BITS, T, xor) CUDASMITH_FETCH(BITS, T, nand) \
  CUDASMITH_EXPORT int __tsan_atomic##BITS##_compare_exchange_strong(volatile T* p, T* e, T v, int, int) { \
    cudasmith::memory_changed = true; \
    return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  } \
  CUDASMITH_EXPORT int __tsan_atomic##BITS##_compare_exchange_weak(volatile T* p, T* e, T v, int, int) { \
    cudasmith::memory_changed = true; \
    return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  } \
  CUDASMITH_EXPORT T __tsan_atomic##BITS##_compare_exchange_val(volatile T* p, T e, T v, int, int) { \
    cudasmith::memory_changed = true; \
    __atomic_compare_exchange_n(p, &e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return e; \
  }
CUDASMITH_ATOMICS(8, std::uint8_t)
CUDASMITH_ATOMICS(16, std::uint16_t)
CUDASMITH_ATOMICS(32, std::uint32_t)
CUDASMITH_ATOMICS(64, std::uint64_t)
CUDASMITH_EXPORT void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CUDASMITH_EXPORT void __tsan_atomic_signal_fence(int) {}

// Copies that the compiler makes calls of. The linker sends the candidate's calls here.
CUDASMITH_EXPORT void* __wrap_memcpy(void* to, const void* from, std::size_t n) {
  const auto target = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
  if (cudasmith::checking && n > 0) {
    cudasmith::check_read(source, n, false, CUDASMITH_FRAME);
    cudasmith::check_write(target, n, false, CUDASMITH_FRAME);
  } else if (!cudasmith::checking) {
    cudasmith::note_host_write(target, n);
  }
  return std::memmove(to, from, n);
}
CUDASMITH_EXPORT void* __wrap_memmove(void* to, const void* from, std::size_t n) { return __wrap_memcpy(to, from, n); }
CUDASMITH_EXPORT void* __wrap_memset(void* to, int value, std::size_t n) {
  const auto target = reinterpret_cast<std::uintptr_t>(to);
  if (cudasmith::checking && n > 0) cudasmith::check_write(target, n, false, CUDASMITH_FRAME);
  else if (!cudasmith::checking) cudasmith::note_host_write(target, n);
  return std::memset(to, value, n);
}
CUDASMITH_EXPORT std::clock_t __wrap_clock() {
  cudasmith::time_passes();
  return std::clock();
}

// -fsanitize=undefined. Each check passes its place in the source.
namespace cudasmith {
namespace {

struct Location {
  const char* file;
  std::uint32_t line, column;
};
struct Type {
  std::uint16_t kind, info;
  char name[1];
};
struct Mismatch {
  Location location;
  Type* type;
  unsigned char log_alignment, kind;
};
struct Overflow {
  Location location;
  Type* type;
};
struct OutOfBounds {
  Location location;
  Type *array, *index;
};

unsigned width(const Type& t) { return t.kind == 0 ? 1u << (t.info >> 1) : 64; }

// Small values are passed in the word, larger ones by address.
long long value(const Type& t, std::uintptr_t v) {
  if (width(t) > 64) return 0;
  const bool is_signed = (t.info & 1) != 0;
  if (width(t) == 32) return is_signed ? static_cast<std::int32_t>(v) : static_cast<long long>(static_cast<std::uint32_t>(v));
  return static_cast<long long>(v);
}

bool of_candidate(const Location& l) { return l.file != nullptr && std::strstr(l.file, "_sources[") != nullptr; }

Event at(const Location& l, const char* code, std::string message, const void* frame) {
  Event e = positioned(code, std::move(message), trace_from(frame));
  if (of_candidate(l)) e.file = l.file, e.line = static_cast<int>(l.line);
  return e;
}

[[noreturn]] void stop(Event e) {
  const std::string code = e.code, message = e.message;
  tell(std::move(e));
  raise_told(code, message);
}

void misaligned(const Mismatch& d, std::uintptr_t address, const void* frame) {
  if (!in_device_code()) return;
  const std::size_t alignment = std::size_t{1} << d.log_alignment;
  if (address < 64 * 1024) return;  // a null pointer is told as one
  const char* what = d.kind == 1 ? "write" : d.kind == 0 ? "read" : "access";
  stop(at(d.location, "EM106", std::string("misaligned ") + what + ": the address of a " + d.type->name + " must be a multiple of " +
          std::to_string(alignment) + ", it is " + std::to_string(address % alignment) + " bytes past one", frame));
}

void overflow(const Overflow& d, const char* sign, std::uintptr_t a, std::uintptr_t b, const void* frame) {
  if (!checking || !of_candidate(d.location)) return;
  Event e = at(d.location, "EM501", std::string("signed overflow: ") + std::to_string(value(*d.type, a)) + " " + sign + " " +
               std::to_string(value(*d.type, b)) + " does not fit in " + d.type->name, frame);
  if (already_told("EM501", e.trace.places[0], e.trace.places[1])) return;
  const std::string message = e.message;
  tell(std::move(e));
  if (fail_fast) raise_told("EM501", message);
}

}  // namespace
}  // namespace cudasmith

CUDASMITH_EXPORT void __ubsan_handle_type_mismatch_v1(void* data, std::uintptr_t address) {
  cudasmith::misaligned(*static_cast<cudasmith::Mismatch*>(data), address, CUDASMITH_FRAME);
}
#define CUDASMITH_OVERFLOW(NAME, SIGN) \
  CUDASMITH_EXPORT void __ubsan_handle_##NAME##_overflow(void* data, std::uintptr_t a, std::uintptr_t b) { \
    cudasmith::overflow(*static_cast<cudasmith::Overflow*>(data), SIGN, a, b, CUDASMITH_FRAME); \
  }
CUDASMITH_OVERFLOW(add, "+")
CUDASMITH_OVERFLOW(sub, "-")
CUDASMITH_OVERFLOW(mul, "*")
CUDASMITH_EXPORT void __ubsan_handle_negate_overflow(void* data, std::uintptr_t v) {
  cudasmith::overflow(*static_cast<cudasmith::Overflow*>(data), "negated, 0 -", 0, v, CUDASMITH_FRAME);
}
CUDASMITH_EXPORT void __ubsan_handle_divrem_overflow(void* data, std::uintptr_t a, std::uintptr_t b) {
  const auto& d = *static_cast<cudasmith::Overflow*>(data);
  if (!cudasmith::checking) return;
  if (cudasmith::value(*d.type, b) == 0) cudasmith::stop(cudasmith::at(d.location, "EM103", "integer division by zero", CUDASMITH_FRAME));
  cudasmith::overflow(d, "/", a, b, CUDASMITH_FRAME);
}
CUDASMITH_EXPORT void __ubsan_handle_out_of_bounds(void* data, std::uintptr_t index) {
  const auto& d = *static_cast<cudasmith::OutOfBounds*>(data);
  if (!cudasmith::checking || !cudasmith::of_candidate(d.location)) return;
  // A shared array is checked as a whole when it is accessed: kernels index through its inner dimensions.
  const char* dimensions = std::strchr(d.array->name, '[');
  const char* end = std::strrchr(d.array->name, ']');
  if (dimensions == nullptr || end == nullptr || cudasmith::is_shared_array(std::string(dimensions, end + 1))) return;
  cudasmith::stop(cudasmith::at(d.location, "EM105", "index " + std::to_string(cudasmith::value(*d.index, index)) +
                                " lies outside an array of type " + d.array->name, CUDASMITH_FRAME));
}
