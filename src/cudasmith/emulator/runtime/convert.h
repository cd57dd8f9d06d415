// Python objects to Values and back. Strict: what pybind11 would refuse raises TypeError.
#pragma once
#include <torch/csrc/python_headers.h>

#include "../include/cudasmith/value.h"

namespace cudasmith {

// Returns false without a Python error when the object is not of the parameter's kind.
bool from_python(PyObject* object, const Parameter& parameter, Value& value);
PyObject* to_python(const Value& value);

}  // namespace cudasmith
