"""Function bodies as statements and expressions."""

from __future__ import annotations

import pytest

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.statements import Expr, Stmt


def body(text: str) -> Stmt:
    found = symbols(f"void f() {{ {text} }}").named("f")[0].body
    assert found is not None
    return found


def only(text: str) -> Expr:
    return body(text).bodies[0].exprs[0]


@pytest.mark.parametrize(
    ("text", "kind", "op", "parts"),
    [
        ("(a + b) * c;", "binary", "*", ["(a + b)", "c"]),
        ("x.size(0);", "method", "size", ["x", "0"]),
        ("x.data_ptr<float>();", "method", "data_ptr", ["x"]),
        ("at::empty({1}, o);", "call", "at::empty", ["{1}", "o"]),
        ("(int)n;", "cast", "int", ["n"]),
        ("static_cast<int64_t>(n);", "cast", "int64_t", ["n"]),
        ("s[i][j] = 1;", "assign", "=", ["s[i][j]", "1"]),
        ("k<float><<<g, b>>>(x, n);", "launch", "k", None),
        ("a ? b : c;", "choice", "?", ["a", "b", "c"]),
    ],
)
def test_an_expression(text: str, kind: str, op: str, parts: list[str] | None) -> None:
    expr = only(text)
    assert (expr.kind, expr.op) == (kind, op)
    if parts is not None:
        assert [p.text for p in expr.parts] == [p.strip("()") for p in parts]


def test_a_launch_has_its_configuration_and_its_arguments() -> None:
    config, arguments = only("k<<<dim3(1, 2), 32, 0, s>>>(x, n);").parts
    assert [p.text for p in config.parts] == ["dim3(1, 2)", "32", "0", "s"]
    assert [p.text for p in arguments.parts] == ["x", "n"]


def test_statements_hold_each_other() -> None:
    loop = body("for (int i = 0, j = 1; i < n; ++i) { if (i) continue; else return; }").bodies[0]
    assert loop.init is not None and [d.name for d in loop.init.declared] == ["i", "j"]
    assert loop.step is not None and loop.step.text == "++i"
    assert [s.kind for s in loop.walk()] == ["loop", "declare", "block", "if", "continue", "return"]


def test_declarations_say_where_they_live() -> None:
    shared, pointer, kept = (
        s.declared[0] for s in body("__shared__ float s[2][N]; float* p = s; static int n;").bodies
    )
    assert (shared.shared, shared.dims) == (True, ("2", "N"))
    assert pointer.pointer and pointer.value is not None and pointer.value.text == "s"
    assert kept.static


def test_a_body_in_a_lambda_is_found_through_its_call() -> None:
    kinds = {e.kind for e in body('DISPATCH(t, "f", [&] { k<<<1, 2>>>(); });').expressions()}
    assert "launch" in kinds


def test_macros_that_are_expressions() -> None:
    found = symbols(
        "#define N 4\n#define UP(a, b) (((a) + (b) - 1) / (b))\n#define CHECK(x) do { f(x); } while (0)\n"
    )
    assert found.constants["N"].op == "4"
    assert found.macro_functions["UP"][0] == ("a", "b")
    assert "CHECK" not in found.macro_functions
