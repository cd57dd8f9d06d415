// Resolves <ATen/cuda/CUDAContextLight.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
