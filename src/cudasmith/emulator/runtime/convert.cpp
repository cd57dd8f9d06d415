#include "convert.h"

#include <torch/csrc/Dtype.h>
#include <torch/csrc/autograd/python_variable.h>

namespace cudasmith {
namespace {

bool as_integer(PyObject* o, std::int64_t& out) {
  if (PyFloat_Check(o) || !PyIndex_Check(o) || THPVariable_Check(o)) return false;
  PyObject* number = PyNumber_Index(o);
  if (number == nullptr) return PyErr_Clear(), false;
  int overflow = 0;
  out = PyLong_AsLongLongAndOverflow(number, &overflow);
  Py_DECREF(number);
  return overflow == 0;
}

bool as_real(PyObject* o, double& out) {
  if (!PyFloat_Check(o) && !PyLong_Check(o) && (!PyNumber_Check(o) || THPVariable_Check(o))) return false;
  out = PyFloat_AsDouble(o);
  if (PyErr_Occurred() != nullptr) return PyErr_Clear(), false;
  return true;
}

bool as_tensor(PyObject* o, at::Tensor& out) {
  if (!THPVariable_Check(o)) return false;
  out = THPVariable_Unpack(o);
  return true;
}

template <class T, class Convert>
bool as_list(PyObject* o, std::vector<T>& out, Convert convert) {
  if (!PyList_Check(o) && !PyTuple_Check(o)) return false;
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
  out.resize(static_cast<std::size_t>(n));
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!convert(PySequence_Fast_GET_ITEM(o, i), out[static_cast<std::size_t>(i)])) return false;
  return true;
}

bool as_text(PyObject* o, std::string& out) {
  if (!PyUnicode_Check(o)) return false;
  Py_ssize_t n = 0;
  const char* text = PyUnicode_AsUTF8AndSize(o, &n);
  if (text == nullptr) return PyErr_Clear(), false;
  out.assign(text, static_cast<std::size_t>(n));
  return true;
}

template <class T, class Convert>
PyObject* list_of(const std::vector<T>& items, Convert convert) {
  PyObject* list = PyList_New(static_cast<Py_ssize_t>(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), convert(items[i]));
  return list;
}

PyObject* tensor_object(const at::Tensor& t) {
  if (!t.defined()) Py_RETURN_NONE;
  return THPVariable_Wrap(t);
}

}  // namespace

bool from_python(PyObject* o, const Parameter& p, Value& v) {
  if (p.optional && o == Py_None) return v.kind = Kind::none, true;
  v.kind = p.kind;
  switch (p.kind) {
    case Kind::boolean:
      v.integer = o == Py_True;
      return PyBool_Check(o);
    case Kind::integer: return as_integer(o, v.integer);
    case Kind::real: return as_real(o, v.real);
    case Kind::string: return as_text(o, v.text);
    case Kind::tensor: return as_tensor(o, v.tensor);
    case Kind::integers: return as_list(o, v.integers, as_integer);
    case Kind::reals: return as_list(o, v.reals, as_real);
    case Kind::tensors: return as_list(o, v.tensors, as_tensor);
    case Kind::scalar_type:
      if (!THPDtype_Check(o)) return false;
      v.integer = static_cast<std::int64_t>(reinterpret_cast<THPDtype*>(o)->scalar_type);
      return true;
    default: return false;
  }
}

PyObject* to_python(const Value& v) {
  switch (v.kind) {
    case Kind::boolean: return PyBool_FromLong(v.integer != 0);
    case Kind::integer: return PyLong_FromLongLong(v.integer);
    case Kind::real: return PyFloat_FromDouble(v.real);
    case Kind::string: return PyUnicode_FromStringAndSize(v.text.data(), static_cast<Py_ssize_t>(v.text.size()));
    case Kind::tensor: return tensor_object(v.tensor);
    case Kind::integers: return list_of(v.integers, [](std::int64_t x) { return PyLong_FromLongLong(x); });
    case Kind::reals: return list_of(v.reals, [](double x) { return PyFloat_FromDouble(x); });
    case Kind::tensors: return list_of(v.tensors, tensor_object);
    case Kind::tuple: {
      PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(v.items.size()));
      for (std::size_t i = 0; i < v.items.size(); ++i)
        PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), to_python(v.items[i]));
      return tuple;
    }
    default: Py_RETURN_NONE;
  }
}

}  // namespace cudasmith
