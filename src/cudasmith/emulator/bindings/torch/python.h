// In the place of torch's: tensors and bindings, without torch::nn and the rest, which double the time to compile.
#pragma once
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
