// Resolves <device_launch_parameters.h> to the emulator.
#pragma once
#include <cudasmith/prelude.h>
