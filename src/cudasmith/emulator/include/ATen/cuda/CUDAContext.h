// Resolves <ATen/cuda/CUDAContext.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
