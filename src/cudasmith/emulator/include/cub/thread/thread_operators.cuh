// Resolves <cub/thread/thread_operators.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_ops.h>
