// torch's CPU allocator, replaced by guarded memory while the emulator is installed.
#pragma once

namespace cudasmith {

void use_guarded_allocator();
void use_original_allocator();

}  // namespace cudasmith
