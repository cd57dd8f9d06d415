// Resolves <pybind11/pybind11.h> to the emulator.
#pragma once
#include <cudasmith/module.h>
