// See pybind11/pybind11.h.
#pragma once
