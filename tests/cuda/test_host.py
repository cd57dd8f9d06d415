"""What is known of a launch without running anything."""

from __future__ import annotations

import pytest

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.host import HostRun, Tensor, run
from cudasmith.cuda.numbers import Range, const


def followed(body: str, before: str = "", **given: object) -> HostRun:
    """The run of `void f(torch::Tensor x, int64_t d)` with that body."""
    unit = symbols(f"{before}\nvoid f(torch::Tensor x, int64_t d) {{\n{body}\n}}\n")
    function = unit.defined("f")
    assert function is not None
    values = {n: Tensor(n, v) if isinstance(v, tuple) else const(int(str(v))) for n, v in given.items()}
    return run([unit], function, values)


def grid_x(run_: HostRun) -> Range | None:
    return run_.launches[0].grid[0]


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("k<<<x.size(0), 1>>>();", 6),
        ("k<<<x.size(-1), 1>>>();", 10),
        ("k<<<x.sizes()[1], 1>>>();", 10),
        ("auto y = x.contiguous(); int n = y.numel(); k<<<(n + 31) / 32, 1>>>();", 2),
        ("dim3 g; g.x = x.size(1) * 2; k<<<g, 1>>>();", 20),
        ("auto s = x.sizes(); auto y = torch::empty({s[0], 3}, x.options()); k<<<y.numel(), 1>>>();", 18),
        ("int64_t n = 1; for (int64_t i = 0; i < x.dim(); ++i) n *= x.size(i); k<<<n, 1>>>();", 60),
        ("k<<<std::min<int64_t>(x.numel(), 16), 1>>>();", 16),
        ("const bool big = x.size(0) > 4; if (big) { k<<<7, 1>>>(); } else { k<<<8, 1>>>(); }", 7),
        ("k<<<x.view({-1, 5}).size(0), 1>>>();", 12),
        ("k<<<CEIL(x.size(1), kBlock), 1>>>();", 3),
        ("k<<<half(x.size(1)), 1>>>();", 5),
        ("d = at::maybe_wrap_dim(d, x.dim()); k<<<x.size(d) + d, 1>>>();", 11),
        ('AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "f", [&] { k<scalar_t><<<x.size(0), 1>>>(); });', 6),
        ("k<<<static_cast<unsigned>(x.size(0) << 1), 1>>>();", 12),
        ("k<<<sizeof(float) * 2, 1>>>();", 8),
    ],
)
def test_sizes_flow_to_the_launch(body: str, blocks: int) -> None:
    before = "#define CEIL(a, b) (((a) + (b) - 1) / (b))\nconstexpr int kBlock = 4;\nstatic int64_t half(int64_t n) { return n / 2; }"
    found = grid_x(followed(body, before, x=(6, 10), d=-1))
    assert found is not None
    assert found.exact == blocks


@pytest.mark.parametrize(
    ("body", "low"),
    [
        ("k<<<(x.numel() + 255) / 256, 1>>>();", 0),
        ("if (x.numel() == 0) return; k<<<(x.numel() + 255) / 256, 1>>>();", 1),
        ("int rows = x.size(0); if (x.numel() == 0) return; k<<<rows, 1>>>();", 1),
        ("if (!x.numel()) return; k<<<x.size(1), 1>>>();", 1),
        ("int64_t n = x.size(0) * x.size(1); if (n < 1) return; k<<<x.size(0), 1>>>();", 1),
        ("if (x.numel() > 0) k<<<x.numel() / x.size(1), 1>>>();", 1),
        ('TORCH_CHECK(x.numel() > 0, "empty"); k<<<x.numel(), 1>>>();', 1),
        ("auto y = torch::empty_like(x); if (y.numel() == 0) return; k<<<x.numel(), 1>>>();", 1),
    ],
)
def test_an_early_return_proves_that_the_grid_is_not_empty(body: str, low: int) -> None:
    found = grid_x(followed(body))
    assert found is not None
    assert (found.low, found.sized) == (low, True)


@pytest.mark.parametrize(
    "body",
    [
        "k<<<props.count, 1>>>();",
        "int n = 4; while (go()) n = next(n); k<<<n, 1>>>();",
        "int n = 4; if (go()) n = props.count; k<<<n, 1>>>();",
        "k<<<x.size(0) * scale, 1>>>();",
    ],
)
def test_what_is_not_understood_is_not_known(body: str) -> None:
    found = grid_x(followed(body, x=(6, 10)))
    assert found is None or found.exact is None


def test_a_launch_in_a_branch_that_nobody_knows_is_not_sure() -> None:
    run_ = followed("if (go()) k<<<1, 1>>>(); k<<<2, 1>>>();")
    assert [launch.sure for launch in run_.launches] == [False, True]


def test_a_branch_that_returns_leaves_no_trace_behind_it() -> None:
    body = "auto y = torch::empty({4}); if (go()) { y.zero_(); return; } k<<<1, 1>>>(y.data_ptr<float>());"
    launch = followed(body).launches[0]
    assert launch.written_before == frozenset()


def test_a_product_that_does_not_fit_is_told_with_its_value() -> None:
    lost = followed("int n = x.size(0); int all = n * 65536;", x=(65536,)).lost
    assert [(x.value, x.type) for x in lost] == [(1 << 32, "int")]


def test_constants_that_wrap_on_purpose_are_not_told() -> None:
    body = "int mask = 0xffffffff; uint32_t seed = 2654435761u * 40503u; int64_t big = int64_t(1) << 40;"
    assert followed(body).lost == ()
    (lost,) = followed("int n = x.numel();", x=(1 << 31,)).lost
    assert (lost.value, lost.type) == (1 << 31, "int")


def test_an_overflow_in_a_macro_stands_where_the_macro_is_used() -> None:
    before, body = "#define BYTES(n) ((n) * 65536 * 65536)", "int64_t all = BYTES(2);"
    (lost,) = followed(body, before).lost
    text = f"{before}\nvoid f(torch::Tensor x, int64_t d) {{\n{body}\n}}\n"
    assert (text[lost.start : lost.end], lost.function) == ("BYTES(2)", "f")


def test_arithmetic_that_grows_without_end_ends() -> None:
    body = "int64_t n = d; for (int i = 0; i < 500; ++i) n = n * n + n; k<<<n, 1>>>();"
    assert len(followed(body).launches) == 1
