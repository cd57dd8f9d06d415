// The extension module that Python imports: reads the launch log, sets the switches.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <c10/util/Exception.h>

#include <cudasmith/abi.h>
#include <dlfcn.h>

#include <cstring>

#include "allocator.h"
#include "arena.h"
#include "events.h"
#include "grid.h"
#include "memory_check.h"
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
      : PyObject_CallFunction(fault_type, "sssiNNi", f.code.c_str(), f.message.c_str(), f.kernel.c_str(), f.line, block, thread, f.event);
  if (error == nullptr) return;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
  Py_DECREF(error);
}

void raise_pending_error() {
  next_call();
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
    PyObject* item = Py_BuildValue("(siNNnd)", r.kernel.c_str(), r.line, coordinates(r.grid.x, r.grid.y, r.grid.z),
                                   coordinates(r.block.x, r.block.y, r.block.z), static_cast<Py_ssize_t>(r.shared_bytes), r.seconds);
    PyList_Append(list, item);
    Py_DECREF(item);
  }
  return list;
}

PyObject* listener = nullptr;  // called after each launch

void tell_listener() {
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject* result = PyObject_CallNoArgs(listener);
  if (result == nullptr) PyErr_WriteUnraisable(listener);
  Py_XDECREF(result);
  PyGILState_Release(state);
}

// listen(callable): it is called after each launch, and an alarm ends a kernel; None: neither.
PyObject* listen(PyObject*, PyObject* callable) {
  Py_INCREF(callable);
  Py_XSETREF(listener, callable);
  after_launch = callable == Py_None ? nullptr : tell_listener;
  alarm_ends_kernel = callable != Py_None;
  Py_RETURN_NONE;
}

PyObject* reset(PyObject*, PyObject*) {
  launch_log.clear();
  take_last_error(true);
  set_dynamic_limit(0);
  forget_events();
  Py_RETURN_NONE;
}

// (file of the library, offset in it), innermost first; empty where the system does not know it.
PyObject* places(const std::uintptr_t* begin, std::size_t n) {
  PyObject* list = PyList_New(0);
  for (std::size_t i = 0; i < n && begin[i] != 0; ++i) {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(begin[i]), &info) == 0 || info.dli_fname == nullptr) continue;
    PyObject* item = Py_BuildValue("(sK)", info.dli_fname, static_cast<unsigned long long>(begin[i] - reinterpret_cast<std::uintptr_t>(info.dli_fbase) - 1));
    PyList_Append(list, item);
    Py_DECREF(item);
  }
  return list;
}

PyObject* other_party(const Party& p) {
  if (p.place == 0) Py_RETURN_NONE;
  PyObject* block = p.is_known ? coordinates(p.block.x, p.block.y, p.block.z) : Py_NewRef(Py_None);
  PyObject* thread = p.is_known ? coordinates(p.thread.x, p.thread.y, p.thread.z) : Py_NewRef(Py_None);
  return Py_BuildValue("(NNN)", block, thread, places(&p.place, 1));
}

PyObject* found(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
  for (const Event& e : events) {
    PyObject* block = e.positioned ? coordinates(e.block.x, e.block.y, e.block.z) : Py_NewRef(Py_None);
    PyObject* thread = e.positioned ? coordinates(e.thread.x, e.thread.y, e.thread.z) : Py_NewRef(Py_None);
    PyObject* item = Py_BuildValue("(sssiNNNsiN)", e.code.c_str(), e.message.c_str(), e.kernel.c_str(), e.launch_line, block, thread,
                                   places(e.trace.places, max_places), e.file.c_str(), e.line, other_party(e.other));
    PyList_Append(list, item);
    Py_DECREF(item);
  }
  return list;
}

PyObject* not_checked(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
  for (const std::string& text : unchecked) {
    PyObject* item = PyUnicode_FromString(text.c_str());
    PyList_Append(list, item);
    Py_DECREF(item);
  }
  return list;
}

// track(data_ptr): the memory was made by an `empty` of Python code.
PyObject* track(PyObject*, PyObject* argument) {
  const auto data = static_cast<std::uintptr_t>(PyLong_AsUnsignedLongLong(argument));
  if (PyErr_Occurred()) return nullptr;
  if (checked_mode && data != 0) track_fresh(data, nullptr, 0);
  Py_RETURN_NONE;
}

// home(data_ptr): 0 where it is not known, 1 on the host, 2 on the device.
PyObject* home(PyObject*, PyObject* argument) {
  const auto data = static_cast<std::uintptr_t>(PyLong_AsUnsignedLongLong(argument));
  if (PyErr_Occurred()) return nullptr;
  return PyLong_FromLong(static_cast<long>(home_of(data)));
}

// set_home(data_ptr, home)
PyObject* set_home_of(PyObject*, PyObject* args) {
  unsigned long long data = 0;
  int chosen = 0;
  if (!PyArg_ParseTuple(args, "Ki", &data, &chosen)) return nullptr;
  set_home(data, static_cast<Home>(chosen));
  Py_RETURN_NONE;
}

// tell_devices(on): whether it was on before
PyObject* tell_devices(PyObject*, PyObject* on) {
  const bool before = devices_told;
  devices_told = PyObject_IsTrue(on) == 1;
  return PyBool_FromLong(before);
}

// check_output(data_ptr, sizes, strides, element_bytes)
PyObject* output(PyObject*, PyObject* args) {
  unsigned long long data = 0, element_bytes = 0;
  PyObject *sizes = nullptr, *strides = nullptr;
  if (!PyArg_ParseTuple(args, "KO!O!K", &data, &PyTuple_Type, &sizes, &PyTuple_Type, &strides, &element_bytes)) return nullptr;
  std::vector<std::int64_t> s, t;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(sizes); ++i) {
    s.push_back(PyLong_AsLongLong(PyTuple_GET_ITEM(sizes, i)));
    t.push_back(PyLong_AsLongLong(PyTuple_GET_ITEM(strides, i)));
  }
  if (PyErr_Occurred()) return nullptr;
  check_output(data, s.data(), t.data(), s.size(), element_bytes);
  Py_RETURN_NONE;
}

// configure_checks(on, order, seed, fail_fast, sampled_blocks): False where the system does not give the address space.
PyObject* configure_checks(PyObject*, PyObject* args) {
  int on = 0, order = 0, fast = 0;
  unsigned seed = 0;
  unsigned long long blocks = 0;
  if (!PyArg_ParseTuple(args, "piIpK", &on, &order, &seed, &fast, &blocks)) return nullptr;
  schedule.sampled_blocks = blocks;
  if (on && !reserve_arena()) Py_RETURN_FALSE;
  checked_mode = on;
  fail_fast = fast;
  schedule.order = static_cast<Schedule::Order>(order);
  schedule.random.seed(seed);
  Py_RETURN_TRUE;
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

// skip(kernel): by name, and with fresh memory that is not NaN; "": none
PyObject* skip(PyObject*, PyObject* name) {
  const char* text = PyUnicode_AsUTF8(name);
  if (text == nullptr) return nullptr;
  skipped_kernel = text;
  plausible_memory = !skipped_kernel.empty();
  Py_RETURN_NONE;
}

PyObject* leave_unchecked(PyObject*, PyObject* text) {
  const char* what = PyUnicode_AsUTF8(text);
  if (what == nullptr) return nullptr;
  tell_unchecked(what);
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {{"hooks_address", hooks_address, METH_NOARGS, nullptr},
                         {"check", check, METH_NOARGS, nullptr},
                         {"launches", launches, METH_NOARGS, nullptr},
                         {"listen", listen, METH_O, nullptr},
                         {"reset", reset, METH_NOARGS, nullptr},
                         {"set_device", set_device, METH_VARARGS, nullptr},
                         {"configure", configure, METH_VARARGS, nullptr},
                         {"configure_checks", configure_checks, METH_VARARGS, nullptr},
                         {"found", found, METH_NOARGS, nullptr},
                         {"not_checked", not_checked, METH_NOARGS, nullptr},
                         {"skip", skip, METH_O, nullptr},
                         {"leave_unchecked", leave_unchecked, METH_O, nullptr},
                         {"track", track, METH_O, nullptr},
                         {"home", home, METH_O, nullptr},
                         {"set_home", set_home_of, METH_VARARGS, nullptr},
                         {"tell_devices", tell_devices, METH_O, nullptr},
                         {"check_output", output, METH_VARARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_cudasmith_runtime", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace cudasmith

PyMODINIT_FUNC PyInit__cudasmith_runtime() { return PyModule_Create(&cudasmith::definition); }
