// Resolves <cub/util_type.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_ops.h>
