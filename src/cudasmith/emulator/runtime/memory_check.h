// Checks of one access against what is known of its bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "events.h"

namespace cudasmith {

// What lies at an address of the arena, in words: "a shared array 'tile' of 256 bytes".
std::string describe_known(std::uintptr_t address);

// The whole check of an access of the running kernel, for sizes and addresses that the fast path leaves.
// `frame` is the frame of the callback that the compiled kernel called.
void check_read(std::uintptr_t address, std::size_t bytes, bool is_volatile, const void* frame);
void check_write(std::uintptr_t address, std::size_t bytes, bool is_volatile, const void* frame);
// Only whether the bytes belong to somebody: for a write that comes later.
void check_bounds(std::uintptr_t address, std::size_t bytes, const void* frame);

// The host wrote here.
void note_host_write(std::uintptr_t address, std::size_t bytes);

// Tells of elements of a returned tensor that nobody wrote. `sizes` and `strides` count elements.
void check_output(std::uintptr_t data, const std::int64_t* sizes, const std::int64_t* strides, std::size_t dimensions,
                  std::size_t element_bytes);

// The stacks of the launching thread and of the fibers: parameters and local variables, which are not checked.
struct Range {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  bool holds(std::uintptr_t address) const { return address - begin < bytes; }
};
extern Range host_stack, fiber_stacks;
void find_stacks();  // at every launch: it may come from another thread

}  // namespace cudasmith
