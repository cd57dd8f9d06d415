// See pybind11/pybind11.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/util/irange.h>

#include <vector>
namespace torch::autograd {
using Variable = at::Tensor;
using variable_list = std::vector<Variable>;
}  // namespace torch::autograd
