// Resolves <cub/iterator/counting_input_iterator.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_ops.h>
