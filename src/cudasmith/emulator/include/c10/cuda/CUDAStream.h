// Resolves <c10/cuda/CUDAStream.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
