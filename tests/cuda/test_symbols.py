"""What is read out of CUDA text."""

from __future__ import annotations

import pytest

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.symbols import normal_type
from cudasmith.cuda.syntax import blank_attributes

TEXT = """\
#include <torch/types.h>
#define BLOCK 256
template <typename T, int N>
__global__ void __launch_bounds__(256, 2) copy(const T* __restrict__ x, T* y, int64_t n) { y[0] = x[0]; }
__device__ float twice(float v) { return v * 2; }
static inline torch::Tensor checked(const torch::Tensor& t, const char* name = "t");
std::vector<torch::Tensor> run(torch::Tensor x, c10::optional<at::Tensor> b, float *p) {
  auto y = torch::empty_like(x);
  if (x.numel() > 4) {
    copy<float, 3>
        <<<dim3(1, 2), BLOCK, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), 4);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {y + x};
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("run", &run, "doc");
  m.def("lambda", [](torch::Tensor x) { return run(x, {}, nullptr); });
  m.def("wrapped", torch::wrap_pybind_function(run));
}
"""


def test_functions_tell_their_kind_and_parameters() -> None:
    found = symbols(TEXT)
    assert found.faults == ()
    assert [(f.name, f.is_kernel, f.is_device, f.is_definition) for f in found.functions] == [
        ("copy", True, False, True),
        ("twice", False, True, True),
        ("checked", False, False, False),
        ("run", False, False, True),
    ]
    kernel, _, checked, run = found.functions
    assert kernel.template == "<typename T, int N>"
    assert [(p.type, p.name, p.is_pointer) for p in kernel.params] == [
        ("const T*", "x", True), ("T*", "y", True), ("int64_t", "n", False),
    ]  # fmt: skip
    assert [(p.type, p.name) for p in checked.params] == [
        ("const torch::Tensor&", "t"),
        ("const char*", "name"),
    ]
    assert [(p.is_tensor, p.holds_tensors, p.is_pointer) for p in run.params] == [
        (True, False, False), (False, True, False), (False, False, True),
    ]  # fmt: skip
    assert run.returns == "std::vector<torch::Tensor>"
    assert TEXT[run.name_start :].startswith("run(")


def test_launches_calls_and_operators_are_found_in_their_function() -> None:
    run = symbols(TEXT).functions[-1]
    (launch,) = run.launches
    assert launch.kernel == "copy"
    assert launch.config == ("dim3(1, 2)", "BLOCK", "0", "c10::cuda::getCurrentCUDAStream()")
    assert TEXT[launch.start : launch.end].startswith("copy<float, 3>")
    assert ("torch::empty_like", None) in [(c.callee, c.receiver) for c in run.calls]
    assert ("numel", "x") in [(c.callee, c.receiver) for c in run.calls]
    assert [(o.operator, o.left, o.right) for o in run.operations if o.operator == "+"] == [("+", "y", "x")]


def test_bindings_tell_module_and_targets() -> None:
    (binding,) = symbols(TEXT).bindings
    assert binding.module == "TORCH_EXTENSION_NAME"
    assert [(e.name, e.target) for e in binding.exports] == [
        ("run", "run"),
        ("lambda", None),
        ("wrapped", "run"),
    ]
    assert "run" in binding.exports[1].mentions


def test_includes_macros_and_launches_in_macros() -> None:
    found = symbols(TEXT + "#define GO(x) \\\n  copy<<<1, 2, 0, s>>>(x)\n")
    assert found.includes == ("torch/types.h",)
    assert set(found.macros) == {"BLOCK", "GO"}
    assert [(x.kernel, x.config) for x in found.macro_launches] == [("copy", ("1", "2", "0", "s"))]


def test_offsets_are_characters_also_behind_other_scripts() -> None:
    text = "// größer – 中文\n" + TEXT
    run = symbols(text).functions[-1]
    assert text[run.name_start :].startswith("run(")


@pytest.mark.parametrize(
    ("text", "at", "sure"),
    [
        ("void f() { g((1); }", "(1", False),
        ("void f() { x[(1]; }", "(", True),
        ("void f() { int a = 1\n }", None, True),
        ("void f() { } }", "}", True),
        ("void f() {", "{", True),
        ("Here is the code\nvoid f() {}", None, False),
    ],
)
def test_what_cannot_be_read_has_a_place(text: str, at: str | None, sure: bool) -> None:
    found = symbols(text).faults
    assert found
    assert found[0].sure or not sure
    if at is not None:
        assert text[found[0].start] in at


@pytest.mark.parametrize(
    "text",
    [
        "struct __align__(16) P { float x; };",
        "__global__ __launch_bounds__(256) void k(int n) {}",
        "void f() { auto g = [=] __device__ (int i) { return i; }; }",
        "#define CHECK(x) TORCH_CHECK(x)\nvoid f(int x) { CHECK(x)\n int y = 0; }",
        "#ifdef A\nvoid f() {\n#else\nvoid f(int a) {\n#endif\n}",
        'void f() { AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "k", ([&] { k<scalar_t><<<1, 2>>>(n); })); }',
        "template <typename T, int N>\nstruct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) Pack { T at[N]; };",
    ],
)
def test_valid_text_has_no_sure_fault(text: str) -> None:
    assert not [f for f in symbols(text).faults if f.sure]


def test_blanking_keeps_every_place() -> None:
    text = "__global__ void __launch_bounds__(a(1),\n 2) k(); struct __align__(8) S {};"
    blank = blank_attributes(text)
    assert len(blank) == len(text)
    assert [i for i, c in enumerate(blank) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
    assert "__launch_bounds__" not in blank
    assert blank.index("k()") == text.index("k()")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("torch::Tensor const &", "const at::Tensor&"),
        ("std::optional<at::Tensor>", "c10::optional<torch::Tensor>"),
        ("int64_t", "long int"),
        ("const int", "int"),
        ("unsigned", "unsigned int"),
        ("float const*", "const float *"),
        ("c10::ArrayRef<int64_t>", "at::ArrayRef<long>"),
        ("at::IntArrayRef", "c10::ArrayRef<int64_t>"),
        ("const float* const", "const float*"),
    ],
)
def test_two_spellings_of_one_type_have_one_normal_form(one: str, other: str) -> None:
    assert normal_type(one) == normal_type(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("torch::Tensor", "torch::Tensor&"),
        ("torch::Tensor&", "const torch::Tensor&"),
        ("int", "int64_t"),
        ("float", "double"),
        ("const float*", "float*"),
        ("unsigned", "int"),
        ("float* const*", "float**"),
        ("long long", "int64_t"),
    ],
)
def test_two_types_have_two_normal_forms(one: str, other: str) -> None:
    assert normal_type(one) != normal_type(other)


def test_a_function_tells_its_namespace_and_who_sees_it() -> None:
    found = symbols(
        "namespace a { namespace b { void f(); } static void g() {} }\nnamespace { void h() {} }\n"
        'extern "C" void i();\nvoid a::j() {}\ninline void k() {}\n'
    ).functions
    assert [(f.name, f.namespace, f.internal) for f in found] == [
        ("f", "a::b", False), ("g", "a", True), ("h", "", True), ("i", "", False), ("j", "a", False), ("k", "", False),
    ]  # fmt: skip
    assert [f.c_linkage for f in found] == [False, False, False, True, False, False]
    assert [f.inline for f in found] == [False] * 5 + [True]


def test_calls_and_variables_tell_template_place_and_loop() -> None:
    text = (
        "void f(torch::Tensor x) { const float* p = x.data_ptr<float>();\n"
        "for (int i = 0; i < 4; ++i) { a += 1; y[i] = 2; } run<half, 2><<<1, 2>>>(p); }"
    )
    (f,) = symbols(text).functions
    call = next(c for c in f.calls if c.name == "data_ptr")
    assert (call.cast, call.cast_start, call.cast_end) == ("", call.start, call.end)
    assert (call.template, text[call.name_start : call.name_end]) == ("float", "data_ptr<float>")
    assert [(v.name, v.operator, v.in_loop, v.pointer) for v in f.variables] == [
        ("p", "=", False, True), ("i", "=", True, False), ("i", "++", True, False), ("a", "+=", True, False),
        ("y[i]", "=", True, False),
    ]  # fmt: skip
    assert text[f.variables[0].start : f.variables[0].end] == "x.data_ptr<float>()"
    assert f.launches[0].template == "half, 2"


def test_a_binding_tells_parameters_defaults_and_what_else_it_names() -> None:
    head = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { "
    (block,) = symbols(
        head + 'm.def("f", [](torch::Tensor x, double by) { return x; });'
        'm.def("g", &g, "doc", py::arg("x"), py::arg("by") = 1.0); py::class_<C>(m, "C"); }'
    ).bindings
    assert [len(e.params) if e.params is not None else None for e in block.exports] == [2, None]
    assert [(e.defaults, e.names) for e in block.exports] == [(0, ()), (1, ("x", "by"))]
    assert "C" in block.words
    assert symbols(head + "bind_all(m); }").bindings[0].hands_on
    assert not symbols(head + 'm.def("f", &f); }').bindings[0].hands_on


@pytest.mark.parametrize(
    "value",
    [
        "(const float*)x.data_ptr()",
        "reinterpret_cast<const float*>(x.data_ptr())",
        "(float4*)(const float*)(x.data_ptr())",
    ],
)
def test_a_call_tells_what_its_result_is_cast_to(value: str) -> None:
    text = f"void f(torch::Tensor x) {{ auto p = {value}; }}"
    call = next(c for c in symbols(text).functions[0].calls if c.name == "data_ptr")
    assert call.cast == "const float*"
    assert text[call.cast_start : call.cast_end] == value
