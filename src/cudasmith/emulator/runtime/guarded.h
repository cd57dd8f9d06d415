// Memory that ends at an inaccessible page, and the lookup from an address to what lies there.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace cudasmith {

// Returns 16-byte aligned memory filled with 0xFF. At most 15 canary bytes lie between its end and the
// inaccessible page; an inaccessible page also lies before it. `what` must outlive the memory. `low`: the address has 32
// bits, as addresses in shared memory have.
void* guarded_alloc(std::size_t bytes, const char* what, bool low = false);
bool guarded_free(void* memory);  // false when there is no such memory

// "4 bytes past the end of a tensor of 4000 bytes", or "" when the address is near nothing known.
std::string describe_address(std::uintptr_t address);

// A sentence about the first live allocation whose canary bytes changed (and repairs it), or "".
std::string damaged_canary();

}  // namespace cudasmith
