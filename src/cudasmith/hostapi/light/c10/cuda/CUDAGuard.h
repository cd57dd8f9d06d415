// Light form of the header of the same name.
#pragma once
#include <cudasmith/cuda_guard.h>
