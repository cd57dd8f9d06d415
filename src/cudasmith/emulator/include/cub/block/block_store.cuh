// Resolves <cub/block/block_store.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_exchange.h>
