// Resolves <device_functions.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
