// The source names cuBLAS: torch's headers that include it must, too.
#pragma once
#define CUDASMITH_CUBLAS
