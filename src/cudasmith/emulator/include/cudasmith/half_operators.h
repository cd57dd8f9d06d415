// Included when the candidate's flags undo torch's __CUDA_NO_HALF_OPERATORS__.
#pragma once
#include "half.h"

CUDASMITH_HALF_OPERATORS(__half, __half2)
