// Resolves <cuda_fp16.hpp> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
