"""A finding of the emulator's checked mode at the line of the Python file."""

from __future__ import annotations

from cudasmith.emulator import Detected, Place
from cudasmith.model import Candidate
from cudasmith.stages.emulated_place import Loaded, findings

FILE = '''from torch.utils.cpp_extension import load_inline
first = "// nothing\\n"
second = """
__global__ void k(float* y) {
  y[threadIdx.x + 1] = 1;
}
"""
ext = load_inline(name="e", cpp_sources="", cuda_sources=[first, second], functions=["f"])
'''


def found(source: str, line: int) -> Detected:
    return Detected("EM101", "out-of-bounds write", "k", 9, Place(source, line, (0, 0, 0), (63, 0, 0)))


def test_a_finding_stands_at_its_line_of_the_python_file() -> None:
    (finding,) = findings([found("cuda_sources[1]", 3)], Candidate(FILE))
    assert finding.span is not None
    assert FILE.splitlines()[finding.span.line - 1] == "  y[threadIdx.x + 1] = 1;"
    assert finding.code == "EM101"


def test_a_place_that_is_not_known_gives_no_line() -> None:
    places = [("cuda_sources[2]", 1), ("", 3), ("cuda_sources[1]", 99)]
    assert [f.span for f in findings([found(*p) for p in places], Candidate(FILE))] == [None, None, None]


def test_a_fault_in_cublas_stands_at_the_line_of_the_call() -> None:
    text = "void f() {\n  cublasSscal(h, 9, &two, y, 1);\n}\n"
    file = f'from torch.utils.cpp_extension import load_inline\nCUDA = """{text}"""\next = load_inline(name="e", cpp_sources="", cuda_sources=CUDA)\n'
    one = Detected("EM101", "out-of-bounds read", "cublasSscal", 2, Place("", 0, (0, 0, 0), (0, 0, 0)))
    (finding,) = findings([one], Candidate(file), [Loaded((("cuda_sources[0]", text),), "f.py", 3)])
    assert finding.span is not None and "cublasSscal(h" in file.splitlines()[finding.span.line - 1]
