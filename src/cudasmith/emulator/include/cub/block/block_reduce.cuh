// Resolves <cub/block/block_reduce.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_block.h>
