// Resolves <cuda_runtime.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
