// Resolves <cub/config.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_ops.h>
