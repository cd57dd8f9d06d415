// What a compiled candidate needs from the support library. One grid runs at a time, on one OS thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "vector_types.h"

#define CUDASMITH_API __attribute__((visibility("default")))

typedef struct CUstream_st* cudaStream_t;

namespace cudasmith {

// The running CUDA thread's coordinates.
struct Position {
  uint3 thread, block;
  dim3 block_dim, grid_dim;
};
extern CUDASMITH_API Position position;

// What the emulator found wrong while a kernel ran. Becomes EmulatorFault in Python.
struct CUDASMITH_API Fault {
  std::string code, message, kernel;
  int line = 0;  // of the launch, 0 when unknown
  bool positioned = false;  // `at` names the thread that did it
  Position at{};
  int event = -1;  // its number among what checked mode found
};

struct LaunchConfig {
  const char* kernel;
  int line;
  dim3 grid, block;
  std::size_t shared_bytes;
  bool instrumented;  // compiled for checked mode
  const void* const* arguments = nullptr;  // pointers that the launch passes, null for others
  std::size_t argument_count = 0;
  bool cooperative = false;  // all blocks are resident and may meet
#ifdef CUDASMITH_TORCH_HEADERS
  bool knows_devices = false;  // torch's own Tensor says that all tensors are CUDA's
#else
  bool knows_devices = true;  // is_cuda() tells the host code where a tensor lies
#endif
};

using ThreadBody = void (*)(void* context);

// Runs `body` once per thread. An invalid configuration only sets the last error, as in CUDA.
// Throws Fault when the kernel misbehaves.
CUDASMITH_API void run_grid(const LaunchConfig& config, ThreadBody body, void* context);

// The last error, and the per-kernel dynamic shared limit that cudaFuncSetAttribute raised.
// A launch that the runtime API refuses: its error is the last one.
CUDASMITH_API void refuse_launch(const LaunchConfig& config, int error);
CUDASMITH_API int take_last_error(bool clear);
CUDASMITH_API void set_dynamic_limit(int bytes);
[[noreturn]] CUDASMITH_API void throw_cuda_error(int error, const char* text, int line);

// The GPU that the emulator stands for, set by Python.
struct DeviceModel {
  char name[64];
  int major, minor, sms, threads_per_sm, blocks_per_sm, shared_per_sm, shared_per_block, reserved_shared;
  int l2_bytes, bus_bits, clock_khz, memory_clock_khz;
  std::size_t memory_bytes;
};
CUDASMITH_API const DeviceModel& device_model();

// Memory that ends at an inaccessible page; null when there is none. device_free is false for what is no such memory.
CUDASMITH_API void* device_alloc(std::size_t bytes, const char* what);
CUDASMITH_API bool device_free(void* memory);
// False when the range begins in such memory and ends outside.
CUDASMITH_API bool inside_block(const void* memory, std::size_t bytes);

// Barrier over the whole block; returns how many threads passed a true predicate.
CUDASMITH_API int block_barrier(bool predicate, int line);

// Barrier over all blocks of a cooperative launch.
CUDASMITH_API void grid_barrier(int line);
CUDASMITH_API bool in_cooperative_launch();

enum class WarpOp : std::uint8_t {
  sync, shuffle, ballot, match_any, add, min_signed, max_signed, min_unsigned, max_unsigned, bit_and, bit_or, bit_xor,
  together
};
// Meets the lanes of `mask` that have not exited; returns this lane's share of the result.
CUDASMITH_API std::uint64_t warp_collective(WarpOp op, unsigned mask, std::uint64_t value, int source, int line);
// Meets the lanes of `mask`; the last to come runs `together` on what each brought (null: a lane that is not in `lanes`).
using WarpFunction = void (*)(void* const* brought, unsigned lanes);
CUDASMITH_API void warp_together(unsigned mask, WarpFunction together, void* mine, int line);
// The lanes of this warp that come to `line` before nothing else can run: those that run converged.
CUDASMITH_API unsigned converged_lanes(int line);
// Lets the block's other threads run first; false when none of them can.
CUDASMITH_API bool yield_thread();
CUDASMITH_API unsigned thread_number();  // in its block
// The calling thread reads what another may write. One that sees the same again and again gives way to other threads, and
// its block to other blocks.
CUDASMITH_API void polled(const void* p, std::size_t bytes);
// Where volatile reads are not seen, a loop gives way when it has turned often.
extern CUDASMITH_API unsigned turns_left;
CUDASMITH_API void loop_gives_way();
CUDASMITH_API bool in_device_code();
// Ends the grid with a fault of the calling thread.
[[noreturn]] CUDASMITH_API void device_fault(const char* code, const std::string& message);

// Asynchronous copies to shared memory arrive when their thread waits for their group, not before.
CUDASMITH_API void async_copy(void* to, const void* from, unsigned bytes, unsigned source_bytes);
CUDASMITH_API void async_commit();
CUDASMITH_API void async_wait(unsigned groups_left);
// Barrier `number` of the block for `threads` threads; `wait` false: only arrives.
CUDASMITH_API void named_barrier(unsigned number, unsigned threads, bool wait, int line);

// What checked mode must hear of.
CUDASMITH_API void host_copies(const void* to, const void* from, std::size_t bytes);  // `from` is null for a fill
// False, and told, where a cudaMemcpyKind names the host's memory as the device's.
CUDASMITH_API bool copy_fits(const void* to, const void* from, int kind);
CUDASMITH_API void atomic_begins(const void* address, std::size_t bytes);
CUDASMITH_API void atomic_ends();
CUDASMITH_API void fence();
CUDASMITH_API void time_passes();  // the calling thread has read a clock

#ifdef CUDASMITH_CHECKED
#define CUDASMITH_UNCHECKED __attribute__((no_sanitize("thread")))
struct AtomicScope {
  CUDASMITH_UNCHECKED explicit AtomicScope(const void* p) { atomic_begins(p, 0); }
  template <class T>
  CUDASMITH_UNCHECKED explicit AtomicScope(T* p) { atomic_begins(p, sizeof(T)); }
  CUDASMITH_UNCHECKED ~AtomicScope() { atomic_ends(); }
};
// First in every function that CUDA calls atomic: its accesses do not race with other atomics.
#define CUDASMITH_ATOMIC_ACCESS(P) const ::cudasmith::AtomicScope cudasmith_atomic(P)
#define CUDASMITH_FENCE() ::cudasmith::fence()
constexpr bool instrumented = true;
#else
#define CUDASMITH_UNCHECKED
#define CUDASMITH_ATOMIC_ACCESS(P) ((void)0)
#define CUDASMITH_FENCE() __asm__ volatile("" ::: "memory")
constexpr bool instrumented = false;
#endif

#if defined(CUDASMITH_CHECKED) && !defined(__clang__)
constexpr bool looped() { return true; }
#else
CUDASMITH_UNCHECKED inline bool looped() {
  if (--turns_left == 0) loop_gives_way();
  return true;
}
#endif

// One static shared array: guarded, forgotten at the start of every block.
class CUDASMITH_API SharedSlot {
 public:
  constexpr explicit SharedSlot(const char* name = "") : name_(name) {}
  template <class T>
  CUDASMITH_UNCHECKED T& get() {
    if (block_ != current_block) refresh(sizeof(T), __PRETTY_FUNCTION__);
    return *static_cast<T*>(memory_);
  }
  static std::uint64_t current_block;
  void* memory() const { return memory_; }
  void keep() { block_ = current_block; }  // what the memory holds is the running block's

 private:
  void refresh(std::size_t bytes, const char* type);
  std::uint64_t block_ = 0;
  void* memory_ = nullptr;
  const char* name_;
};

CUDASMITH_API void* dynamic_shared(const char* name = "dynamic");

// `extern __shared__ T name[];` at namespace scope.
template <class T>
struct DynamicShared {
  operator T*() const { return static_cast<T*>(dynamic_shared()); }
};

}  // namespace cudasmith

namespace cudasmith {
// For checked mode: reading a coordinate is not an access to check. A thread's values never change.
CUDASMITH_API __attribute__((const)) uint3 thread_index();
CUDASMITH_API __attribute__((const)) uint3 block_index();
CUDASMITH_API __attribute__((const)) dim3 block_size();
CUDASMITH_API __attribute__((const)) dim3 grid_size();
}  // namespace cudasmith

#ifdef CUDASMITH_CHECKED
#define threadIdx (::cudasmith::thread_index())
#define blockIdx (::cudasmith::block_index())
#define blockDim (::cudasmith::block_size())
#define gridDim (::cudasmith::grid_size())
#else
#define threadIdx (::cudasmith::position.thread)
#define blockIdx (::cudasmith::position.block)
#define blockDim (::cudasmith::position.block_dim)
#define gridDim (::cudasmith::position.grid_dim)
#endif
static constexpr int warpSize = 32;
