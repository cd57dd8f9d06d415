// Resolves <c10/cuda/CUDAException.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
