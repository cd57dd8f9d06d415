// Resolves <cub/device/device_segmented_reduce.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_device.h>
