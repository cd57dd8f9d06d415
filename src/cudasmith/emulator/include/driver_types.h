// Resolves <driver_types.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
