// Checked mode's memory: one reserved range, and beside it at fixed distances what is known of each byte and word.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace cudasmith {

// What is known of one byte. Fresh pages are 0: nobody allocated them. `packed`: its cells are not there, see cells.h.
constexpr std::uint8_t addressable = 1, initialised = 2, known = addressable | initialised, packed = 4;

// Accesses to one word, or to one byte of a word that threads share bytewise. See races.cpp for the records.
struct Cell {
  std::uint64_t write, read;            // the last of each
  std::uint32_t write_place, read_place;  // low halves of the return addresses into the candidate
  std::uint32_t read_lanes;             // of read's warp, in read's phase
  std::uint32_t split;                  // 1: the four cells of the bytes are in use instead
};

enum class Chunk : std::uint8_t { packed, wordwise, bytewise };  // which cells of it are there, see cells.h

enum class Kind : std::uint8_t { tensor, device, shared, variable };

// From this size on a tensor has neither contents nor values that are known, only bounds: kernels can run at shapes
// whose memory the machine does not have, as long as few of their blocks do.
constexpr std::size_t huge_bytes = std::size_t{256} << 20;

// Where a tensor would lie with a GPU. `host` and `device` are said only where it is certain.
enum class Home : std::uint8_t { unknown, host, device };

struct Region {
  std::uintptr_t begin;
  std::size_t bytes;
  Kind kind;
  const char* name;  // of a shared array, else what it is
  bool tracked;      // made by torch::empty or cudaMalloc: starts uninitialised
  std::uint32_t call;  // of a bound function, in which it was made
  std::uintptr_t places[8];  // return addresses of its allocation, where tracked
  Home home;
};

struct Arena {
  static constexpr std::size_t bytes = std::size_t{1} << 38, shared_bytes = std::size_t{1} << 31;
  std::uintptr_t base = 0;
  std::uint8_t* shadow = nullptr;
  Cell* words = nullptr;
  Cell* byte_cells = nullptr;
  Chunk* chunks = nullptr;
  std::size_t held = 0;  // bytes of all tensors and device memory
};
extern Arena arena;

// Reserves the ranges, once. False where the system refuses: then there is no checked mode.
bool reserve_arena();

void* arena_alloc(std::size_t bytes, Kind kind, const char* name);
bool arena_free(void* memory);  // false: not the arena's
inline bool in_arena(std::uintptr_t address) { return address - arena.base < Arena::bytes; }

// All bytes addressable, none initialised, filled with a pattern that no library is likely to write.
void forget_values(void* memory, std::size_t bytes);
void mark_initialised(std::uintptr_t address, std::size_t bytes);
bool holds_pattern(std::uintptr_t address);  // the byte still has the pattern's value

// A tensor was made by an `empty`: its values are unknown until somebody writes them.
void track_fresh(std::uintptr_t data, const std::uintptr_t* places, std::size_t n);
// Where the memory lies; a kernel must not touch the host's. No effect outside the arena.
void set_home(std::uintptr_t address, Home home);
// What does not lie in the arena is the host's.
Home home_of(std::uintptr_t address);
extern bool devices_told;  // homes are asked for and told

void next_call();  // a bound function has returned
std::uint32_t current_call();

const Region* region_at(std::uintptr_t address);       // the live region that holds it
const Region* region_near(std::uintptr_t address);     // the live region nearest to it
const Region* freed_region_at(std::uintptr_t address);
bool inside_huge(std::uintptr_t address, std::size_t bytes);  // wholly within one live region of huge_bytes or more
// The offset of a writable variable of a loaded library, or Arena::bytes: those get shadows too.
std::size_t variable_offset(std::uintptr_t address);

}  // namespace cudasmith
