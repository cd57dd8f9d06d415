// Resolves <cuda_pipeline_primitives.h> to the emulator.
#pragma once
#include <cuda_pipeline.h>
