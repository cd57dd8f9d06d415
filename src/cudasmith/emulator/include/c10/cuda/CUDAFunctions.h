// Resolves <c10/cuda/CUDAFunctions.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
