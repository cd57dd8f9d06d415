"""What is known of the Python side: builds, handles, reach, faults."""

from __future__ import annotations

from cudasmith.model import Candidate
from cudasmith.rules._cases import CORRECT, PASSED, edit
from cudasmith.source.filemodel import FileModel, parse_file
from cudasmith.source.prose import looks_like_prose


def parse(text: str) -> FileModel:
    return parse_file(Candidate(text))


def test_a_build_call_tells_its_keywords() -> None:
    build = parse(CORRECT).builds[0]
    assert build.name == "scale_ext"
    assert build.cpp is None
    assert build.functions is None
    assert dict(build.flags) == {"extra_cflags": ("-O3",), "extra_cuda_cflags": ("-O3",)}
    assert build.unresolved == frozenset()


def test_the_extension_is_followed_through_attributes_and_arguments() -> None:
    file = parse(CORRECT)
    assert {"_ext", "ext"} <= file.handles.names
    assert [c.function for c in file.handles.calls] == ["scale"]
    assert [f.name for f in file.reach.forward] == ["forward", "forward"]
    assert [f.name for f in file.reach.backward] == ["backward"]


def test_an_exported_function_that_is_handed_on_counts_as_called() -> None:
    calls = parse(PASSED).handles.calls
    assert [c.function for c in calls] == ["scale"]
    assert len(calls[0].arguments) == 2
    assert calls[0].through is not None


def test_the_extension_is_followed_through_a_function_and_a_bound_operator() -> None:
    text = edit(("return Scale.apply(self.ext, x, self.by)", "op = get().scale\n        return op(x, 2)"))
    text += "\n\ndef get():\n    return ModelNew._ext\n"
    file = parse(text)
    assert "get" in file.handles.names
    assert [c.function for c in file.handles.calls] == ["scale", "scale"]


def test_a_helper_class_named_in_init_is_reached_only_when_forward_uses_it() -> None:
    helper = "class Part(nn.Module):\n    def forward(self, x):\n        return x\n\n\n"
    init = ("self.by = by\n", "self.by = by\n        self.part = Part()\n")
    unused = parse(helper + edit(init))
    assert len(unused.reach.forward) == 2
    used = parse(helper + edit(init, ("apply(self.ext, x,", "apply(self.ext, self.part(x),")))
    assert len(used.reach.forward) == 3


def test_a_text_that_is_no_python_has_a_fault_with_its_line() -> None:
    file = parse("x = 1\ny = (\n")
    assert file.fault is not None
    assert file.fault.span.line == 2
    assert parse("x = '\x00'").fault is not None


def test_prose_is_told_from_code() -> None:
    assert looks_like_prose("Here is the optimized kernel:")
    assert looks_like_prose("This kernel is faster because each element is read once")
    assert not looks_like_prose("# Here is the optimized kernel:")
    assert not looks_like_prose("if x is not None and y in z or not w:")
    assert not looks_like_prose("const unsigned long long int count = 3;")
    assert not looks_like_prose("static inline void f(int a);")


def test_a_function_that_is_handed_on_by_keyword_escapes() -> None:
    text = edit(
        ("        self.ext = ModelNew._ext\n", "        self.part = make(2, run=ModelNew._ext.scale)\n")
    )
    assert len(parse(text).handles.escapes) == 1
    assert not parse(edit(("self.by = by\n", "self.by = dict(a=by)\n"))).handles.escapes[1:]


def test_a_function_within_a_function_is_reached_once_and_walked_with_its_holder() -> None:
    inner = "        def inner(y):\n            return y\n\n"
    forward = "        return Scale.apply(self.ext, x, self.by)\n"
    assert [
        f.name for f in parse(edit((forward, inner + forward.replace("x,", "inner(x),")))).reach.forward
    ] == [
        "forward",
        "forward",
    ]
