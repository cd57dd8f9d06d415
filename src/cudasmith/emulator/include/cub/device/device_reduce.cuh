// Resolves <cub/device/device_reduce.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_device.h>
