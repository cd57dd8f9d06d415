// Resolves <cub/device/device_segmented_radix_sort.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_device.h>
