// Resolves <cub/warp/warp_reduce.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_warp.h>
