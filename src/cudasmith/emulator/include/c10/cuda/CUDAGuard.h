// Resolves <c10/cuda/CUDAGuard.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
