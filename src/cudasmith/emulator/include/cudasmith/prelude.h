// Everything a candidate may need, precompiled once: the standard library, as torch brings it, torch, CUDA. Torch is its
// light headers, which keep bindings for the sources that ask, or its own, whose bindings take long to parse.
// Torch comes before torch_api.h, which renames parts of it.
#ifndef CUDASMITH_PRELUDE_H
#define CUDASMITH_PRELUDE_H
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#ifdef CUDASMITH_TORCH_HEADERS
#include <torch/extension.h>
#else
#include <torch/types.h>
#endif

#include "qualifiers.h"
#include "vector_types.h"
#include "runtime.h"
#include "launch.h"
#include "warp.h"
#include "memory.h"
#include "conversions.h"
#include "math.h"
#include "integers.h"
#include "half.h"
#include "atomics.h"
#include "checks.h"
#include "torch_api.h"
#endif
