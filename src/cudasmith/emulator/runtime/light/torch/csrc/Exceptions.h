// See pybind11/pybind11.h.
#pragma once
#include <c10/util/Exception.h>
struct python_error {};
