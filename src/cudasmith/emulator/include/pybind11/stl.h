// Resolves <pybind11/stl.h> to the emulator.
#pragma once
#include <cudasmith/module.h>
