// Resolves <torch/python.h> to the emulator.
#pragma once
#include <cudasmith/module.h>
