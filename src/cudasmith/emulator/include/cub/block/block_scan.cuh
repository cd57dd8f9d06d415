// Resolves <cub/block/block_scan.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_block.h>
