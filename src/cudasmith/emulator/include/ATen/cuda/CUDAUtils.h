// Resolves <ATen/cuda/CUDAUtils.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
