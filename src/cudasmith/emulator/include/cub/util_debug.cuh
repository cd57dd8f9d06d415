// Resolves <cub/util_debug.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_ops.h>
