// See pybind11/pybind11.h.
#pragma once
#include <vector>
namespace c10 {
struct IValue;
class OperatorHandle;
struct FunctionSchema;
}  // namespace c10
namespace torch::jit {
using Stack = std::vector<c10::IValue>;
}  // namespace torch::jit
