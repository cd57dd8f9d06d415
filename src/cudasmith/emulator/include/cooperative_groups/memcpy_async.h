// Resolves <cooperative_groups/memcpy_async.h> to the emulator.
#pragma once
#include <cudasmith/cuda_copies.h>
