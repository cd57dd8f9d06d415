// Resolves <torch/csrc/utils/pybind.h> to the emulator.
#pragma once
#include <cudasmith/module.h>
