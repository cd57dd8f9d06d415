// Resolves <cuda_bf16.hpp> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
