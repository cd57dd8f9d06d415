#include "quiet.h"

#include <algorithm>
#include <cstring>

#include "arena.h"
#include "scheduler.h"

namespace cudasmith {

bool memory_changed = false;

namespace {

constexpr std::uint64_t short_wait = 4;  // turns: most end sooner, and cost nothing
std::uint64_t quiet = 1;

struct {
  const void* address;
  std::size_t bytes;
  char before[16];
  bool changed_before;
} atomic;

std::uint64_t this_quiet() {
  if (memory_changed) ++quiet, memory_changed = false;
  return quiet;
}

bool readable(std::uintptr_t address) {
  return in_arena(address) ? (arena.shadow[address - arena.base] & addressable) != 0 : variable_offset(address) != Arena::bytes;
}

}  // namespace

void quiet_atomic_begins(const void* address, std::size_t bytes) {
  const bool known = bytes <= sizeof atomic.before && readable(reinterpret_cast<std::uintptr_t>(address));
  atomic.address = address;
  atomic.bytes = known ? bytes : 0;
  atomic.changed_before = memory_changed;
  std::memcpy(atomic.before, address, atomic.bytes);
}

void quiet_atomic_ends() {
  if (atomic.bytes > 0 && std::memcmp(atomic.before, atomic.address, atomic.bytes) == 0) memory_changed = atomic.changed_before;
}

void quiet_begins() { memory_changed = true; }

void count_turn(Turns& turns) {
  if (turns.quiet != this_quiet()) turns = Turns{quiet};
  if (++turns.count < short_wait || turns.closed) return;
  const std::uint64_t state = state_of_block();
  turns.closed = turns.count > short_wait && state == turns.state;
  if ((turns.count & (turns.count - 1)) == 0) turns.state = state;
}

bool goes_round(const Turns& turns) { return turns.closed && turns.quiet == this_quiet(); }

}  // namespace cudasmith
