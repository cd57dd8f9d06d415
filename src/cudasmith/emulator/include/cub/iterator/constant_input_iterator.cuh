// Resolves <cub/iterator/constant_input_iterator.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_ops.h>
