// Resolves <c10/cuda/CUDAMacros.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
