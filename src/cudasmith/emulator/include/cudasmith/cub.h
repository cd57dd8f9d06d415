// cub: collectives of warps and blocks, and algorithms of whole arrays, by cub's documented contract.
#pragma once
#include "cub_block.h"
#include "cub_device.h"
#include "cub_exchange.h"
