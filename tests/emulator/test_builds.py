"""What load_inline accepts and refuses, and how builds are cached."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch.utils.cpp_extension

from cudasmith import emulator
from cudasmith.emulator import build, install, toolchain
from cudasmith.emulator.build import Unit
from cudasmith.emulator.toolchain import Headers

_BODY = "#include <torch/extension.h>\nint64_t one() { return 1; }\n"
_BINDING = 'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("one", &one); }\n'


def _refused(**arguments: object) -> emulator.EmulatorBuildError:
    with pytest.raises(emulator.EmulatorBuildError) as caught:
        emulator.load_inline(**{"name": "refused", "cpp_sources": [], **arguments})  # type: ignore[arg-type]
    return caught.value


def test_two_bindings_are_refused() -> None:
    error = _refused(cuda_sources=[_BODY + _BINDING + _BINDING])
    assert "redefinition of PyInit_refused" in str(error)
    assert (error.source, error.line) == ("cuda_sources[0]", 4)


def test_a_binding_together_with_functions_is_refused() -> None:
    assert "functions=[...]" in str(_refused(cuda_sources=_BODY + _BINDING, functions=["one"]))


def test_a_missing_binding_is_refused() -> None:
    assert "does not define module export function PyInit_refused" in str(_refused(cuda_sources=_BODY))


def test_a_binding_of_another_name_is_refused() -> None:
    source = _BODY + _BINDING.replace("TORCH_EXTENSION_NAME", "other")
    assert "lacks PyInit_refused" in str(_refused(cuda_sources=source))


def test_a_compile_error_names_the_line_of_the_users_text() -> None:
    kernel = "__global__ void k(float* x) {\n  __shared__ float s[4];\n  x[0] = missing + s[0];\n}\n"
    error = _refused(cuda_sources=[_BODY, kernel + _BINDING])
    assert (error.source, error.line) == ("cuda_sources[1]", 3)
    assert "'missing'" in str(error)


def test_half_operators_need_the_flag_that_nvcc_needs() -> None:
    kernel = "#include <cuda_fp16.h>\n__global__ void k(__half* x) {\n  x[0] = x[0] + x[0];\n}\n"
    assert _refused(cuda_sources=[_BODY + kernel + _BINDING]).line == 5
    emulator.load_inline(
        name="half_operators",
        cpp_sources=[],
        cuda_sources=[_BODY + kernel + _BINDING],
        extra_cuda_cflags=["-U__CUDA_NO_HALF_OPERATORS__"],
    )


def test_a_function_is_declared_in_cpp_sources_and_defined_in_cuda_sources() -> None:
    kernel = "__global__ void k(float* x) { x[threadIdx.x] = threadIdx.x; }\n"
    host = "void fill(torch::Tensor x) { k<<<1, x.numel()>>>(x.data_ptr<float>()); }\n"
    module = emulator.load_inline(
        name="split",
        cpp_sources="void fill(torch::Tensor x);",
        cuda_sources=kernel + host,
        functions=["fill"],
    )
    x = torch.zeros(4)
    module.fill(x)
    assert x.tolist() == [0, 1, 2, 3]


def test_a_function_that_is_declared_only_is_refused() -> None:
    error = _refused(cpp_sources="void fill(torch::Tensor x);", functions=["fill"])
    assert "undefined symbol" in str(error)


def test_installed_replaces_load_inline_and_restores_it() -> None:
    assert torch.utils.cpp_extension.load_inline is emulator.load_inline
    assert torch.ones(1).is_cuda
    assert torch.nn.Linear(2, 2).cuda().weight.device.type == "cuda"
    with install.installed():
        pass
    assert torch.utils.cpp_extension.load_inline is emulator.load_inline


def test_a_repeated_build_is_a_cache_hit(correct: object, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (Path(__file__).parent / "correct_kernels.cu").read_text()
    monkeypatch.setattr(build, "run_compiler", lambda arguments: pytest.fail("compiled again"))
    again = emulator.load_inline(
        name="correct_kernels", cpp_sources=[], cuda_sources=[source], extra_cuda_cflags=["-O3"]
    )
    assert again.__file__ == correct.__file__  # type: ignore[attr-defined]


def test_generated_lines_keep_the_users_line_numbers() -> None:
    text = "__global__ void k();\nvoid f() {\n  k<<<1,\n      2>>>(\n);\n}\n"
    assert Unit((("cuda_sources[0]", text),)).text().count("\n") == text.count("\n") + 2


_BEYOND = """#include <torch/extension.h>
#include <ATen/native/Resize.h>
__global__ void write(float* x, int at) { x[at] = 1; }
torch::Tensor put(torch::Tensor x, int at, int threads, py::dict options) {
  TORCH_CHECK(x.is_cuda() && options.size() == 0, "no options");
  write<<<1, threads>>>(x.data_ptr<float>(), at);
  return torch::softmax(x, 0);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("put", &put); }
"""


def _tried(monkeypatch: pytest.MonkeyPatch, log: str) -> list[str]:
    """The headers that a build tries whose compile with the light ones fails with this log."""
    tried: list[str] = []

    def compiled(
        text: str, output: Path, flags: list[str], headers: Headers, header: Path, mode: str
    ) -> None:
        tried.append(headers.name)
        raise build._build_error(subprocess.CompletedProcess([], 1, "", log))

    monkeypatch.setattr(build, "_compile", compiled)
    monkeypatch.setattr(build, "precompiled_header", lambda headers, mode: Path("prelude.h"))
    with pytest.raises(emulator.EmulatorBuildError):
        build.build("tried", [Unit((("cuda_sources[0]", log),))], [], Path("libsupport.so"))
    return tried


def test_torchs_own_headers_are_tried_where_the_error_may_be_the_light_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = "cuda_sources[0]:3:5: error: 'missing' was not declared in this scope\n"
    assert _tried(monkeypatch, own) == ["light"]
    lacking = "cuda_sources[0]:3:5: error: 'softmax' is not a member of 'torch'\n"
    assert _tried(monkeypatch, lacking) == ["light", "torch"]
    header = "cuda_sources[0]:2:10: fatal error: ATen/native/Resize.h: No such file or directory\n"
    assert _tried(monkeypatch, header) == ["light", "torch"]


@pytest.mark.skipif(
    "CUDASMITH_TEST_TORCH_HEADERS" not in os.environ,
    reason="compiling torch's own headers takes a minute: set CUDASMITH_TEST_TORCH_HEADERS=1",
)
def test_what_the_light_headers_lack_comes_from_torchs_own() -> None:
    """A header, a function and a parameter type without a light form; faults and launch errors are told all the same."""
    module = emulator.load_inline(name="beyond", cpp_sources=[], cuda_sources=[_BEYOND])
    x = torch.zeros(4)
    y = module.put(x, 3, 1, {})
    assert x.tolist() == [0, 0, 0, 1]
    torch.testing.assert_close(y, x.softmax(0))
    with pytest.raises(emulator.EmulatorFault, match="out-of-bounds write"):
        module.put(x, 4, 1, {})
    with pytest.raises(emulator.EmulatorFault, match="invalid configuration"):
        module.put(x, 0, 1025, {})
    with pytest.raises(RuntimeError, match="no options"):
        module.put(x, 0, 1, {"a": 1})
    without = _BEYOND.replace("#include <torch/extension.h>", "#include <torch/types.h>")
    without = without.replace(", py::dict options", "").replace("options.size() == 0", "true")
    error = _refused(cuda_sources=[without])  # bindings need their header, although it is precompiled
    assert (error.source, error.line) == ("cuda_sources[0]", 9)


def test_load_inline_imported_by_name_before_is_the_emulators_inside() -> None:
    text = (
        "import torch.utils.cpp_extension as torchs\nfrom torch.utils.cpp_extension import load_inline as build\n"
        "from cudasmith import emulator\nwith emulator.installed():\n    assert build is emulator.load_inline\n"
        "assert build is torchs.load_inline is not emulator.load_inline\n"
    )
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0


def test_headers_that_take_a_minute_are_announced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path))
    monkeypatch.setattr(toolchain, "_checked", lambda arguments, what: None)
    said: list[str] = []
    with toolchain.announced(said.append):
        for _ in range(2):
            toolchain.precompiled_header(toolchain.torch_headers())
    (once,) = said
    assert once.startswith("preparing torch's own headers, which this source needs")


@pytest.mark.parametrize("how", ["include path", "flag", "absolute"])
def test_a_changed_header_of_the_users_is_built_again(how: str, tmp_path: Path) -> None:
    header = tmp_path / "number.h"
    named = f'"{header}"' if how == "absolute" else '"number.h"'
    given: dict[str, list[str]] = {
        "include path": {"extra_include_paths": [str(tmp_path)]},
        "flag": {"extra_cflags": [f"-I{tmp_path}"]},
        "absolute": {},
    }[how]
    text = f"#include {named}\nint64_t number() {{ return NUMBER; }}"
    for number in (1, 22):
        header.write_text(f"#define NUMBER {number}\n")
        module = emulator.load_inline("changed_header", text, functions=["number"], **given)  # type: ignore[arg-type]
        assert module.number() == number
