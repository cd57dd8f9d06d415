#include "races.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <set>
#include <unordered_map>

#include "cells.h"
#include "memory_check.h"
#include "quiet.h"
#include "scheduler.h"

namespace cudasmith {

Now now;
bool checking = false;
bool in_atomic = false;
bool suspects_wait = false;

namespace {

constexpr unsigned warp_count = max_block_threads / 32;

// seen[a][b]: the clock of lane b up to which lane a is ordered after it, within this phase.
struct WarpClocks {
  std::array<std::array<std::uint16_t, 32>, 32> seen;
  bool used = false;
};
std::array<WarpClocks, warp_count> warps;
std::array<std::uint16_t, max_block_threads> clocks = [] {
  std::array<std::uint16_t, max_block_threads> ones;
  ones.fill(1);
  return ones;
}();
unsigned running_thread = 0;

struct BlockStart {
  std::uint32_t phase;
  uint3 block;
};
std::vector<BlockStart> blocks;  // of this launch, in the order in which they ran

// What an atomic variable hands on: which blocks, and which threads of one block, released through it.
struct Released {
  std::vector<bool> blocks;
  std::uint64_t version = 0, knew = 0;  // `version` grows with `blocks`; `knew`: what the last to release knew
  std::uint32_t block_phase = 0;
  std::bitset<max_block_threads> threads;
};
std::unordered_map<std::uintptr_t, Released> released;
std::vector<bool> acquired_blocks;
std::unordered_map<std::uintptr_t, std::uint64_t> acquired_version;  // a poll has nothing new to acquire
std::uint64_t knowledge = 0;  // another number whenever another block runs or acquires
std::unordered_map<unsigned, std::bitset<max_block_threads>> acquired_threads;
std::bitset<max_block_threads> fenced;
bool fences_seen = false;

// A write that conflicts: harmless where it stores what was there. Known only after the store.
struct Suspect {
  std::size_t offset, bytes;
  std::array<unsigned char, 16> before;
  std::uint64_t other;
  std::uint32_t other_place;
  bool other_wrote;
  Trace trace;
};
std::vector<Suspect> suspects;

// A plain read beside atomics. The first read of a compare-and-swap loop is one too, and harmless: it is known by
// an atomic of the same thread on the same word that follows.
struct Deferred {
  std::uint32_t read_place;
  Event event;
};
std::vector<Deferred> deferred;
std::set<std::uint32_t> before_atomics;

bool is_shared(std::size_t offset) { return offset < Arena::shared_bytes; }

uint3 thread_id(unsigned linear) {
  const dim3& d = position.block_dim;
  return uint3{linear % d.x, linear / d.x % d.y, linear / (d.x * d.y)};
}

std::size_t block_number(std::uint32_t phase) {
  const auto after = std::upper_bound(blocks.begin(), blocks.end(), phase,
                                      [](std::uint32_t p, const BlockStart& b) { return p < b.phase; });
  return after == blocks.begin() ? 0 : static_cast<std::size_t>(after - blocks.begin()) - 1;
}

Party party(std::uint64_t r, std::uint32_t place, bool wrote) {
  Party p;
  p.place = widened(place);
  p.wrote = wrote;
  p.atomically = (r & record::atomic) != 0;
  p.is_known = wrote || !record::same_thread(r, now.access);
  p.block = blocks.empty() ? position.block : blocks[block_number(record::phase(r))].block;
  p.thread = thread_id(record::thread(r));
  return p;
}

bool ordered_in_warp(unsigned earlier, std::uint32_t clock) {
  if (earlier / 32 != running_thread / 32) return false;
  return warps[earlier / 32].seen[running_thread % 32][earlier % 32] >= clock;
}

// Is this block or thread after the other one by way of fences and atomics?
bool ordered_by_atomics(std::uint64_t r) {
  if (fences_seen && (r & record::other_blocks) != 0) {
    const bool alone = record::same_thread(r, now.access) && (r & record::many) == 0;
    if (alone || record::phase(r) < now.phase) return !acquired_blocks.empty();
  }
  if (record::phase(r) < now.block_phase) {
    const std::size_t n = block_number(record::phase(r));
    return n < acquired_blocks.size() && acquired_blocks[n];
  }
  if (!fences_seen) return false;
  const auto found = acquired_threads.find(running_thread);
  return found != acquired_threads.end() && found->second[record::thread(r)];
}

// Did another thread make access `r` without anything that orders it before now?
bool unordered_write(std::uint64_t r, bool shared) {
  const std::uint32_t phase = record::phase(r);
  if (phase < (shared ? now.block_phase : now.launch_phase)) return false;
  if (phase >= now.block_phase && phase < now.phase) return false;
  if (record::same_thread(r, now.access)) return false;
  if (phase == now.phase && ordered_in_warp(record::thread(r), r & record::clock_mask)) return false;
  return !ordered_by_atomics(r);
}

bool unordered_reads(const Cell& c, bool shared) {
  const std::uint64_t r = c.read;
  const std::uint32_t phase = record::phase(r);
  if (phase < (shared ? now.block_phase : now.launch_phase)) return false;
  if (!shared && (r & record::other_blocks) != 0) return !ordered_by_atomics(r);
  if (phase < now.block_phase) return !shared && !ordered_by_atomics(r);
  if (phase < now.phase) return false;
  if ((r & record::many) == 0) return unordered_write(r, shared);
  if ((r & record::other_warps) != 0) return !ordered_by_atomics(r);
  if (record::thread(r) / 32 != running_thread / 32) return !ordered_by_atomics(r);
  const unsigned first = running_thread & ~31u;
  for (unsigned lane = 0; lane < 32; ++lane)
    if ((c.read_lanes & ~now.lane_bit) >> lane & 1u)
      if (!ordered_in_warp(first + lane, r & record::clock_mask)) return !ordered_by_atomics(r);
  return false;
}

const char* code_of(bool shared) { return shared ? "EM203" : "EM204"; }

std::string sentence(bool writes, const Party& other, std::size_t offset) {
  std::string text = "race on " + describe_known(arena.base + offset) + ": ";
  text += in_atomic ? "an atomic" : writes ? "a write" : "a read";
  text += other.atomically ? " beside an atomic" : other.wrote ? " after a write" : " after a read";
  return text + (other.is_known ? " of another thread" : " of other threads") + ", and nothing orders them";
}

Event race(std::size_t offset, bool writes, std::uint64_t r, std::uint32_t place, bool other_wrote, const Trace& trace) {
  const Party other = party(r, place, other_wrote);
  Event e = positioned(code_of(is_shared(offset)), sentence(writes, other, offset), trace);
  e.other = other;
  return e;
}

void report(Event e) {
  const std::string code = e.code, message = e.message;
  tell(std::move(e));
  if (fail_fast) raise_told(code, message);
}

__attribute__((noinline, cold)) void read_conflict(const Cell& c, std::size_t offset, const void* frame) {
  const bool shared = is_shared(offset);
  if (!unordered_write(c.write, shared)) return;
  const Trace trace = trace_from(frame);
  if (already_told(code_of(shared), trace.places[0], trace.places[1])) return;
  Event e = race(offset, false, c.write, c.write_place, true, trace);
  if ((c.write & record::atomic) == 0) return report(std::move(e));
  const std::uint32_t place = low(trace.places[0]);
  for (const Deferred& d : deferred)
    if (d.read_place == place) return;
  deferred.push_back({place, std::move(e)});
}

void suspect(std::size_t offset, std::size_t bytes, std::uint64_t r, std::uint32_t place, bool wrote, const void* frame) {
  const Trace trace = trace_from(frame);
  if (already_told(code_of(is_shared(offset)), trace.places[0], trace.places[1])) return;
  Suspect s{offset, bytes, {}, r, place, wrote, trace};
  std::memcpy(s.before.data(), reinterpret_cast<const void*>(arena.base + offset), bytes);
  suspects.push_back(s);
  suspects_wait = true;
}

void atomic_beside_read(const Cell& c, std::size_t offset, const void* frame) {
  for (const Deferred& d : deferred)
    if (d.read_place == c.read_place) return;
  deferred.push_back({c.read_place, race(offset, true, c.read, c.read_place, false, trace_from(frame))});
}

__attribute__((noinline, cold)) void write_conflict(const Cell& c, std::size_t offset, std::size_t bytes, std::uint64_t how, const void* frame) {
  const bool shared = is_shared(offset);
  const std::uint64_t exempt = shared ? record::atomic : record::atomic | record::relaxed;
  const bool strong = (how & exempt) != 0;
  if (!(strong && (c.write & exempt) != 0) && unordered_write(c.write, shared))
    return suspect(offset, bytes, c.write, c.write_place, true, frame);
  if (!unordered_reads(c, shared) || (strong && (c.read & record::relaxed) != 0)) return;
  if (strong) atomic_beside_read(c, offset, frame);
  else suspect(offset, bytes, c.read, c.read_place, false, frame);
}

__attribute__((always_inline)) inline void read_cell(Cell& c, std::size_t offset, Access how, const void* frame) {
  std::uint64_t mine = now.access;
  const bool relaxed = how == Access::volatile_ && !is_shared(offset);
  if (relaxed) mine |= record::relaxed;
  const bool old = record::phase(c.write) < now.launch_phase || record::same_thread(c.write, mine);
  const bool strong = (relaxed || in_atomic) && (c.write & (record::relaxed | record::atomic)) != 0;
  if (!old && !strong) read_conflict(c, offset, frame);
  if (in_atomic) {
    if (record::same_thread(c.read, mine) && record::phase(c.read) != 0) before_atomics.insert(c.read_place);
    return;  // the atomic's write stands for it
  }
  remember_read(c, mine, frame);
}

__attribute__((always_inline)) inline void write_cell(Cell& c, std::size_t offset, std::size_t bytes, Access how, const void* frame) {
  std::uint64_t mine = now.access;
  if (in_atomic) mine |= record::atomic;
  else if (how == Access::volatile_ && !is_shared(offset)) mine |= record::relaxed;
  const bool alone = record::same_thread(c.read, mine) && (c.read & (record::many | record::other_blocks)) == 0;
  const bool reads_old = record::phase(c.read) < now.launch_phase || alone;
  const bool write_old = record::phase(c.write) < now.launch_phase || record::same_thread(c.write, mine);
  if (!reads_old || !write_old) write_conflict(c, offset, bytes, mine, frame);
  // A plain write before the thread's own atomic may race with the atomics of others, so it stays in sight.
  if (in_atomic && record::same_thread(c.write, mine) && (c.write & record::atomic) == 0) return;
  c.write = mine;
  c.write_place = low(static_cast<const std::uintptr_t*>(frame)[1]);
}

void split(Cell& c, std::size_t word) {
  if (c.split != 0) return;
  chunk_splits(word * 4);
  for (std::size_t i = 0; i < 4; ++i) arena.byte_cells[word * 4 + i] = c;
  c.split = 1;
}

// Calls `whole` for whole words that no one shares bytewise, `single` for each byte of others.
template <class Visit>
__attribute__((always_inline)) inline void each_cell(std::size_t offset, std::size_t bytes, Visit visit) {
  const std::size_t end = offset + bytes;
  while (offset < end) {
    want_cells(offset);
    Cell& c = arena.words[offset / 4];
    if (offset % 4 == 0 && end - offset >= 4 && c.split == 0) {
      visit(c, offset, std::size_t{4});
      offset += 4;
      continue;
    }
    split(c, offset / 4);
    visit(arena.byte_cells[offset], offset, std::size_t{1});
    ++offset;
  }
}

void settle_suspects() {
  std::vector<Suspect> all;
  all.swap(suspects);
  suspects_wait = false;
  for (const Suspect& s : all) {
    if (std::memcmp(s.before.data(), reinterpret_cast<const void*>(arena.base + s.offset), s.bytes) == 0) continue;
    if (already_told(code_of(is_shared(s.offset)), s.trace.places[0], s.trace.places[1])) continue;
    report(race(s.offset, true, s.other, s.other_place, s.other_wrote, s.trace));
  }
}

void reset_clocks() {
  for (unsigned i = 0; i < warp_count; ++i) {
    WarpClocks& w = warps[i];
    if (!w.used) continue;
    for (auto& row : w.seen) row.fill(0);
    std::fill_n(clocks.begin() + i * 32, 32, std::uint16_t{1});
    w.used = false;
  }
}

void set_access(unsigned thread) {
  now.access = std::uint64_t{now.phase} << record::phase_shift | std::uint64_t{thread} << record::thread_shift | clocks[thread];
}

}  // namespace

void note_read(std::size_t offset, std::size_t bytes, Access how, const void* frame) {
  each_cell(offset, bytes, [&](Cell& c, std::size_t at, std::size_t) { read_cell(c, at, how, frame); });
}

void note_write(std::size_t offset, std::size_t bytes, Access how, const void* frame) {
  if (!suspects.empty()) settle_suspects();  // every earlier store of this thread is done
  each_cell(offset, bytes, [&](Cell& c, std::size_t at, std::size_t n) { write_cell(c, at, n, how, frame); });
}

void races_launch_begins() {
  blocks.clear();
  released.clear();
  deferred.clear();
  before_atomics.clear();
  suspects.clear();
  suspects_wait = false;
  fences_seen = in_atomic = false;
  now.launch_phase = now.phase + 1;
  forget_packed();
}

void races_launch_ends() {
  for (Deferred& d : deferred)
    if (before_atomics.count(d.read_place) == 0) tell(std::move(d.event));
  deferred.clear();
}

void races_block_begins() {
  now.block_phase = ++now.phase;
  blocks.push_back({now.phase, position.block});
  acquired_blocks.clear();
  acquired_version.clear();
  ++knowledge;
  acquired_threads.clear();
  fenced.reset();
  reset_clocks();
}

Acquired races_block_pauses() {
  acquired_blocks.resize(blocks.size());
  acquired_blocks.back() = true;  // itself
  return {acquired_blocks, fenced};
}

void races_block_resumes(const Acquired& before) {
  races_block_begins();
  acquired_blocks = before.blocks;
  fenced = before.fenced;
}

void races_grid_opens() {
  now.launch_phase = now.phase + 1;  // as between two launches
  blocks.clear();
  released.clear();
  forget_packed();
}

void races_barrier_opens() {
  ++now.phase;
  if (fences_seen) acquired_threads.clear();
  reset_clocks();
}

void races_warp_meets(unsigned first_thread, unsigned lanes) {
  WarpClocks& w = warps[first_thread / 32];
  w.used = true;
  std::array<std::uint16_t, 32> joined{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    for (unsigned i = 0; i < 32; ++i) joined[i] = std::max(joined[i], w.seen[lane][i]);
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1u) joined[lane] = std::max(joined[lane], clocks[first_thread + lane]++);
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1u) w.seen[lane] = joined;
  set_access(running_thread);
}

void races_thread_runs(unsigned thread) {
  running_thread = thread;
  now.lane_bit = 1u << (thread % 32);
  set_access(thread);
}

void races_thread_pauses() {
  if (!suspects.empty()) settle_suspects();
}

void races_fence() {
  fences_seen = true;
  fenced[running_thread] = true;
}

void races_atomic(std::uintptr_t address, bool reads_only) {
  if (!fences_seen) return;
  Released& r = released[address];
  const std::size_t mine = blocks.size() - 1;
  if (std::uint64_t& seen = acquired_version[address]; seen != r.version) {
    seen = r.version;
    ++knowledge;
    if (acquired_blocks.size() < r.blocks.size()) acquired_blocks.resize(r.blocks.size());
    for (std::size_t i = 0; i < r.blocks.size(); ++i)
      if (r.blocks[i]) acquired_blocks[i] = true;
  }
  if (r.block_phase == now.block_phase && r.threads.any()) acquired_threads[running_thread] |= r.threads;
  if (reads_only || !fenced[running_thread]) return;
  if (r.block_phase != now.block_phase) r.threads.reset();
  r.block_phase = now.block_phase;
  r.threads[running_thread] = true;
  const auto before = acquired_threads.find(running_thread);
  if (before != acquired_threads.end()) r.threads |= before->second;
  if (r.knew == knowledge) return;
  r.knew = knowledge;
  acquired_version[address] = ++r.version;
  if (r.blocks.size() < blocks.size()) r.blocks.resize(blocks.size());
  r.blocks[mine] = true;
  for (std::size_t i = 0; i < acquired_blocks.size(); ++i)
    if (acquired_blocks[i]) r.blocks[i] = true;
}

// Declared in runtime.h: what candidates call.
void atomic_begins(const void* address, std::size_t bytes) {
  if (checking) races_atomic(reinterpret_cast<std::uintptr_t>(address)), quiet_atomic_begins(address, bytes);
  in_atomic = checking;
}
void atomic_ends() {
  if (in_atomic) quiet_atomic_ends();
  in_atomic = false;
}
void time_passes() { memory_changed = true; }
void fence() {
  if (checking) races_fence();
}
uint3 thread_index() { return position.thread; }
uint3 block_index() { return position.block; }
dim3 block_size() { return position.block_dim; }
dim3 grid_size() { return position.grid_dim; }

}  // namespace cudasmith
