// Resolves <cub/block/block_shuffle.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_exchange.h>
