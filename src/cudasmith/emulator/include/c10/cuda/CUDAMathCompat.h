// Resolves <c10/cuda/CUDAMathCompat.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
