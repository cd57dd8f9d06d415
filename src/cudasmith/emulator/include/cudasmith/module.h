// PYBIND11_MODULE as the emulator's registration. Kept out of the precompiled header: a source that does not
// include torch/extension.h must not see it, as with nvcc.
#pragma once
#include "prelude.h"

namespace py = pybind11;

#define CUDASMITH_JOIN_(a, b) a##b
#define CUDASMITH_JOIN(a, b) CUDASMITH_JOIN_(a, b)
#define PYBIND11_MODULE(NAME, VARIABLE, ...) \
  static void cudasmith_register(::cudasmith::Module&); \
  extern "C" CUDASMITH_API void CUDASMITH_JOIN(cudasmith_init_, NAME)(::cudasmith::Module * module) { \
    cudasmith_register(*module); \
  } \
  static void cudasmith_register(::cudasmith::Module& VARIABLE)
