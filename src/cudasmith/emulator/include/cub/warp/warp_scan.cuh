// Resolves <cub/warp/warp_scan.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_warp.h>
