// Resolves <cuda_bf16.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
