#include "guarded.h"

#include "grid.h"

#include "../include/cudasmith/runtime.h"
#include "arena.h"

#include <sys/mman.h>

#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <new>

namespace cudasmith {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t front_canary = 64;
constexpr std::size_t remembered_frees = 4096;
constexpr unsigned char plausible = 0x3F;
constexpr unsigned char fill = 0xFF;  // NaN in every float format, -1 in integers

struct Block {
  char* data;
  std::size_t bytes;
  char* map;  // first guard page
  std::size_t map_bytes;
  const char* what;
};

std::mutex mutex;
std::map<std::uintptr_t, Block> live;  // by address of data
std::deque<Block> freed;

char* data_end(const Block& b) { return b.map + b.map_bytes - page; }

bool intact(const Block& b) {
  for (char* p = b.data + b.bytes; p < data_end(b); ++p)
    if (static_cast<unsigned char>(*p) != fill) return false;
  char* front = b.map + page;
  if (b.data - front > static_cast<std::ptrdiff_t>(front_canary)) front = b.data - front_canary;
  for (; front < b.data; ++front)
    if (static_cast<unsigned char>(*front) != fill) return false;
  return true;
}

void repair(const Block& b) {
  std::memset(b.map + page, fill, static_cast<std::size_t>(b.data - b.map) - page);
  std::memset(b.data + b.bytes, fill, static_cast<std::size_t>(data_end(b) - b.data) - b.bytes);
}

void* map_low(std::size_t bytes) {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#ifdef MAP_32BIT
  return mmap(nullptr, bytes, PROT_NONE, flags | MAP_32BIT, -1, 0);
#else
  for (std::uintptr_t at = 0x20000000; at < 0xf0000000; at += 0x100000) {  // the hint is taken where there is room
    void* map = mmap(reinterpret_cast<void*>(at), bytes, PROT_NONE, flags, -1, 0);
    if (map == MAP_FAILED || reinterpret_cast<std::uintptr_t>(map) + bytes <= 0xffffffffu) return map;
    munmap(map, bytes);
  }
  return MAP_FAILED;
#endif
}

std::string sized(const Block& b) { return std::string(b.what) + " of " + std::to_string(b.bytes) + " bytes"; }

std::string describe(const Block& b, std::uintptr_t address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(b.data);
  if (address < begin) return std::to_string(begin - address) + " bytes before the start of a " + sized(b);
  if (address >= begin + b.bytes)
    return std::to_string(address - begin - b.bytes) + " bytes past the end of a " + sized(b);
  return "byte " + std::to_string(address - begin) + " of a " + sized(b);
}

}  // namespace

void* guarded_alloc(std::size_t bytes, const char* what, bool low) {
  const std::size_t padded = (bytes + 15) & ~std::size_t{15};
  const std::size_t inner = (padded + page - 1) & ~(page - 1);
  const std::size_t total = inner + 2 * page;
  void* map = low ? map_low(total) : mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  char* first = static_cast<char*>(map) + page;
  if (mprotect(first, inner, PROT_READ | PROT_WRITE) != 0) {
    munmap(map, total);
    throw std::bad_alloc();
  }
  std::memset(first, fill, inner);
  Block b{first + inner - padded, bytes, static_cast<char*>(map), total, what};
  if (plausible_memory) std::memset(b.data, plausible, bytes);
  std::lock_guard<std::mutex> lock(mutex);
  live.emplace(reinterpret_cast<std::uintptr_t>(b.data), b);
  return b.data;
}

bool guarded_free(void* memory) {
  if (memory == nullptr) return false;
  if (arena_free(memory)) return true;
  Block b;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = live.find(reinterpret_cast<std::uintptr_t>(memory));
    if (it == live.end()) return false;
    b = it->second;
    live.erase(it);
    freed.push_back(b);
    if (freed.size() > remembered_frees) freed.pop_front();
  }
  munmap(b.map, b.map_bytes);
  return true;
}

bool inside_block(const void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  std::lock_guard<std::mutex> lock(mutex);
  auto above = live.upper_bound(begin);
  if (above == live.begin()) return true;
  const Block& b = std::prev(above)->second;
  const auto end = reinterpret_cast<std::uintptr_t>(b.data) + b.bytes;
  return begin >= end || begin + bytes <= end;
}

std::string describe_address(std::uintptr_t address) {
  if (address < page) return "a null pointer";
  std::lock_guard<std::mutex> lock(mutex);
  const Block* nearest = nullptr;
  std::uintptr_t distance = 64u << 20;  // farther than this, naming a tensor would be a guess
  auto consider = [&](const Block& b) {
    const auto begin = reinterpret_cast<std::uintptr_t>(b.data), end = begin + b.bytes;
    const std::uintptr_t d = address < begin ? begin - address : address >= end ? address - end : 0;
    if (d < distance) distance = d, nearest = &b;
  };
  auto above = live.lower_bound(address);
  if (above != live.end()) consider(above->second);
  if (above != live.begin()) consider(std::prev(above)->second);
  if (nearest != nullptr && distance <= page) return describe(*nearest, address);
  for (auto it = freed.rbegin(); it != freed.rend(); ++it)
    if (address - reinterpret_cast<std::uintptr_t>(it->data) < it->bytes)
      return describe(*it, address) + " that was already freed";
  return nearest != nullptr ? describe(*nearest, address) : "";
}

std::string damaged_canary() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto& entry : live) {
    const Block& b = entry.second;
    if (intact(b)) continue;
    const bool after = [&] {
      for (char* p = b.data + b.bytes; p < data_end(b); ++p)
        if (static_cast<unsigned char>(*p) != fill) return true;
      return false;
    }();
    repair(b);
    return (after ? "wrote just past the end of a " : "wrote just before the start of a ") + sized(b);
  }
  return "";
}

}  // namespace cudasmith
