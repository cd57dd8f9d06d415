// Resolves <torch/extension.h> to the emulator.
#pragma once
#include <cudasmith/module.h>
