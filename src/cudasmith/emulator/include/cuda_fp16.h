// Resolves <cuda_fp16.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
