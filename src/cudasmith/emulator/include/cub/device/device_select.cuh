// Resolves <cub/device/device_select.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_device.h>
