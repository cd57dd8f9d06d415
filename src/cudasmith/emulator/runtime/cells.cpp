#include "cells.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <vector>

#include "races.h"

namespace cudasmith {
namespace {

constexpr std::size_t words_bytes = chunk_bytes / 4 * sizeof(Cell), bytes_bytes = chunk_bytes * sizeof(Cell);
constexpr std::size_t smallest_limit = std::size_t{128} << 20;
constexpr std::size_t lane_bytes = 16;

// Every 16th byte's cell, of words or of bytes: so the elements of wide accesses lie in runs of their own. Each `repeat`
// of the cells are alike; from one such group to the next the record of the write, of the read, or of both goes up by a
// step, as it does where thread i accesses element i.
struct Run {
  Cell first;  // `split`: of a byte
  std::uint16_t begin, count, repeat;
  std::uint64_t write_step, read_step;

  std::size_t end() const { return begin + count * lane_bytes; }
  Cell at(unsigned i) const {
    Cell c = first;
    if (repeat == 0) return c;
    const unsigned group = i / repeat;
    c.write += group * write_step, c.read += group * read_step;
    return c;
  }
  bool append(const Cell& c);
};
using Runs = std::vector<Run>;

std::deque<std::size_t> used;  // numbers of chunks with cells, oldest first; some were freed since
std::size_t cell_bytes = 0, used_chunks = 0;
std::unordered_map<std::size_t, Runs> packed_chunks;
std::size_t came_back = 0, times_limit = 1;

bool same(const Cell& a, const Cell& b) { return std::memcmp(&a, &b, sizeof(Cell)) == 0; }

// Only the thread may go up: all below it in a record is the same for all of a run.
bool is_step(std::uint64_t step) { return (step & ((std::uint64_t{1} << record::thread_shift) - 1)) == 0; }

bool Run::append(const Cell& c) {
  if (repeat == 0 && !same(first, c)) {  // all alike so far
    Run stepped = *this;
    stepped.repeat = count;
    stepped.write_step = c.write - first.write;
    stepped.read_step = c.read - first.read;
    const bool steps = (stepped.write_step | stepped.read_step) != 0;
    if (!steps || !is_step(stepped.write_step) || !is_step(stepped.read_step)) return false;
    *this = stepped;
  }
  const bool fits = same(at(count), c);
  if (!fits && repeat == count) repeat = 0;  // it has no second group
  count += fits;
  return fits;
}

// Without what is before the launch, nor lanes that the reading thread tells.
Cell shortened(Cell c) {
  if (record::phase(c.write) < now.launch_phase) c.write = c.write_place = 0;
  if (record::phase(c.read) < now.launch_phase) c.read = c.read_place = c.read_lanes = 0;
  if ((c.read & record::many) == 0) c.read_lanes = 0;
  return c;
}

Cell lengthened(Cell c) {
  if (c.read != 0 && (c.read & record::many) == 0) c.read_lanes = 1u << (record::thread(c.read) % 32);
  return c;
}

// The runs of a chunk, while they are made: the last one of each lane, of words and of bytes.
struct Packing {
  Runs runs;
  std::size_t last[4 + lane_bytes];

  Packing() { std::fill(std::begin(last), std::end(last), ~std::size_t{0}); }
  void add(const Cell& cell, std::size_t at, bool of_byte) {
    Cell c = shortened(cell);
    c.split = of_byte;
    std::size_t& run = last[of_byte ? 4 + at % lane_bytes : at % lane_bytes / 4];
    if (run < runs.size() && runs[run].end() == at && runs[run].append(c)) return;
    run = runs.size();
    runs.push_back({c, static_cast<std::uint16_t>(at), 1, 0, 0, 0});
  }
};

Runs runs_of(std::size_t chunk) {
  const std::size_t begin = chunk * chunk_bytes;
  Packing packing;
  for (std::size_t at = 0; at < chunk_bytes; at += 4) {
    const Cell& c = arena.words[(begin + at) / 4];
    if (c.split == 0) packing.add(c, at, false);
    else for (std::size_t i = at; i < at + 4; ++i) packing.add(arena.byte_cells[begin + i], i, true);
  }
  return std::move(packing.runs);
}

bool has_accesses(const Runs& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const Run& r) { return (r.first.write | r.first.read) != 0; });
}

// The bytes' own flag keeps the quick path of an access away from cells that are not there.
void set_flags(std::size_t chunk, bool value) {
  constexpr std::uint64_t each = 0x0101010101010101;  // one of eight bytes
  auto* s = reinterpret_cast<std::uint64_t*>(arena.shadow + chunk * chunk_bytes);
  for (std::size_t i = 0; i < chunk_bytes / 8; ++i) {
    if (s[i] == 0) continue;  // nobody's, and its page stays untouched
    s[i] = value ? s[i] | (s[i] & addressable * each) * (packed / addressable) : s[i] & ~(packed * each);
  }
}

void release(std::size_t chunk) {
  const bool bytewise = arena.chunks[chunk] == Chunk::bytewise;
  cell_bytes -= words_bytes + (bytewise ? bytes_bytes : 0);
  --used_chunks;
  arena.chunks[chunk] = Chunk::packed;
}

void pack(std::size_t chunk) {
  Runs runs = runs_of(chunk);
  if (has_accesses(runs)) {
    runs.shrink_to_fit();
    packed_chunks[chunk] = std::move(runs);
  }
  set_flags(chunk, true);
  madvise(arena.words + chunk * chunk_bytes / 4, words_bytes, MADV_DONTNEED);
  if (arena.chunks[chunk] == Chunk::bytewise) madvise(arena.byte_cells + chunk * chunk_bytes, bytes_bytes, MADV_DONTNEED);
  release(chunk);
}

// Chunks that come back again and again, as columns of a large matrix do, get more memory rather than all the time.
void count_return() {
  if (++came_back < std::max(arena.held, smallest_limit) / chunk_bytes) return;
  came_back = 0;
  times_limit *= 2;
}

void make_room() {
  const std::size_t limit = std::max(smallest_limit, arena.held / 4) * times_limit;
  while (cell_bytes > limit && !used.empty()) {
    const std::size_t oldest = used.front();
    used.pop_front();
    if (arena.chunks[oldest] != Chunk::packed) pack(oldest);
  }
}

void restore(std::size_t chunk, const Runs& runs) {
  for (const Run& r : runs)
    for (std::size_t i = 0; i < r.count; ++i) {
      const std::size_t at = chunk * chunk_bytes + r.begin + i * lane_bytes;
      Cell c = lengthened(r.at(i));
      c.split = 0;
      if (r.first.split == 0) {
        arena.words[at / 4] = c;
      } else {
        arena.words[at / 4].split = 1;
        arena.byte_cells[at] = c;
        chunk_splits(at);
      }
    }
}

}  // namespace

void unpack_chunk(std::size_t offset) {
  const std::size_t chunk = offset / chunk_bytes;
  make_room();
  arena.chunks[chunk] = Chunk::wordwise;
  used.push_back(chunk);
  cell_bytes += words_bytes;
  ++used_chunks;
  set_flags(chunk, false);
  const auto found = packed_chunks.find(chunk);
  if (found == packed_chunks.end()) return;
  count_return();
  restore(chunk, found->second);
  packed_chunks.erase(found);
}

void chunk_splits(std::size_t offset) {
  Chunk& c = arena.chunks[offset / chunk_bytes];
  if (c != Chunk::wordwise) return;
  c = Chunk::bytewise;
  cell_bytes += bytes_bytes;
}

void forget_cells(std::size_t offset, std::size_t bytes) {
  for (std::size_t c = offset / chunk_bytes; c * chunk_bytes < offset + bytes; ++c)
    if (arena.chunks[c] != Chunk::packed) release(c);
}

void forget_packed() {
  packed_chunks.clear();
  came_back = 0;
  times_limit = 1;
  if (used.size() < 2 * used_chunks + 1024) return;
  used.erase(std::remove_if(used.begin(), used.end(), [](std::size_t c) { return arena.chunks[c] == Chunk::packed; }), used.end());
}

}  // namespace cudasmith
