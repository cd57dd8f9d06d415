"""The fast builder end to end: modules that behave as torch's own, and refusals that say what they know."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from cudasmith.gpu.fast import build as fast_build
from cudasmith.gpu.fast import build_fast
from cudasmith.gpu.toolchain import find_nvcc
from cudasmith.hostapi.load import import_module
from cudasmith.model import BuildStatus, Candidate, Extension
from cudasmith.stages.build import BuildOptions, build
from cudasmith.workers.command import CommandResult

needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="no nvcc was found")
NVCC_ARCH = ("sm_90",)

HOST = r"""
torch::Tensor shifted(torch::Tensor x, double by, std::optional<torch::Tensor> more, std::vector<int64_t> sizes, bool ask) {
  TORCH_CHECK(x.dim() == 2, "x must have 2 dims, has ", x.sizes(), " of ", x.dtype(), " on ", x.device());
  TORCH_CHECK_VALUE(sizes.size() < 3, "too many sizes: ", sizes.size());
  if (ask) throw std::runtime_error("asked for");
  torch::Tensor y = torch::empty(sizes, x.options().dtype(torch::kDouble)).fill_(by);
  return more ? y + *more : y;
}
std::tuple<torch::Tensor, int64_t, std::string> three(const torch::Tensor& x) { return {x.t(), x.numel(), "text"}; }
float half(const torch::Tensor& x) {
  float r = 0;
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "half", [&] { r = static_cast<float>(x.data_ptr<scalar_t>()[0]) / 2; });
  return r;
}
void nothing(int32_t n) {}
"""
BINDINGS = r"""
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.doc() = "a module";
  m.def("shifted", &shifted, "fills", py::arg("x"), py::arg("by") = 1.5, py::arg("more") = py::none(),
        py::arg("sizes"), py::arg("ask") = false);
  m.def("three", &three);
  m.def("half", &half);
  m.def("nothing", &nothing, py::arg("n") = 3);
}
"""
KERNEL = r"""
__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
torch::Tensor scaled(torch::Tensor x) {
  TORCH_CHECK(x.is_cuda(), "x must be on CUDA");
  torch::Tensor y = torch::empty_like(x);
  scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""


def loaded(extension: Extension):
    done = build_fast(extension, NVCC_ARCH)
    assert done.status is BuildStatus.OK, (done.reason, done.log)
    assert done.library is not None and done.support is not None
    return import_module(extension.name, done.library, done.support)


@pytest.fixture(scope="module")
def module():
    return loaded(Extension("host_ops", (HOST + BINDINGS,)))


def test_arguments_defaults_and_results_are_pybinds(module) -> None:
    x = torch.zeros(2, 3)
    assert torch.equal(module.shifted(x, sizes=[2]), torch.full((2,), 1.5, dtype=torch.float64))
    assert torch.equal(module.shifted(x, 1, torch.ones(2), [2]), torch.full((2,), 2.0, dtype=torch.float64))
    transposed, count, text = module.three(x)
    assert transposed.shape == (3, 2) and (count, text) == (6, "text")
    assert module.half(torch.tensor([3.0])) == 1.5 and module.nothing() is None
    assert module.__doc__ == "a module" and module.three.__doc__.startswith(
        "three(arg0: torch.Tensor) -> tuple["
    )


@pytest.mark.parametrize(
    ("call", "kind", "says"),
    [
        (lambda m: m.three(1), TypeError, "three(): incompatible function arguments"),
        (lambda m: m.nothing(2**40), TypeError, "incompatible function arguments"),
        (lambda m: m.nothing(1.5), TypeError, "incompatible function arguments"),
        (lambda m: m.shifted(torch.zeros(3), sizes=[2]), RuntimeError, "x must have 2 dims, has [3] of float on cpu"),
        (lambda m: m.shifted(torch.zeros(3, 3), sizes=[2, 2, 2]), ValueError, "too many sizes: 3"),
        (lambda m: m.shifted(torch.zeros(3, 3), sizes=[2], ask=True), RuntimeError, "asked for"),
        (lambda m: m.half(torch.zeros(1, dtype=torch.int32)), NotImplementedError, "\"half\" not implemented for 'Int'"),
        (lambda m: m.shifted(torch.zeros(3, 3), wrong=1), TypeError, "incompatible function arguments"),
    ],
)  # fmt: skip
def test_refusals_are_torchs(module, call, kind, says: str) -> None:
    with pytest.raises(kind) as caught:
        call(module)
    assert says in str(caught.value)


def test_wrapped_functions_and_two_files(tmp_path: Path) -> None:
    m = loaded(
        Extension("two_files", ("int64_t twice(int64_t n) { return 2 * n; }",), (), (("twice", "doc"),))
    )
    assert m.twice(4) == 8 and "doc" in m.twice.__doc__


def test_an_undefined_function_fails_at_import_with_its_symbol() -> None:
    done = build_fast(Extension("undefined", ("int64_t f(int64_t n);",), (), (("f", "f"),)), NVCC_ARCH)
    assert done.status is BuildStatus.IMPORT_ERROR
    assert "undefined symbol: _Z1fl" in done.log
    with pytest.raises(ImportError, match="undefined symbol: _Z1fl"):
        import_module("undefined", done.library, done.support)


def test_a_source_that_binds_nothing_fails_at_import() -> None:
    done = build_fast(Extension("unbound", ("int64_t f() { return 1; }",)), NVCC_ARCH)
    assert done.status is BuildStatus.IMPORT_ERROR and "PyInit_unbound" in done.log


def test_a_module_of_another_name_fails_at_import() -> None:
    text = 'int64_t f() { return 1; }\nPYBIND11_MODULE(other, m) { m.def("f", &f); }'
    done = build_fast(Extension("named", (text,)), NVCC_ARCH)
    assert done.status is BuildStatus.IMPORT_ERROR
    assert "does not define module export function (PyInit_named)" in done.log
    with pytest.raises(ImportError, match="PyInit_named"):
        import_module("named", done.library, done.support)


@pytest.mark.parametrize(
    "body",
    ["return torch::erfinv(x);", "return x.some_new_method();", "return at::native::thing(x);"],
)
def test_what_the_light_headers_lack_is_not_called_an_error(body: str) -> None:
    text = f"torch::Tensor f(torch::Tensor x) {{ {body} }}"
    done = build_fast(Extension("lacking", (text,), (), (("f", "f"),)), NVCC_ARCH)
    assert done.status is not BuildStatus.OK and done.reason


def test_an_error_of_the_source_is_called_one() -> None:
    text = "int64_t f(int64_t n) {\n  int64_t k = n\n  return k;\n}"
    done = build_fast(Extension("wrong", (text,), (), (("f", "f"),)), NVCC_ARCH)
    assert (done.status, done.reason) == (BuildStatus.COMPILE_ERROR, "")
    assert re.search(r"main\.cpp:4:\d+: error: expected", done.log)


def _built_as(text: str, expected: int) -> None:
    m = loaded(Extension("same_name", (text,), (), (("f", "f"),)))
    assert m.f() == expected
    os._exit(0)


def test_one_name_and_two_sources_at_once_keep_their_own_modules() -> None:
    context = multiprocessing.get_context("fork")
    wanted = [(f"int64_t f() {{ return {n}; }}", n) for n in (11, 22)]
    processes = [context.Process(target=_built_as, args=w) for w in wanted]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]


@needs_nvcc
def test_a_kernel_builds_with_its_resources_and_is_found_again(tmp_path: Path, monkeypatch) -> None:
    extension = Extension(
        "kernels", ("torch::Tensor scaled(torch::Tensor x);",), (KERNEL,), (("scaled", "s"),)
    )
    first = build_fast(extension, NVCC_ARCH)
    assert first.status is BuildStatus.OK, (first.reason, first.log)
    assert [k.arch for k in first.kernels] == ["sm_90"] and first.kernels[0].kernel.startswith("scale")
    assert first.kernels[0].registers > 0
    again = build_fast(extension, NVCC_ARCH)
    assert again.cached and again.kernels == first.kernels
    m = import_module("kernels", again.library, again.support)
    with pytest.raises(RuntimeError, match="x must be on CUDA"):
        m.scaled(torch.ones(3))


@needs_nvcc
def test_half_types_are_known_without_their_headers_as_with_torchs() -> None:
    text = """
__global__ void twice(const __half* x, half2* y, __nv_bfloat16* z) { y[0] = __half2half2(__hadd(x[0], x[0])); z[0] = __float2bfloat16(1.f); }
void run(torch::Tensor x) { twice<<<1, 1>>>((const __half*)x.data_ptr<at::Half>(), nullptr, nullptr); }
"""
    done = build_fast(
        Extension("halves", ("void run(torch::Tensor x);",), (text,), (("run", ""),)), NVCC_ARCH
    )
    assert done.status is BuildStatus.OK, done.log


@needs_nvcc
def test_the_verb_names_the_line_and_the_fix(tmp_path: Path) -> None:
    folder = tmp_path / "with blanks é"
    folder.mkdir()
    file = folder / "model_new.py"
    kernel = KERNEL.replace("2 * x[i];", "2 * x[i]")
    file.write_text(
        "from torch.utils.cpp_extension import load_inline\n"
        f'SRC = r"""{kernel}"""\n'
        'm = load_inline(name="m", cpp_sources="torch::Tensor scaled(torch::Tensor x);", cuda_sources=SRC,\n'
        '                functions=["scaled"])\n'
    )
    command = [sys.executable, "-m", "cudasmith", "build", str(file), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (answer,) = json.loads(done.stdout)["files"]
    finding = answer["findings"][0]
    line = finding["line"]
    assert done.returncode == 1 and finding["code"] == "DG201", done.stderr
    assert file.read_text().splitlines()[line - 1].strip() == "if (i < n) y[i] = 2 * x[i]"
    assert finding["fixed_lines"] == ["  if (i < n) y[i] = 2 * x[i];"]
    assert answer["builds"][0]["route"] == "light headers"


def test_a_cache_cleared_during_a_build_is_filled_again(monkeypatch, tmp_path: Path) -> None:
    shared = fast_build.support_library(None).parent
    shutil.copytree(shared, tmp_path / "support" / shared.name)  # others need the shared one now
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path))
    real = fast_build._compile_cpp

    def clears(*args, **kwargs):
        monkeypatch.setattr(fast_build, "_compile_cpp", real)
        shutil.rmtree(fast_build.support_library(None).parent)
        return real(*args, **kwargs)

    monkeypatch.setattr(fast_build, "_compile_cpp", clears)
    text = f"int64_t f() {{ return 5; }} // {time.time()}"
    assert build_fast(Extension("cleared", (text,), (), (("f", "f"),)), NVCC_ARCH).status is BuildStatus.OK


def test_a_cache_deleted_under_the_compiler_is_not_the_sources_error(monkeypatch) -> None:
    real = fast_build._compile_cpp

    def deletes(job, scratch, unit, options):
        monkeypatch.setattr(fast_build, "_compile_cpp", real)
        shutil.rmtree(scratch)
        return CommandResult(
            1, "cc1plus: fatal error: cannot open 'a.s' for writing: No such file or directory", 0.1
        )

    monkeypatch.setattr(fast_build, "_compile_cpp", deletes)
    text = f"int64_t f() {{ return 6; }} // {time.time()}"
    assert build_fast(Extension("deleted", (text,), (), (("f", "f"),)), NVCC_ARCH).status is BuildStatus.OK


@needs_nvcc
@pytest.mark.skipif(torch.version.cuda is not None, reason="this torch can build CUDA itself, and decides")
def test_what_nobody_here_can_decide_is_told_with_its_line(tmp_path: Path) -> None:
    text = (
        "from torch.utils.cpp_extension import load_inline\n"
        f'SRC = r"""{KERNEL.replace("x.is_cuda()", "x.is_cudda()")}"""\n'
        'load_inline(name="m", cpp_sources="torch::Tensor scaled(torch::Tensor x);", cuda_sources=SRC,\n'
        '            functions=["scaled"])\n'
    )
    report = build(Candidate(text), BuildOptions())
    assert [b.status for b in report.builds] == [BuildStatus.NO_TOOLCHAIN]
    line = 1 + next(i for i, t in enumerate(text.splitlines()) if "is_cudda()" in t)
    assert report.findings[0].confidence == "low"
    assert report.findings[0].span is not None and report.findings[0].span.line == line


@needs_nvcc
def test_without_falling_back_what_the_light_headers_lack_is_not_decided() -> None:
    text = (
        "from torch.utils.cpp_extension import load_inline\n"
        'load_inline(name="m", cpp_sources="torch::Tensor f(torch::Tensor x) { return torch::erfinv(x); }",\n'
        '            functions=["f"])\n'
    )
    one = build(Candidate(text), BuildOptions(fall_back=False)).builds[0]
    assert one.status is BuildStatus.NO_TOOLCHAIN
    assert one.route.startswith("not decided, torch's own build was not asked for: ")


@needs_nvcc
def test_a_name_that_is_none_is_an_error_of_the_file() -> None:
    text = (
        "from torch.utils.cpp_extension import load_inline\n"
        'load_inline(name="my-ext", cpp_sources="int f(int n) { return n; }", functions=["f"])\n'
    )
    report = build(Candidate(text), BuildOptions())
    assert [b.status for b in report.builds] == [BuildStatus.COMPILE_ERROR]
    assert [(f.code, f.span.line if f.span else None) for f in report.findings] == [("DG123", 2)]


@needs_nvcc
def test_what_no_header_can_mend_is_an_error_of_the_file() -> None:
    text = (
        "from torch.utils.cpp_extension import load_inline\n"
        'SRC = r"""\n__global__ void k(float* y) {\n    y[0] = __shfl_down(y[0], 1);\n}\n"""\n'
        'load_inline(name="m", cpp_sources="", cuda_sources=SRC, functions=[])\n'
    )
    report = build(Candidate(text), BuildOptions())
    assert [b.status for b in report.builds] == [BuildStatus.COMPILE_ERROR]
    assert report.findings[0].code == "DG224"


@needs_nvcc
def test_names_may_have_letters_where_nvcc_takes_them() -> None:
    text = """
__global__ void k(float* x, int größe) { float π = 3; if (threadIdx.x < größe) x[threadIdx.x] = π; }
void run(torch::Tensor x) { int64_t größe = x.numel(); k<<<1, 32>>>(x.data_ptr<float>(), größe); }
"""
    done = build_fast(
        Extension("letters", ("void run(torch::Tensor x);",), (text,), (("run", ""),)), NVCC_ARCH
    )
    assert done.status is BuildStatus.OK, done.log


def test_an_include_path_is_that_of_the_caller_and_a_changed_header_is_seen(
    tmp_path: Path, monkeypatch
) -> None:
    (tmp_path / "own").mkdir()
    monkeypatch.chdir(tmp_path)
    text = '#include "value.h"\nint64_t f() { return VALUE; }'
    for value in (1, 22):
        (tmp_path / "own" / "value.h").write_text(f"#define VALUE {value}\n")
        assert loaded(Extension("including", (text,), (), (("f", "f"),), include_paths=("own",))).f() == value


def test_the_commonest_functions_of_torch_are_torchs_own() -> None:
    """Each in both languages, on the same tensors."""
    both = {
        "torch::cat({x, y})": lambda x, y: torch.cat([x, y]),
        "torch::cat(std::vector<torch::Tensor>{x, y}, 1)": lambda x, y: torch.cat([x, y], 1),
        "torch::stack({x, y}, -1)": lambda x, y: torch.stack([x, y], -1),
        "torch::where(x > 0, x, y)": lambda x, y: torch.where(x > 0, x, y),
        "torch::softmax(x, 1) + torch::pow(y, 2)": lambda x, y: torch.softmax(x, 1) + y**2,
        "x.clamp(0, 1) + y.clamp_min(0.5)": lambda x, y: x.clamp(0, 1) + y.clamp_min(0.5),
        "torch::clamp(x, std::nullopt, 1)": lambda x, y: torch.clamp(x, None, 1),
        "1 - x / (2 / y)": lambda x, y: 1 - x / (2 / y),
        "x.amax(1) + x.argmax(1)": lambda x, y: x.amax(1) + x.argmax(1),
        "torch::cumsum(x, 0).type_as(y)": lambda x, y: torch.cumsum(x, 0),
        "torch::sum(x, torch::kDouble)": lambda x, y: x.sum(dtype=torch.double),
        "torch::arange(1, 9, 2) + torch::eye(4)": lambda x, y: torch.arange(1, 9, 2) + torch.eye(4),
        "torch::linspace(0, 1, 5)": lambda x, y: torch.linspace(0, 1, 5),
        "x.to(torch::kCPU).index_select(0, y.argmin(0))": lambda x, y: x.index_select(0, y.argmin(0)),
        "x.gather(1, y.gt(0).to(torch::kLong))": lambda x, y: x.gather(1, (y > 0).long()),
        "x.masked_fill(y.gt(0), 7)": lambda x, y: x.masked_fill(y > 0, 7),
        "torch::full({2}, sizeof(at::acc_type<float, false>) + 0.5)": lambda x, y: torch.full((2,), 8.5),
    }
    head = "#include <ATen/AccumulateType.h>\n"
    text = head + "\n".join(
        f"torch::Tensor f{i}(torch::Tensor x, torch::Tensor y) {{ return {cpp}; }}"
        for i, cpp in enumerate(both)
    )
    names = tuple((f"f{i}", "") for i in range(len(both)))
    done = build_fast(Extension("common", (text,), functions=names), NVCC_ARCH)
    assert done.status is BuildStatus.OK and not done.reason, done.log + done.reason
    module = import_module("common", done.library, done.support)
    x, y = torch.randn(3, 3), torch.randn(3, 3)
    for i, (cpp, python) in enumerate(both.items()):
        assert torch.equal(getattr(module, f"f{i}")(x, y), python(x, y)), cpp


@pytest.mark.parametrize("by", ["absolute path", "flag", "nested"])
def test_a_changed_header_is_seen_however_it_is_named(by: str, tmp_path: Path) -> None:
    header, flags = f"{tmp_path}/value.h", ()
    if by == "flag":
        header, flags = "value.h", (f"-I{tmp_path}",)
    if by == "nested":
        (tmp_path / "outer.h").write_text('#include "value.h"\n')
        header = f"{tmp_path}/outer.h"
    extension = Extension(
        "naming", (f'#include "{header}"\nint64_t f() {{ return VALUE; }}',), (), (("f", "f"),), flags=flags
    )
    for value in (1, 22):
        (tmp_path / "value.h").write_text(f"#define VALUE {value}\n")
        assert loaded(extension).f() == value
