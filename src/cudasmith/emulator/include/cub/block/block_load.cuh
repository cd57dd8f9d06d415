// Resolves <cub/block/block_load.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_exchange.h>
