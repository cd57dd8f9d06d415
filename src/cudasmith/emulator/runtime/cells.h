// Which cells of global memory take memory. They are eight times as large as what they are of, so only those of the
// chunks that were used last are kept as they are; of the others, runs of like cells are. Nothing is lost by that.
#pragma once
#include <cstddef>
#include <cstdint>

#include "arena.h"

namespace cudasmith {

constexpr std::size_t chunk_bytes = 4096;  // of memory: 32 KB of cells of words, 128 KB of cells of bytes

// Makes the cells of the byte's chunk readable; those of other chunks may be packed for it.
void unpack_chunk(std::size_t offset);
inline void want_cells(std::size_t offset) {
  if (offset >= Arena::shared_bytes && arena.chunks[offset / chunk_bytes] == Chunk::packed) unpack_chunk(offset);
}

void chunk_splits(std::size_t offset);  // from now on it has cells of bytes
void forget_cells(std::size_t offset, std::size_t bytes);  // of freed memory
void forget_packed();  // all accesses so far are before all that come

}  // namespace cudasmith
