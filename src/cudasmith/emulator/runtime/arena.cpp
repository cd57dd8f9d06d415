#include "arena.h"

#include "cells.h"
#include "grid.h"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace cudasmith {

Arena arena;
bool devices_told = false;

namespace {

constexpr std::size_t page = 4096, smallest_gap = 64 * 1024, largest_gap = std::size_t{256} << 20;
constexpr std::uintptr_t shared_begin = std::uintptr_t{1} << 31;  // shared memory ends at 4 GB
constexpr std::size_t variables_bytes = std::size_t{1} << 30;  // at the end, for variables of libraries
constexpr std::size_t remembered_frees = 1 << 16;
// As a half, bfloat16, float or double this is NaN.
constexpr std::uint16_t pattern = 0xFFF5;

std::mutex mutex;
std::map<std::uintptr_t, Region> live, freed;
std::uintptr_t next_shared, next_global;
std::uint32_t call = 1;

struct Segment {
  std::uintptr_t begin, end;
  std::size_t offset;
};
std::vector<Segment> segments;
std::size_t next_variable = Arena::bytes - variables_bytes;

void* reserve(std::size_t bytes, void* at = nullptr) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#ifdef MAP_FIXED_NOREPLACE
  if (at != nullptr) flags |= MAP_FIXED_NOREPLACE;
#endif
  void* map = mmap(at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (map == MAP_FAILED) return nullptr;
  madvise(map, bytes, MADV_NOHUGEPAGE);  // a huge page of shadow for each small tensor would be a waste
  return map;
}

std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) & ~(page - 1); }

// The first place from `next` on that no live region touches. A freed range comes up again only after the whole
// arena was used, so that uses after a free are seen.
std::uintptr_t place_for(std::uintptr_t& next, std::uintptr_t begin, std::uintptr_t end, std::size_t need) {
  for (int rounds = 0; rounds < 2; ++rounds, next = begin) {
    while (next + need <= end) {
      auto after = live.upper_bound(next + need);
      if (after == live.begin()) return next;
      const Region& before = std::prev(after)->second;
      if (before.begin + before.bytes + page <= next) return next;
      next = whole_pages(before.begin + before.bytes) + page;
    }
  }
  throw std::bad_alloc();
}

void drop_pages(std::uintptr_t begin, std::size_t bytes) {
  const std::size_t offset = begin - arena.base, whole = whole_pages(bytes);
  madvise(reinterpret_cast<void*>(begin), whole, MADV_DONTNEED);
  madvise(arena.shadow + offset, whole, MADV_DONTNEED);
  forget_cells(offset, whole);
  madvise(arena.words + offset / 4, whole / 4 * sizeof(Cell), MADV_DONTNEED);
  madvise(arena.byte_cells + offset, whole * sizeof(Cell), MADV_DONTNEED);
}

int add_segments(dl_phdr_info* info, std::size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    if (p.p_type != PT_LOAD || (p.p_flags & PF_W) == 0) continue;
    const std::uintptr_t begin = (info->dlpi_addr + p.p_vaddr) & ~std::uintptr_t{15};
    const std::uintptr_t end = info->dlpi_addr + p.p_vaddr + p.p_memsz;
    const bool seen = std::any_of(segments.begin(), segments.end(), [&](const Segment& s) { return s.begin == begin; });
    if (seen || next_variable + (end - begin) + page > Arena::bytes) continue;
    segments.push_back({begin, end, next_variable});
    std::memset(arena.shadow + next_variable, known, end - begin);
    next_variable += whole_pages(end - begin) + page;
  }
  return 0;
}

}  // namespace

bool reserve_arena() {
  if (arena.base != 0) return true;
  void* memory = reserve(Arena::bytes, reinterpret_cast<void*>(shared_begin));
  // Addresses in shared memory have 32 bits.
  if (memory != nullptr && reinterpret_cast<std::uintptr_t>(memory) != shared_begin) return false;
  void* shadow = reserve(Arena::bytes);
  void* words = reserve(Arena::bytes / 4 * sizeof(Cell));
  void* byte_cells = reserve(Arena::bytes * sizeof(Cell));
  void* chunks = reserve(Arena::bytes / chunk_bytes);
  if (memory == nullptr || shadow == nullptr || words == nullptr || byte_cells == nullptr || chunks == nullptr) return false;
  arena.shadow = static_cast<std::uint8_t*>(shadow);
  arena.words = static_cast<Cell*>(words);
  arena.byte_cells = static_cast<Cell*>(byte_cells);
  arena.chunks = static_cast<Chunk*>(chunks);
  arena.base = reinterpret_cast<std::uintptr_t>(memory);
  next_shared = arena.base + page;
  next_global = arena.base + Arena::shared_bytes + page;
  return true;
}

void* arena_alloc(std::size_t bytes, Kind kind, const char* name) {
  std::lock_guard<std::mutex> lock(mutex);
  // A stray index must not reach a neighbour; one that wraps at 2^32 goes twice as far as the tensor is long.
  const bool is_huge = bytes >= huge_bytes;
  const std::size_t gap = is_huge ? whole_pages(2 * bytes) : std::clamp(bytes, smallest_gap, largest_gap);
  const std::size_t gap_before = is_huge ? gap : 0;
  const std::uintptr_t begin = arena.base, shared_end = begin + Arena::shared_bytes;
  const std::size_t need = gap_before + whole_pages(bytes) + whole_pages(gap);
  std::uintptr_t& next = kind == Kind::shared ? next_shared : next_global;
  const std::uintptr_t start = kind == Kind::shared ? place_for(next, begin + page, shared_end, need)
      : place_for(next, shared_end + page, begin + Arena::bytes - variables_bytes, need);
  next = start + need;
  for (auto it = freed.lower_bound(start); it != freed.end() && it->first < start + need;) it = freed.erase(it);
  const std::uintptr_t at = start + gap_before;
  Region r{at, bytes, kind, name, false, call, {}, Home::unknown};
  live.emplace(at, r);
  if (kind != Kind::shared) arena.held += bytes;
  if (is_huge) return reinterpret_cast<void*>(at);
  forget_values(reinterpret_cast<void*>(at), bytes);
  if (kind != Kind::shared) std::memset(arena.shadow + (at - arena.base), packed | (kind == Kind::tensor ? known : addressable), bytes);
  return reinterpret_cast<void*>(at);
}

bool arena_free(void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (arena.base == 0 || !in_arena(address)) return false;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = live.find(address);
  if (it == live.end()) return true;
  freed[address] = it->second;
  if (freed.size() > remembered_frees) freed.erase(freed.begin());
  if (it->second.kind != Kind::shared) arena.held -= it->second.bytes;
  drop_pages(address, it->second.bytes);
  live.erase(it);
  return true;
}

void forget_values(void* memory, std::size_t bytes) {
  auto* halves = static_cast<std::uint16_t*>(memory);
  std::fill_n(halves, (bytes + 1) / 2, plausible_memory ? std::uint16_t{0x3F3F} : pattern);
  std::memset(arena.shadow + (reinterpret_cast<std::uintptr_t>(memory) - arena.base), addressable, bytes);
}

void mark_initialised(std::uintptr_t address, std::size_t bytes) {
  std::uint8_t* s = arena.shadow + (address - arena.base);
  for (std::size_t i = 0; i < bytes; ++i) s[i] |= (s[i] & addressable) << 1;
}

bool holds_pattern(std::uintptr_t address) {
  const auto expected = static_cast<std::uint8_t>(address % 2 == 0 ? pattern & 0xFF : pattern >> 8);
  return *reinterpret_cast<const std::uint8_t*>(address) == expected;
}

void track_fresh(std::uintptr_t data, const std::uintptr_t* places, std::size_t n) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = live.find(data);
  if (it == live.end()) return;
  it->second.tracked = true;
  std::copy_n(places, std::min<std::size_t>(n, 8), it->second.places);
  if (it->second.bytes >= huge_bytes) return;
  std::uint8_t* s = arena.shadow + (data - arena.base);
  for (std::size_t i = 0; i < it->second.bytes; ++i) s[i] = addressable | (s[i] & packed);
}

void set_home(std::uintptr_t address, Home home) {
  if (!devices_told || home == Home::unknown || arena.base == 0 || !in_arena(address)) return;
  std::lock_guard<std::mutex> lock(mutex);
  auto above = live.upper_bound(address);
  if (above == live.begin()) return;
  Region& r = std::prev(above)->second;
  if (address - r.begin >= r.bytes || r.home == home) return;
  const bool was_host = r.home == Home::host;
  r.home = home;
  if (r.bytes >= huge_bytes) return;
  // Accesses of kernels to what is not addressable are looked at.
  if (home == Home::host) std::memset(arena.shadow + (r.begin - arena.base), 0, r.bytes);
  else if (was_host) std::memset(arena.shadow + (r.begin - arena.base), known | packed, r.bytes);
}

Home home_of(std::uintptr_t address) {
  if (!devices_told || address == 0 || arena.base == 0) return Home::unknown;
  if (!in_arena(address)) return Home::host;
  const Region* r = region_at(address);
  return r == nullptr ? Home::unknown : r->home;
}

void next_call() { ++call; }
std::uint32_t current_call() { return call; }

const Region* region_at(std::uintptr_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto above = live.upper_bound(address);
  if (above == live.begin()) return nullptr;
  const Region& r = std::prev(above)->second;
  return address - r.begin < r.bytes ? &r : nullptr;
}

const Region* region_near(std::uintptr_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  const Region* nearest = nullptr;
  std::uintptr_t distance = ~std::uintptr_t{0};
  auto consider = [&](const Region& r, std::uintptr_t away) {
    const std::uintptr_t farthest = std::max(largest_gap, r.bytes >= huge_bytes ? 2 * r.bytes : 0);
    if (away < distance && away <= farthest) nearest = &r, distance = away;  // farther, naming it would be a guess
  };
  auto above = live.upper_bound(address);
  if (above != live.end()) consider(above->second, above->second.begin - address);
  if (above != live.begin()) {
    const Region& r = std::prev(above)->second;
    consider(r, address - r.begin < r.bytes ? 0 : address - r.begin - r.bytes);
  }
  return nearest;
}

const Region* freed_region_at(std::uintptr_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto above = freed.upper_bound(address);
  if (above == freed.begin()) return nullptr;
  const Region& r = std::prev(above)->second;
  return address - r.begin < r.bytes ? &r : nullptr;
}

bool inside_huge(std::uintptr_t address, std::size_t bytes) {
  const Region* r = region_at(address);
  return r != nullptr && r->bytes >= huge_bytes && r->home != Home::host && address + bytes <= r->begin + r->bytes;
}

std::size_t variable_offset(std::uintptr_t address) {
  static std::size_t last = 0;
  for (int rounds = 0; rounds < 2; ++rounds) {
    if (last < segments.size() && address - segments[last].begin < segments[last].end - segments[last].begin)
      return segments[last].offset + (address - segments[last].begin);
    const auto it = std::find_if(segments.begin(), segments.end(),
                                 [&](const Segment& s) { return address >= s.begin && address < s.end; });
    if (it != segments.end()) return last = it - segments.begin(), it->offset + (address - it->begin);
    if (rounds == 0) dl_iterate_phdr(add_segments, nullptr);
  }
  return Arena::bytes;
}

}  // namespace cudasmith
