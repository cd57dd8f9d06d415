// Proof that blocks wait for ever: since all of them were last in the state in which they are, no memory has changed.
#pragma once
#include <cstddef>
#include <cstdint>

namespace cudasmith {

// A kernel in checked mode wrote, or read a clock. An atomic that stores what was there does not count.
extern bool memory_changed;
void quiet_atomic_begins(const void* address, std::size_t bytes);  // 0: of unknown size
void quiet_atomic_ends();

// How a block that spins comes back again and again while memory stays as it is.
struct Turns {
  std::uint64_t quiet = 0;  // the time without changes that is counted
  std::uint64_t count = 0;  // in it
  std::uint64_t state = 0;  // of the block, at the last turn whose number is a power of two
  bool closed = false;      // it has come back in a state in which it was: so it will for ever
};
void count_turn(Turns& turns);  // of the block just suspended
bool goes_round(const Turns& turns);  // closed, and nothing has changed since
void quiet_begins();  // a launch

}  // namespace cudasmith
