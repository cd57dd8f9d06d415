// Resolves <cublas_v2.h> to the emulator.
#pragma once
#include <cudasmith/cublas.h>
