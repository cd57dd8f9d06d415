// Resolves <cub/util_ptx.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_ops.h>
