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

// The host wrote here.
void note_host_write(std::uintptr_t address, std::size_t bytes);

// Tells of elements of a returned tensor that nobody wrote. `sizes` and `strides` count elements.
void check_output(std::uintptr_t data, const std::int64_t* sizes, const std::int64_t* strides, std::size_t dimensions,
                  std::size_t element_bytes);

void forget_host_stack();  // it is looked up once for each launch

}  // namespace cudasmith
