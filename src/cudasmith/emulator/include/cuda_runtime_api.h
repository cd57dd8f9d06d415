// Resolves <cuda_runtime_api.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
