"""What the preprocessor leaves out is not judged; what it may keep is."""

from __future__ import annotations

import pytest

from cudasmith.cuda.conditionals import live
from cudasmith.cuda.extract import symbols


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\n#if 0\nb\n#endif\nc", "a c"),
        ("#if 1\na\n#else\nb\n#endif\nc", "a c"),
        ("#if 0\na\n#else\nb\n#endif", "b"),
        ("# if (0) // off\na\n#endif\nb", "b"),
        ("#if 0\n#ifdef X\na\n#else\nb\n#endif\nc\n#endif\nd", "d"),
        ("#if 0\na\n#elif 1\nb\n#else\nc\n#endif", "b"),
        ("#if 0\na\n#elif X\nb\n#else\nc\n#endif", "#if 0 #elif X b #else c #endif"),
        ("#ifdef X\na\n#else\nb\n#endif", "#ifdef X a #else b #endif"),
        ("#if X > 0\na\n#endif", "#if X > 0 a #endif"),
        ("/*\n#if 0\n*/ a\n", "/* #if 0 */ a"),
        ('const char* s = "\\\n#if 0"; a\n', 'const char* s = "\\ #if 0"; a'),
        ("#if 0\na", "#if 0 a"),  # without an end: a fault of the file, told elsewhere
        ("#endif\n#else\na", "#endif #else a"),
        ("#if 0\n\u00e4\n#endif\nb", "b"),
    ],
)
def test_what_is_compiled_is_left_at_its_place(text: str, left: str) -> None:
    found = live(text)
    assert " ".join(found.split()) == left
    assert len(found) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, found, strict=True))


def test_symbols_are_those_that_are_compiled() -> None:
    dead = "__global__ void k(float* x) { x[0 = 1; }\nPYBIND11_MODULE(other, m) {}\n"
    found = symbols(f"#if 0\n{dead}#else\n__global__ void k(int n) {{}}\n#endif\n")
    assert [f.params[0].name for f in found.functions] == ["n"]
    assert not found.faults
    assert not found.bindings
