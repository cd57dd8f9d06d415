// Which accesses to one word are ordered: by barriers, warp operations, launches, and fences with atomics.
#pragma once
#include <cstdint>

#include "arena.h"
#include "events.h"

namespace cudasmith {

// One access, as 64 bits: phase | thread | flags | clock. A phase ends at every block barrier and begins with every
// block, over all launches; the clock counts the warp operations of the thread within its phase.
namespace record {
constexpr int phase_shift = 32, thread_shift = 22;
constexpr std::uint64_t atomic = 1u << 21, many = 1u << 20, other_warps = 1u << 19, other_blocks = 1u << 18;
constexpr std::uint64_t relaxed = 1u << 17;  // volatile, to global memory
constexpr std::uint64_t clock_mask = 0xFFFF, flags = atomic | many | other_warps | other_blocks | relaxed;
inline std::uint32_t phase(std::uint64_t r) { return static_cast<std::uint32_t>(r >> phase_shift); }
inline unsigned thread(std::uint64_t r) { return static_cast<unsigned>(r >> thread_shift) & 1023u; }
inline bool same_thread(std::uint64_t a, std::uint64_t b) { return (a ^ b) >> thread_shift == 0; }
}  // namespace record

// The running thread and its bounds in time.
struct Now {
  std::uint64_t access = 0;      // the record of an access made now, without flags
  std::uint32_t lane_bit = 1;
  std::uint32_t phase = 1, block_phase = 1, launch_phase = 1;
};
extern Now now;
extern bool checking;  // an instrumented kernel runs
extern bool in_atomic;  // inside one of CUDA's atomic functions

enum class Access : std::uint8_t { plain, volatile_ };

// Looks for a conflict of an access with those before it and remembers it. `offset` is the arena's.
void note_read(std::size_t offset, std::size_t bytes, Access how, const void* frame);
void note_write(std::size_t offset, std::size_t bytes, Access how, const void* frame);

void races_launch_begins();
void races_launch_ends();
void races_block_begins();
void races_barrier_opens();
void races_warp_meets(unsigned first_thread, unsigned lanes);
void races_thread_runs(unsigned thread);   // from now on
void races_thread_pauses();                // what it wrote is in memory
void races_fence();
void races_atomic(std::uintptr_t address);  // before an atomic, or a volatile access to global memory

}  // namespace cudasmith
