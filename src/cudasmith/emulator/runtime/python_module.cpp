// The extension module that Python imports: loads candidates, calls their functions, reads the launch log.
#include <dlfcn.h>

#include <memory>
#include <stdexcept>

#include <c10/util/Exception.h>

#include "allocator.h"
#include "convert.h"
#include "grid.h"
#include "scheduler.h"

namespace cudasmith {
namespace {

PyObject* fault_type = nullptr;  // a Python callable that builds the exception from a dict

PyObject* coordinates(unsigned x, unsigned y, unsigned z) { return Py_BuildValue("(III)", x, y, z); }

void raise_python_fault(const Fault& f) {
  const Position& p = f.at;
  PyObject* block = f.positioned ? coordinates(p.block.x, p.block.y, p.block.z) : Py_NewRef(Py_None);
  PyObject* thread = f.positioned ? coordinates(p.thread.x, p.thread.y, p.thread.z) : Py_NewRef(Py_None);
  PyObject* error = fault_type == nullptr ? nullptr
      : PyObject_CallFunction(fault_type, "sssiNN", f.code.c_str(), f.message.c_str(), f.kernel.c_str(), f.line, block, thread);
  if (error == nullptr) return;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
  Py_DECREF(error);
}

// Runs `body`, translating C++ exceptions to what torch and pybind11 raise for them.
template <class Body>
PyObject* translated(Body body) {
  try {
    return body();
  } catch (const Fault& f) {
    raise_python_fault(f);
  } catch (const c10::IndexError& e) {
    PyErr_SetString(PyExc_IndexError, e.what_without_backtrace());
  } catch (const c10::ValueError& e) {
    PyErr_SetString(PyExc_ValueError, e.what_without_backtrace());
  } catch (const c10::TypeError& e) {
    PyErr_SetString(PyExc_TypeError, e.what_without_backtrace());
  } catch (const c10::NotImplementedError& e) {
    PyErr_SetString(PyExc_NotImplementedError, e.what_without_backtrace());
  } catch (const c10::Error& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::invalid_argument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::out_of_range& e) {
    PyErr_SetString(PyExc_IndexError, e.what());
  } catch (const std::exception& e) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

PyObject* function_tuple(const Function& f) {
  PyObject* types = PyList_New(0);
  for (const Parameter& p : f.parameters) {
    PyObject* text = PyUnicode_FromFormat(p.optional ? "%s | None" : "%s", p.type);
    PyList_Append(types, text);
    Py_DECREF(text);
  }
  PyObject* names = PyList_New(0);
  for (const std::string& name : f.names) {
    PyObject* text = PyUnicode_FromString(name.c_str());
    PyList_Append(names, text);
    Py_DECREF(text);
  }
  PyObject* defaults = PyList_New(0);
  for (const Value& v : f.defaults) {
    PyObject* value = to_python(v);
    PyList_Append(defaults, value);
    Py_DECREF(value);
  }
  return Py_BuildValue("(ssNNNN)", f.name.c_str(), f.doc.c_str(), types, names, defaults,
                       PyCapsule_New(const_cast<Function*>(&f), "cudasmith.function", nullptr));
}

PyObject* load(PyObject*, PyObject* args) {
  const char *path = nullptr, *symbol = nullptr;
  if (!PyArg_ParseTuple(args, "ss", &path, &symbol)) return nullptr;
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return PyErr_SetString(PyExc_ImportError, dlerror()), nullptr;
  auto init = reinterpret_cast<void (*)(Module&)>(dlsym(library, symbol));
  if (init == nullptr) return PyErr_SetString(PyExc_ImportError, dlerror()), nullptr;
  return translated([&]() -> PyObject* {
    auto* module = new Module;  // bound functions are never unloaded
    init(*module);
    PyObject* list = PyList_New(0);
    for (const Function& f : module->functions()) {
      PyObject* item = function_tuple(f);
      PyList_Append(list, item);
      Py_DECREF(item);
    }
    return list;
  });
}

PyObject* call(PyObject*, PyObject* args) {
  PyObject *capsule = nullptr, *arguments = nullptr;
  if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyTuple_Type, &arguments)) return nullptr;
  auto* f = static_cast<Function*>(PyCapsule_GetPointer(capsule, "cudasmith.function"));
  if (f == nullptr) return nullptr;
  return translated([&]() -> PyObject* {
    const std::size_t n = f->parameters.size();
    if (static_cast<std::size_t>(PyTuple_GET_SIZE(arguments)) != n) return Py_NewRef(Py_NotImplemented);
    std::vector<Value> values(n);
    for (std::size_t i = 0; i < n; ++i)
      if (!from_python(PyTuple_GET_ITEM(arguments, static_cast<Py_ssize_t>(i)), f->parameters[i], values[i]))
        return Py_NewRef(Py_NotImplemented);
    Value result = f->call(f->target, values.data());
    if (const int error = take_last_error(true)) throw_cuda_error(error, "", 0);
    return to_python(result);
  });
}

PyObject* launches(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
  for (const LaunchRecord& r : launch_log) {
    PyObject* item = Py_BuildValue("(siNNn)", r.kernel.c_str(), r.line, coordinates(r.grid.x, r.grid.y, r.grid.z),
                                   coordinates(r.block.x, r.block.y, r.block.z), static_cast<Py_ssize_t>(r.shared_bytes));
    PyList_Append(list, item);
    Py_DECREF(item);
  }
  return list;
}

PyObject* reset(PyObject*, PyObject*) {
  launch_log.clear();
  take_last_error(true);
  set_dynamic_limit(0);
  Py_RETURN_NONE;
}

// configure(fault_factory, guarded, skip_kernels, exited_threads_pass_barriers)
PyObject* configure(PyObject*, PyObject* args) {
  PyObject* factory = nullptr;
  int guarded = 0, skip = 0, pass = 0;
  if (!PyArg_ParseTuple(args, "Oppp", &factory, &guarded, &skip, &pass)) return nullptr;
  Py_INCREF(factory);
  Py_XSETREF(fault_type, factory);
  guarded ? use_guarded_allocator() : use_original_allocator();
  skip_kernels = skip;
  exited_threads_pass_barriers = pass;
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {{"load", load, METH_VARARGS, nullptr},
                         {"call", call, METH_VARARGS, nullptr},
                         {"launches", launches, METH_NOARGS, nullptr},
                         {"reset", reset, METH_NOARGS, nullptr},
                         {"configure", configure, METH_VARARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_cudasmith_runtime", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace cudasmith

PyMODINIT_FUNC PyInit__cudasmith_runtime() { return PyModule_Create(&cudasmith::definition); }
