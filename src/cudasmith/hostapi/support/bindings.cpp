// Modules and functions for Python, made by torch's own pybind11, so that a wrong call is refused in its words.
#include <cudasmith/abi.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

#include <deque>
#include <memory>
#include <optional>

namespace py = pybind11;

struct csm_result {
  std::vector<std::vector<py::object>> open{1};
};
struct csm_module {
  py::module_ module;
};

namespace {
// One argument of a call: loaded by the caster of its C++ type, then shown as a plain value.
struct Slot {
  virtual ~Slot() = default;
  virtual bool load(py::handle from, bool convert) = 0;
  virtual csm_value value() = 0;
};

csm_value plain(at::Tensor& t) { return {CSM_TENSOR, 0, 0, t.defined() ? t.unsafeGetTensorImpl() : nullptr, 0}; }
csm_value plain(bool& v) { return {CSM_BOOL, v}; }
template <typename T> std::enable_if_t<std::is_integral_v<T>, csm_value> plain(T& v) { return {CSM_INT, static_cast<int64_t>(v)}; }
csm_value plain(float& v) { return {CSM_DOUBLE, 0, v}; }
csm_value plain(double& v) { return {CSM_DOUBLE, 0, v}; }
csm_value plain(std::string& v) { return {CSM_STRING, 0, 0, v.data(), v.size()}; }
csm_value plain(c10::ScalarType& v) { return {CSM_DTYPE, static_cast<int64_t>(v)}; }
csm_value plain(c10::Device& v) { return {CSM_DEVICE, static_cast<int64_t>(v.type()), 0, nullptr, static_cast<size_t>(v.index())}; }
csm_value plain(c10::IntArrayRef& v) { return {CSM_INTS, 0, 0, v.data(), v.size()}; }
template <typename T> csm_value plain(std::optional<T>& v) { return v ? plain(*v) : csm_value{CSM_NONE}; }

template <typename T> struct SlotOf : Slot {
  bool load(py::handle from, bool convert) override {
    if (!caster.load(from, convert)) return false;
    held.emplace(py::detail::cast_op<T>(caster));
    return true;
  }
  csm_value value() override { return plain(*held); }
  py::detail::make_caster<T> caster;
  std::optional<T> held;
};
template <typename T> struct SlotOf<std::vector<T>> : Slot {
  bool load(py::handle from, bool convert) override {
    if (!caster.load(from, convert)) return false;
    held = py::detail::cast_op<std::vector<T>>(caster);
    return true;
  }
  csm_value value() override {
    values.clear();
    for (auto& v : held) values.push_back(plain(v));
    return {CSM_NONE, 0, 0, values.data(), values.size()};
  }
  py::detail::make_caster<std::vector<T>> caster;
  std::vector<T> held;
  std::vector<csm_value> values;
};

struct Kind {
  std::string name;  // the caster's, as it stands in a signature
  std::unique_ptr<Slot> (*make)();
};
template <typename T> Kind kind_of() {
  return {py::detail::make_caster<T>::name.text, []() -> std::unique_ptr<Slot> { return std::make_unique<SlotOf<T>>(); }};
}
template <typename T> std::optional<Kind> plain_optional_or_list(const std::string& code, const std::string& own) {
  if (code == own) return kind_of<T>();
  if (code == "?" + own) return kind_of<std::optional<T>>();
  if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, c10::IntArrayRef>)
    if (code == "[" + own + "]") return kind_of<std::vector<T>>();
  return std::nullopt;
}

template <typename... T> Kind first_of(const std::string& code, const char* own) {
  std::optional<Kind> found;
  ((found || (found = plain_optional_or_list<T>(code, std::string(1, *own))), ++own), ...);
  if (!found) throw py::import_error("cudasmith cannot bind a parameter of code " + code);
  return *std::move(found);
}
Kind kind(const std::string& code) {
  return first_of<at::Tensor, bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double,
                  std::string, c10::ScalarType, c10::Device, c10::IntArrayRef>(code, "TbahilAHILfdsDVR");
}
std::string next_code(const char*& codes) {
  const char* begin = codes;
  while (*codes == '?' || *codes == '[') ++codes;
  ++codes;
  while (*codes == ']') ++codes;
  return {begin, codes};
}
// The Python type of a result code, as pybind11 writes it.
std::string result_name(const char*& code) {
  const char c = *code++;
  const auto inner = [&](char end) {
    std::string all;
    while (*code != end) all += (all.empty() ? "" : ", ") + result_name(code);
    ++code;
    return all;
  };
  switch (c) {
    case 'T': return "torch.Tensor";
    case 'b': return "bool";
    case 'f': case 'd': return "float";
    case 's': return "str";
    case 'v': return "None";
    case '?': return result_name(code) + " | None";
    case '[': return "list[" + inner(']') + "]";
    case '(': return "tuple[" + inner(')') + "]";
    default: return "int";
  }
}

struct Bound {
  std::vector<Kind> kinds;
  csm_function call;
  void* target;
  bool wrapped;
};

const csm_hooks* hooks = nullptr;

py::object run(const Bound& b, const std::vector<csm_value>& values) {
  csm_result result;
  b.call(b.target, values.data(), &result);
  if (hooks) hooks->after();
  return result.open[0][0];
}
void translate(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (...) {
    if (!hooks->translate()) throw;
  }
}
py::object run_wrapped(const Bound& b, const std::vector<csm_value>& values) {
  HANDLE_TH_ERRORS
  return run(b, values);
  END_HANDLE_TH_ERRORS_PYBIND
}

py::handle dispatch(py::detail::function_call& call) {
  const auto& b = *static_cast<const Bound*>(call.func.data[0]);
  std::vector<std::unique_ptr<Slot>> slots;
  for (size_t i = 0; i < b.kinds.size(); ++i) {
    slots.push_back(b.kinds[i].make());
    if (!slots.back()->load(call.args[i], call.args_convert[i])) return PYBIND11_TRY_NEXT_OVERLOAD;
  }
  std::vector<csm_value> values;
  for (auto& s : slots) values.push_back(s->value());
  return (b.wrapped ? run_wrapped(b, values) : run(b, values)).release();
}

class Function : public py::cpp_function {
 public:
  template <typename Fill> Function(Bound* bound, const std::string& signature, Fill fill) {
    auto unique = make_function_record();
    auto* record = unique.get();
    record->data[0] = bound;
    record->impl = &dispatch;
    record->nargs = static_cast<uint16_t>(bound->kinds.size());
    record->nargs_pos = record->nargs;
    fill(record);
    static constexpr const std::type_info* no_types[] = {nullptr};
    initialize_generic(std::move(unique), signature.c_str(), no_types, bound->kinds.size());
  }
};

py::object python(const csm_value& v) {
  switch (v.tag) {
    case CSM_TENSOR: return py::cast(v.p ? at::Tensor(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::reclaim_copy(
                                               static_cast<c10::TensorImpl*>(const_cast<void*>(v.p))))
                                         : at::Tensor());
    case CSM_INT: return v.n ? py::cast(static_cast<uint64_t>(v.i)) : py::cast(v.i);
    case CSM_DOUBLE: return py::cast(v.d);
    case CSM_BOOL: return py::cast(v.i != 0);
    case CSM_STRING: return py::str(static_cast<const char*>(v.p), v.n);
    case CSM_DTYPE: return py::cast(static_cast<c10::ScalarType>(v.i));
    default: return py::none();
  }
}
}  // namespace

extern "C" {
PyObject* csm_make_module(const char* name, csm_init init) {
  try {
    auto* definition = new PyModuleDef();  // lives as long as the library
    csm_module m{py::module_::create_extension_module(name, nullptr, definition)};
    init(&m);
    return m.module.release().ptr();
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_ImportError, e.what());
  }
  return nullptr;
}
void csm_define(csm_module* m, const char* name, const char* doc, const char* parameters, size_t n_parameters, const char* result,
                const char* const* names, const csm_value* const* defaults, size_t n_names,
                csm_function call, void* target, int flags) {
  auto* bound = new Bound{{}, call, target, (flags & CSM_WRAPPED) != 0};
  std::string signature = "(";
  for (size_t i = 0; i < n_parameters; ++i) {
    bound->kinds.push_back(kind(next_code(parameters)));
    signature += (i ? ", {" : "{") + bound->kinds.back().name + "}";
  }
  signature += ") -> " + result_name(result);
  Function function(bound, signature, [&](py::detail::function_record* record) {
    const auto set = [&](const auto& extra) {
      py::detail::process_attribute<std::decay_t<decltype(extra)>>::init(extra, record);
    };
    set(py::name(name));
    set(py::scope(m->module));
    set(py::sibling(py::getattr(m->module, name, py::none())));
    if (doc) record->doc = const_cast<char*>(doc);
    for (size_t i = 0; i < n_names; ++i)
      defaults[i] ? set(py::arg(names[i]) = python(*defaults[i])) : set(py::arg(names[i]));
  });
  m->module.add_object(name, function, true);
}
void csm_set_hooks(const csm_hooks* set) {
  py::gil_scoped_acquire held;
  if (!hooks) py::register_exception_translator(&translate);
  hooks = set;
}
void csm_set_doc(csm_module* m, const char* doc) { m->module.doc() = doc; }
void csm_set_attribute(csm_module* m, const char* name, const csm_value* v) { m->module.attr(name) = python(*v); }
void csm_push(csm_result* r, const csm_value* v) { r->open.back().push_back(python(*v)); }
void csm_open(csm_result* r) { r->open.emplace_back(); }
void csm_close(csm_result* r, bool tuple) {
  auto items = std::move(r->open.back());
  r->open.pop_back();
  py::list list;
  for (auto& item : items) list.append(std::move(item));
  r->open.back().push_back(tuple ? py::object(py::tuple(list)) : py::object(list));
}
}
