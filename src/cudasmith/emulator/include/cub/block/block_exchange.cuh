// Resolves <cub/block/block_exchange.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_exchange.h>
