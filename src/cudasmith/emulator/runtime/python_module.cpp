// The extension module that Python imports: reads the launch log, sets the switches.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <c10/util/Exception.h>

#include <cudasmith/abi.h>

#include <cstring>

#include "allocator.h"
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

void raise_pending_error() {
  if (const int error = take_last_error(true)) throw_cuda_error(error, "unknown error", 0);
}

bool translate_fault() {
  try {
    throw;
  } catch (const Fault& f) {
    raise_python_fault(f);
    return true;
  } catch (...) {
    return false;
  }
}

const csm_hooks hooks{raise_pending_error, translate_fault};

PyObject* hooks_address(PyObject*, PyObject*) { return PyLong_FromVoidPtr(const_cast<csm_hooks*>(&hooks)); }

PyObject* check(PyObject*, PyObject*) {
  try {
    raise_pending_error();
  } catch (const Fault& f) {
    raise_python_fault(f);
    return nullptr;
  }
  Py_RETURN_NONE;
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

// set_device(name, the numbers of DeviceModel in order)
PyObject* set_device(PyObject*, PyObject* args) {
  const char* name = nullptr;
  unsigned long long memory = 0;
  DeviceModel d{};
  if (!PyArg_ParseTuple(args, "s(iiiiiiiiiiii)K", &name, &d.major, &d.minor, &d.sms, &d.threads_per_sm, &d.blocks_per_sm,
                        &d.shared_per_sm, &d.shared_per_block, &d.reserved_shared, &d.l2_bytes, &d.bus_bits, &d.clock_khz,
                        &d.memory_clock_khz, &memory))
    return nullptr;
  std::strncpy(d.name, name, sizeof d.name - 1);
  d.memory_bytes = memory;
  device = d;
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {{"hooks_address", hooks_address, METH_NOARGS, nullptr},
                         {"check", check, METH_NOARGS, nullptr},
                         {"launches", launches, METH_NOARGS, nullptr},
                         {"reset", reset, METH_NOARGS, nullptr},
                         {"set_device", set_device, METH_VARARGS, nullptr},
                         {"configure", configure, METH_VARARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_cudasmith_runtime", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace cudasmith

PyMODINIT_FUNC PyInit__cudasmith_runtime() { return PyModule_Create(&cudasmith::definition); }
