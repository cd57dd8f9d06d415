// Which accesses to one word are ordered: by barriers, warp operations, launches, and fences with atomics.
#pragma once
#include <bitset>
#include <cstdint>
#include <vector>

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
extern bool suspects_wait;  // writes whose values must be looked at before the next one

enum class Access : std::uint8_t { plain, volatile_ };

// Looks for a conflict of an access with those before it and remembers it. `offset` is the arena's.
void note_read(std::size_t offset, std::size_t bytes, Access how, const void* frame);
void note_write(std::size_t offset, std::size_t bytes, Access how, const void* frame);

inline std::uint32_t low(std::uintptr_t place) { return static_cast<std::uint32_t>(place); }

// The read's record, merged with the reads of others in the same phase.
inline void remember_read(Cell& c, std::uint64_t mine, const void* frame) {
  const std::uint32_t phase = record::phase(c.read);
  std::uint64_t flags = 0;
  if (phase == now.phase) {
    flags = c.read & (record::many | record::other_warps | record::other_blocks);
    const unsigned before = record::thread(c.read), self = record::thread(mine);
    if (before != self) flags |= record::many;
    if (before / 32 != self / 32) flags |= record::other_warps;
    c.read_lanes |= now.lane_bit;
    if ((c.read & record::clock_mask) > (mine & record::clock_mask))
      mine = (mine & ~record::clock_mask) | (c.read & record::clock_mask);
  } else {
    if (phase >= now.launch_phase && phase < now.block_phase) flags = record::other_blocks;
    else if (phase >= now.block_phase) flags = c.read & record::other_blocks;
    c.read_lanes = now.lane_bit;
  }
  c.read = mine | flags;
  c.read_place = low(static_cast<const std::uintptr_t*>(frame)[1]);
}

// The same for a whole word where nothing can conflict; false leaves it to the others.
inline bool quick_read(Cell& c, const void* frame) {
  if (c.split != 0 || in_atomic) return false;
  if (record::phase(c.write) >= now.launch_phase && !record::same_thread(c.write, now.access)) return false;
  remember_read(c, now.access, frame);
  return true;
}
inline bool quick_write(Cell& c, const void* frame) {
  if (c.split != 0 || in_atomic || suspects_wait) return false;
  if (record::phase(c.write) >= now.launch_phase && !record::same_thread(c.write, now.access)) return false;
  if (record::phase(c.read) >= now.launch_phase) {
    if (!record::same_thread(c.read, now.access) || (c.read & (record::many | record::other_blocks)) != 0) return false;
  }
  c.write = now.access;
  c.write_place = low(static_cast<const std::uintptr_t*>(frame)[1]);
  return true;
}

void races_launch_begins();
void races_launch_ends();
void races_block_begins();  // or goes on, after the grid has met
// What a block has acquired, while others run. Its own accesses before that are ordered before those after it.
struct Acquired {
  std::vector<bool> blocks;
  std::bitset<1024> fenced;
};
Acquired races_block_pauses();
void races_block_resumes(const Acquired& before);
void races_grid_opens();
void races_barrier_opens();
void races_warp_meets(unsigned first_thread, unsigned lanes);
void races_thread_runs(unsigned thread);   // from now on
void races_thread_pauses();                // what it wrote is in memory
void races_fence();
void races_atomic(std::uintptr_t address, bool reads_only = false);  // before an atomic, or a volatile access to global memory

}  // namespace cudasmith
