// Resolves <cuda.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
