// In the place of pybind11 while the support library is compiled: torch's python_variable.h only declares
// functions with these types, and its real headers take half a minute to parse.
#pragma once
namespace pybind11 {
struct object;
struct dict;
struct handle;
}  // namespace pybind11
