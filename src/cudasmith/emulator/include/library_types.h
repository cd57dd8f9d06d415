// Resolves <library_types.h> to the emulator.
#pragma once
#include <cudasmith/cublas_types.h>
