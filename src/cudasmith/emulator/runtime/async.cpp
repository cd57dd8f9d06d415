// What a block has in flight: copies to shared memory, and barriers of a part of its threads.
#include <algorithm>
#include <array>
#include <vector>

#include "memory_check.h"
#include "quiet.h"
#include "races.h"
#include "scheduler.h"

namespace cudasmith {
namespace {

struct Copy {
  void* to;
  unsigned bytes;
  char data[16];
};
struct Copies {
  std::vector<Copy> pending;
  std::vector<std::size_t> groups;  // ends of committed groups in `pending`
};
std::array<Copies, max_block_threads> copies;
bool any_copies = false;

struct Barrier {
  unsigned arrived = 0, generation = 0;
};
std::array<Barrier, 16> barriers;

}  // namespace

void forget_async(unsigned threads) {
  barriers.fill(Barrier{});
  if (!any_copies) return;
  for (unsigned i = 0; i < threads; ++i) copies[i] = Copies{};
  any_copies = false;
}

struct AsyncState {
  std::vector<Copies> copies;
  std::array<Barrier, 16> barriers;
};

std::shared_ptr<AsyncState> keep_async(unsigned threads) {
  const auto count = any_copies ? static_cast<std::ptrdiff_t>(threads) : 0;
  return std::make_shared<AsyncState>(AsyncState{{copies.begin(), copies.begin() + count}, barriers});
}

void restore_async(const AsyncState& kept) {
  barriers = kept.barriers;
  any_copies = !kept.copies.empty();
  std::copy(kept.copies.begin(), kept.copies.end(), copies.begin());
}

bool async_in_flight(unsigned thread) { return any_copies && !copies[thread].pending.empty(); }

void async_copy(void* to, const void* from, unsigned bytes, unsigned source_bytes) {
  if (bytes != 4 && bytes != 8 && bytes != 16) raise_fault("EM101", "cp.async copies 4, 8 or 16 bytes, not " + std::to_string(bytes));
  if (source_bytes > bytes) raise_fault("EM101", "cp.async of more source bytes than it copies");
  if (reinterpret_cast<std::uintptr_t>(to) % bytes != 0 || (source_bytes > 0 && reinterpret_cast<std::uintptr_t>(from) % bytes != 0))
    raise_fault("EM101", "cp.async of " + std::to_string(bytes) + " bytes at an address that is no multiple of them");
  if (checking) {
    const void* frame = __builtin_frame_address(0);
    if (source_bytes > 0) check_read(reinterpret_cast<std::uintptr_t>(from), source_bytes, false, frame);
    check_bounds(reinterpret_cast<std::uintptr_t>(to), bytes, frame);
  }
  Copy copy{to, bytes, {}};
  if (source_bytes > 0) std::memcpy(copy.data, from, source_bytes);
  *static_cast<volatile char*>(to) = *static_cast<volatile char*>(to);  // a bad address shows here
  copies[thread_number()].pending.push_back(copy);
  any_copies = memory_changed = true;
}

void async_commit() {
  Copies& c = copies[thread_number()];
  c.groups.push_back(c.pending.size());
  any_copies = memory_changed = true;
}

void async_wait(unsigned groups_left) {
  Copies& c = copies[thread_number()];
  if (c.groups.size() <= groups_left) return;
  const std::size_t done = c.groups.size() - groups_left, end = c.groups[done - 1];
  for (std::size_t i = 0; i < end; ++i) {
    const Copy& copy = c.pending[i];
    if (checking) check_write(reinterpret_cast<std::uintptr_t>(copy.to), copy.bytes, false, __builtin_frame_address(0));
    std::memcpy(copy.to, copy.data, copy.bytes);
  }
  memory_changed = true;
  c.pending.erase(c.pending.begin(), c.pending.begin() + static_cast<std::ptrdiff_t>(end));
  c.groups.erase(c.groups.begin(), c.groups.begin() + static_cast<std::ptrdiff_t>(done));
  for (std::size_t& g : c.groups) g -= end;
}

void named_barrier(unsigned number, unsigned threads, bool wait, int line) {
  const std::string name = "barrier " + std::to_string(number) + " of line " + std::to_string(line);
  if (number >= 16 || threads == 0 || threads % 32 != 0) raise_fault("EM205", name + ": there are 16, for whole warps");
  Barrier& b = barriers[number];
  if (checking) races_fence(), races_atomic(reinterpret_cast<std::uintptr_t>(&b));
  const unsigned generation = b.generation;
  memory_changed = true;
  if (++b.arrived == threads) {
    b.arrived = 0;
    ++b.generation;
  }
  for (unsigned polls = 0; wait && b.generation == generation; ++polls)
    if (!yield_thread() || polls > 1000000) raise_fault("EM205", name + ": only " + std::to_string(b.arrived) + " of " + std::to_string(threads) + " threads can come");
  if (checking && wait) races_atomic(reinterpret_cast<std::uintptr_t>(&b));
}

}  // namespace cudasmith
