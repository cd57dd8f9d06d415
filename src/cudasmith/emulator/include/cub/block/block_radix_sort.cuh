// Resolves <cub/block/block_radix_sort.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_exchange.h>
