"""The line of a kernel or of its launch that a CUDA error is told at."""

from __future__ import annotations

import pytest

from cudasmith.model import Candidate
from cudasmith.model.finding import Finding
from cudasmith.stages.diagnose import diagnose

HOST = """torch::Tensor f(torch::Tensor x) {
    int n = x.numel();
    auto y = torch::empty_like(x);
    k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}"""
KERNEL = """__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}"""


FILE = (
    "from torch.utils.cpp_extension import load_inline\n"
    'src = r"""\n{kernel}\n{host}\n"""\n'
    'm = load_inline(name="m", cpp_sources="torch::Tensor f(torch::Tensor x);", cuda_sources=src, functions=["f"])\n'
)


def findings(kernel: str, host: str, error: str) -> list[Finding]:
    text = f"torch.AcceleratorError: CUDA error: {error}\n"
    return diagnose(text, Candidate(FILE.replace("{kernel}", kernel).replace("{host}", host)))


def told(kernel: str, host: str, error: str) -> str:
    """The line that the error is told at."""
    text = FILE.replace("{kernel}", kernel).replace("{host}", host)
    span = findings(kernel, host, error)[0].span
    return text.split("\n")[span.line - 1].strip() if span is not None else ""


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("if (i < n)", "if (i <= n)", "if (i <= n) y[i] = x[i];"),
        ("if (i < n) y", "y", "y[i] = x[i];"),
        ("= x[i];", "= x[i + 1];", "if (i < n) y[i] = x[i + 1];"),
        ("x[i]", "x[i * n * 4]", "if (i < n) y[i] = x[i * n * 4];"),
        ("x[i]", "x[i / 2]", KERNEL.split("\n")[0]),  # nothing is certain: the kernel
    ],
)
def test_an_illegal_access_is_told_at_what_is_wrong_in_the_kernel(old: str, new: str, line: str) -> None:
    assert told(KERNEL.replace(old, new, 1), HOST, "an illegal memory access was encountered") == line


def test_an_illegal_access_is_told_at_the_tensor_left_on_the_cpu() -> None:
    host = HOST.replace("torch::empty_like(x)", "torch::empty({n})")
    assert "empty({n})" in told(KERNEL, host, "an illegal memory access was encountered")


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ("n / 256, 2048", "k<<<n / 256, 2048>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);"),
        ("grid, block", "dim3 block(32, 64);"),
        ("dim3(1, n), 256", "k<<<dim3(1, n), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);"),
    ],
)
def test_a_refused_shape_is_told_where_it_is_written(config: str, line: str) -> None:
    host = HOST.replace("(n + 255) / 256, 256", config)
    if "block" in config:
        host = host.replace("    k<<<", "    dim3 block(32, 64);\n    dim3 grid(n / 2048);\n    k<<<")
    assert told(KERNEL, host, "invalid configuration argument") == line


@pytest.mark.parametrize(
    ("old", "new", "says", "confidence"),
    [
        ("<<<n, 256>>>", "<<<n, 2048>>>", "k is launched with 2048 threads per block; 1024 are the most", "high"),
        ("<<<n, 256>>>", "<<<n, 32 * BLOCK>>>", "k is launched with 2048 threads per block", "high"),
        ("<<<n, 256>>>", "<<<dim3(1, 70000), 256>>>", "k is launched with 70000 blocks in y; 65535 are the most", "high"),
        ("<<<n, 256>>>", "<<<dim3(1, n), 256>>>", "k: n blocks in y or z may be 0 or more than 65535", "medium"),
        ("<<<n, 256>>>", "<<<n / 256, 256>>>", "k: n / 256 blocks may be none", "medium"),
        ("<<<n, 256>>>", "<<<n, 256, 50000>>>", "k is launched with 50000 bytes of dynamic shared memory", "high"),
        ("<<<n, 256>>>", "<<<n, 256, n * 4>>>", "k may be launched with more dynamic shared memory", "medium"),
        ("<<<n, 256>>>", "<<<n, 256, BLOCK * sizeof(float)>>>", "a CUDA call got an invalid argument", "high"),
        ("<<<n, 256>>>", "<<<(n + 255) / 256, 256>>>", "a CUDA call got an invalid argument", "high"),
        ("    k<<<", "    cudaMemcpyToSymbol(c, p, 36);\n    k<<<", "copies 36 bytes, and c holds 32 bytes", "high"),
        ("    k<<<", "    cudaMemcpyToSymbol(c, p, n * 4);\n    k<<<", "may copy more than there is", "medium"),
        ("    k<<<", "    cudaMemcpyToSymbol(c, p, 8 * sizeof(float));\n    k<<<", "got an invalid argument", "high"),
        ("    k<<<", "    r.res.pitch2D.pitchInBytes = n * sizeof(float);\n    k<<<", "got an invalid argument", "high"),
        ("    k<<<", "    r.res.pitch2D.pitchInBytes = n;\n    k<<<", "may refuse pitchInBytes = n", "medium"),
    ],
)  # fmt: skip
def test_an_invalid_argument_is_a_fact_only_where_numbers_prove_it(
    old: str, new: str, says: str, confidence: str
) -> None:
    host = HOST.replace("(n + 255) / 256, 256", "n, 256")
    assert old in host
    top = "#define BLOCK 64\n__constant__ float c[8];\n"
    (found,) = findings(top + KERNEL, host.replace(old, new), "invalid argument")
    assert says in found.message
    assert found.confidence == confidence
    if confidence == "medium":
        assert "may" in found.message


def test_a_size_that_changes_is_not_proven() -> None:
    host = HOST.replace(
        "    k<<<(n + 255) / 256, 256>>>", "    int t = 2048;\n    t /= 4;\n    k<<<n / 256, t>>>"
    )
    (found,) = findings(KERNEL, host, "invalid configuration argument")
    assert "may be" in found.message


def test_what_a_check_macro_prints_is_told_at_that_call() -> None:
    host = HOST.replace("    k<<<", "    CHECK(cudaMemcpy(a, b, n, kind));\n    k<<<")
    text = FILE.replace("{kernel}", KERNEL).replace("{host}", host)
    (found,) = diagnose("RuntimeError: cudaMemcpy(a, b, n, kind): invalid argument\n", Candidate(text))
    assert "cudaMemcpy got" in found.message
    assert found.span is not None
    assert text.split("\n")[found.span.line - 1].strip() == "CHECK(cudaMemcpy(a, b, n, kind));"


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ("cudaEventCreateWithFlags(&a, cudaEventDisableTiming); cudaEventRecord(a, s); cudaEventRecord(b, s);", "DisableTiming"),
        ("cudaEventCreate(&a); cudaEventRecord(a, s);", "b, which is never recorded"),
        ("cudaEventCreate(&a); cudaEventRecord(a, s); begin(timer, b);", "of another device, destroyed or never made"),
        ("cudaEventCreate(&a); cudaEventRecord(a, s); cudaEventRecord(b, s); cudaEventDestroy(a);", "a is used behind"),
        ("cudaEventCreate(&a); cudaEventRecord(a, s); cudaEventRecord(b, s);", "of another device, destroyed or never made"),
    ],
)  # fmt: skip
def test_an_event_that_cannot_be_timed_is_named(events: str, says: str) -> None:
    timed = f"    cudaEvent_t a, b; float ms;\n    {events}\n    cudaEventElapsedTime(&ms, a, b);\n    k<<<"
    (found,) = findings(KERNEL, HOST.replace("    k<<<", timed), "invalid resource handle")
    assert says in found.message


@pytest.mark.parametrize(
    ("use", "blamed"),
    [
        ("t[0] = x[i];", True),
        ("if (!t) return; t[0] = x[i];", False),
        ("if (t == NULL) return; t[0] = x[i];", False),
    ],
)
def test_memory_of_the_heap_is_blamed_where_nobody_asks_for_it(use: str, blamed: bool) -> None:
    heap = f"if (i >= n) return;\n    float* t = (float*)malloc(4 * n);\n    {use} y[i] = t[0];"
    line = told(
        KERNEL.replace("if (i < n) y[i] = x[i];", heap), HOST, "an illegal memory access was encountered"
    )
    assert line.startswith("float* t") is blamed


def test_a_launch_that_a_sanitizer_names_is_told_as_the_launch() -> None:
    text = FILE.replace("{kernel}", KERNEL).replace("{host}", HOST.replace(", 256>>>", ", 2048>>>"))
    log = '========= Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to cudaLaunchKernel.\n'
    assert "2048 threads" in diagnose(log, Candidate(text))[0].message
