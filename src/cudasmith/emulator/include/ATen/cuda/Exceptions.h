// Resolves <ATen/cuda/Exceptions.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
