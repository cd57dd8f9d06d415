// Everything a candidate may need, precompiled once. Torch comes first: torch_api.h renames parts of it.
#ifndef CUDASMITH_PRELUDE_H
#define CUDASMITH_PRELUDE_H
#include <torch/types.h>
#include <ATen/Dispatch.h>
#include <algorithm>
#include <cassert>
#include <vector>

#include "qualifiers.h"
#include "vector_types.h"
#include "runtime.h"
#include "launch.h"
#include "warp.h"
#include "memory.h"
#include "math.h"
#include "half.h"
#include "binding.h"
#include "torch_api.h"
#endif
