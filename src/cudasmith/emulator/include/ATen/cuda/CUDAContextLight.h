// Resolves <ATen/cuda/CUDAContextLight.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
#ifdef CUDASMITH_CUBLAS  // torch's own header includes it for all
#include <cublas_v2.h>
#endif
