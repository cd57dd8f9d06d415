// Resolves <cublas_api.h> to the emulator.
#pragma once
#include <cudasmith/cublas.h>
