// Resolves <cub/cub.cuh> to the emulator.
#pragma once
#include <cudasmith/cub.h>
