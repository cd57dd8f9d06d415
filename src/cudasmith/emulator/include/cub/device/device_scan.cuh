// Resolves <cub/device/device_scan.cuh> to the emulator.
#pragma once
#include <cudasmith/cub_device.h>
