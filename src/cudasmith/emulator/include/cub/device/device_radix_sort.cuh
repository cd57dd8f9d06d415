// Resolves <cub/device/device_radix_sort.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_device.h>
