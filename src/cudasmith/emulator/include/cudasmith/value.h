// What crosses the boundary between Python and a bound function. Python objects never reach the candidate,
// so a candidate compiles without Python's or pybind11's headers.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime.h"

namespace cudasmith {

enum class Kind : char {
  none = 'n', boolean = 'b', integer = 'i', real = 'd', string = 's', tensor = 't',
  integers = 'I', reals = 'D', tensors = 'T', tuple = '(', scalar_type = 'y'
};

struct CUDASMITH_API Value {
  Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(Value&&) noexcept;
  ~Value();
  Kind kind = Kind::none;
  at::Tensor tensor;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<at::Tensor> tensors;
  std::vector<Value> items;
};

struct Parameter {
  Kind kind;
  bool optional;
  const char* type;  // as the Python error message names it
};

struct CUDASMITH_API Function {
  std::string name, doc;
  std::vector<Parameter> parameters;
  std::vector<std::string> names;  // from py::arg; empty when the binding gives none
  std::vector<Value> defaults;     // of the last parameters
  Value (*call)(void* target, Value* arguments) = nullptr;
  void* target = nullptr;
};

class CUDASMITH_API Module {
 public:
  void add(Function function);
  std::string& doc() { return doc_; }
  const std::vector<Function>& functions() const { return functions_; }

  template <class F, class... Extra>
  Module& def(const char* name, F function, const Extra&... extra);

 private:
  std::string doc_;
  std::vector<Function> functions_;
};

}  // namespace cudasmith
