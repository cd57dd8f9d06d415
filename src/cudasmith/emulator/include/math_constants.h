// Resolves <math_constants.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
