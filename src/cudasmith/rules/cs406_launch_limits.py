"""CS406."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from cudasmith.cuda.host import LaunchFact
from cudasmith.cuda.numbers import Range
from cudasmith.model.finding import Finding, Severity, Span
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._launches import LaunchSeen
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject, Unit

_GRID_X, _GRID_YZ, _THREADS, _BLOCK_Z = (1 << 31) - 1, 65_535, 1024, 64
_SHARED_BYTES, _SHARED_BYTES_OPT_IN = (
    48 * 1024,
    227 * 1024,
)  # source: CUDA C++ Programming Guide, technical specifications
_TILE = 8  # with it grid.y reaches its limit at half a million rows
_OPT_IN = "cudaFuncAttributeMaxDynamicSharedMemorySize"
_LAUNCH = "<<<(n + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>("
_GUARD = "  if (n == 0) return out;\n"
_SMEM = "<<<(n + 255) / 256, 256, x.size(0) * sizeof(float), c10::cuda::getCurrentCUDAStream()>>>("


def _config(grid: str, block: str = "256", shared: str = "0") -> tuple[str, str]:
    return (_LAUNCH, f"<<<{grid}, {block}, {shared}, c10::cuda::getCurrentCUDAStream()>>>(")


def _here(change: tuple[str, str]) -> tuple[str, str]:
    return (change[0], change[1] + "  // HERE")


class LaunchLimits(Rule):
    """Every launch keeps the limits of CUDA at every size that the tensors may have.

    A launch outside them does nothing: a grid of zero blocks (an empty tensor), more than 65,535 blocks in y or
    z, more than 1,024 threads in a block, more than 48 KB of dynamic shared memory without
    cudaFuncAttributeMaxDynamicSharedMemorySize, or 227 KB with it. Sizes of tensors are followed to the launch through
    the arithmetic of the host function: a block as large as a row is right for 1,024 columns and fails for
    1,025. An error where constants, or the sizes of the problem (`--problem`), prove it; where they
    prove that the limit is kept, nothing is said.

    Bad:  `k<<<x.size(0), x.size(1)>>>`
    Good: `k<<<x.size(0), 256>>>` with a loop over the columns, and `if (x.numel() == 0) return out;` above
    """

    code = "CS406"
    name = "launch-limits"
    severity = severities("warning", "warning")
    BAD = (
        edit((_GUARD, ""), _here((_LAUNCH, _LAUNCH))),
        edit(
            (_GUARD, ""),
            ("torch::empty(x.sizes(),", "torch::empty({x.size(0), (x.size(1) - 9) / 2 + 1},"),
            _here(_config("(out.size(0) * out.size(1) + 255) / 256")),
        ),
        edit(_here(_config("n", "2048"))),
        edit(_here(_config("(n + 1) / 2", "dim3(64, 32)"))),
        edit(_here(_config("x.size(0)", "x.size(1)"))),
        edit(
            _here(_config("grid", "block")),
            (
                _GUARD,
                _GUARD
                + "  dim3 grid((unsigned)((x.size(1) + 127) / 128), (unsigned)x.size(0)), block(128);\n",
            ),
        ),
        edit(_here((_LAUNCH, _SMEM))),
        edit(_here(_config("n", "256", "64 << 10"))),
        edit(_here(_config("n", "dim3(32, 0)"))),
        edit(_here(_config("16 / 32"))),
        edit(
            _here(_config("n", "256", "228 << 10")),
            (_GUARD, _GUARD + f"  cudaFuncSetAttribute(scale_thread_per_element, {_OPT_IN}, 228 << 10);\n"),
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit(_config("x.size(0)", "std::min<int64_t>(x.size(1), 1024)")),
        edit(_config("x.size(0)", "x.size(1) > 1024 ? 1024 : x.size(1)")),
        edit(
            _config("x.size(0)", "threads"),
            (_GUARD, _GUARD + "  int threads = x.size(1);\n  if (threads > 1024) threads = 1024;\n"),
        ),
        edit(
            (_LAUNCH, _SMEM),
            (_GUARD, _GUARD + f"  cudaFuncSetAttribute(scale_thread_per_element, {_OPT_IN}, 1 << 16);\n"),
        ),
        edit(
            (_LAUNCH, _SMEM),
            (_GUARD, _GUARD + '  TORCH_CHECK(x.size(0) <= 1024, "too wide");\n'),
        ),
        edit((_GUARD, "  const int rows = x.size(0);\n  if (!rows) return out;\n"), _config("rows")),
        edit(
            (_GUARD, "  if (n > 0)\n"),
            _config("CEIL_DIV(n, kThreads)", "kThreads"),
            (
                "__global__",
                "#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))\nconstexpr int kThreads = 256;\n__global__",
            ),
        ),
        edit((_GUARD, "  if (0 == n) return out;\n")),
        edit((_GUARD, ""), _config("(n - 1) / 256 + 1")),
        edit(
            ("torch::empty(x.sizes(),", "torch::empty({x.size(0), (x.size(1) - 1) * 2 + 3},"),
            _config("((n + 255) / 256)"),
        ),
        edit(("torch::empty(x.sizes(),", "torch::empty({x.size(0), 2 * x.size(1)},"), _config("x.size(0)")),
        edit(
            (_GUARD, "  if (x.size(0) == 0 || x.size(1) == 0) return out;\n"),
            ("torch::empty(x.sizes(),", "torch::empty({x.size(0), x.size(1)},"),
        ),
        edit(
            _config("blocks"),
            (_GUARD, _GUARD + "  int blocks = (n + 255) / 256;\n  if (blocks > 65535) blocks = 65535;\n"),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            for seen in unit.followed.launches:
                span = unit.part(seen.place).span(seen.start, seen.end)
                yield from self._launch(subject, unit, seen, span)

    def _launch(self, subject: Subject, unit: Unit, seen: LaunchSeen, span: Span) -> Verdicts:
        for axis, limit in (("x", _GRID_X), ("y", _GRID_YZ), ("z", _GRID_YZ)):
            yield from self._most(
                subject, seen, span, _axis("grid", axis), limit, f"blocks in grid.{axis}",
                "put the long dimension into grid.x, or loop over it with a grid of at most 65,535",
            )  # fmt: skip
        help = "take a fixed block, for example 256 threads, and loop over the rest"
        yield from self._most(subject, seen, span, _threads, _THREADS, "threads in a block", help)
        yield from self._most(subject, seen, span, _axis("block", "z"), _BLOCK_Z, "threads in block.z", help)
        if not any(_OPT_IN in f.words for p in unit.parts for f in p.symbols.functions):
            help = f"raise it first: cudaFuncSetAttribute({seen.kernel}, {_OPT_IN}, bytes)"
            what = "bytes of dynamic shared memory"
            yield from self._most(subject, seen, span, lambda f: f.shared_bytes, _SHARED_BYTES, what, help)
        elif any(f.shared_bytes is not None and f.shared_bytes.low > _SHARED_BYTES_OPT_IN for f in seen.free):
            message = (
                f"{seen.kernel} is launched with more than {_SHARED_BYTES_OPT_IN:,} bytes of shared memory"
            )
            help = "no GPU has as much for one block: keep less at a time"
            yield self.found(subject, span, message, help=help, severity="error")
        yield from self._zero(subject, seen, span)

    def _most(
        self,
        subject: Subject,
        seen: LaunchSeen,
        span: Span,
        number: Callable[[LaunchFact], Range | None],
        limit: int,
        what: str,
        help: str,
    ) -> Verdicts:
        """More than `limit`: always, at the problem's sizes, or at some sizes."""

        def told(message: str, sure: bool) -> Finding:
            return self.found(
                subject,
                span,
                message,
                help=help,
                confidence="high" if sure else "medium",
                severity="error" if sure else None,
            )

        constant = [r.low for f in seen.free if (r := number(f)) is not None and r.low > limit]
        at_problem = _at_problem(seen, number)
        over = {value: sure for value, sure in at_problem if value is not None and value > limit}
        if constant:
            yield told(f"{seen.kernel} is launched with {constant[0]:,} {what}: at most {limit:,}", True)
        elif over:
            value = max(over)
            message = (
                f"at the problem's sizes {seen.kernel} is launched with {value:,} {what}: at most {limit:,}"
            )
            yield told(message, over[value])
        elif limit != _GRID_X and not _proven(at_problem) and any(_open(number(f), limit) for f in seen.free):
            message = (
                f"{seen.kernel} is launched with as many {what} as a tensor's sizes say: at most {limit:,}"
            )
            yield told(message, False)

    def _zero(self, subject: Subject, seen: LaunchSeen, span: Span) -> Verdicts:
        help = "return before the launch when there is nothing to do: if (x.numel() == 0) return out;"
        at_problem = [p for w in ("grid", "block") for a in "xyz" for p in _at_problem(seen, _axis(w, a))]
        if any(value == 0 and sure for value, sure in at_problem):
            message = f"at the problem's sizes {seen.kernel} is launched with an empty grid or block"
            yield self.found(subject, span, message, help=help, severity="error")
            return
        ranges = [r for f in seen.free for r in (*f.grid, *f.block)]
        if any(r is not None and not r.sized and r.high <= 0 for r in ranges):
            message = f"{seen.kernel} is launched with an empty grid or block"
            yield self.found(subject, span, message, severity="error")
            return
        if not _proven(at_problem) and any(r is not None and r.sized and r.low == 0 for r in ranges):
            message = f"{seen.kernel} is launched with an empty grid when a tensor is empty"
            mild: Severity | None = None if subject.mode == "strict" else "info"
            yield self.found(subject, span, message, help=help, confidence="medium", severity=mild)


def _proven(at_problem: list[tuple[int | None, bool]]) -> bool:
    """Whether the number is known each time that the problem reaches the launch."""
    return bool(at_problem) and all(value is not None for value, _ in at_problem)


def _open(number: Range | None, limit: int) -> bool:
    """Whether a size of a tensor may pass the limit. A size by tiles of 8 or more is taken to be small."""
    return number is not None and number.sized and number.high > limit and number.divisor < _TILE


def _axis(of: Literal["grid", "block"], axis: str) -> Callable[[LaunchFact], Range | None]:
    return lambda fact: getattr(fact, of)["xyz".index(axis)]


def _threads(fact: LaunchFact) -> Range | None:
    """Threads of a block; not known where one axis is not."""
    low, high, sized = 1, 1, False
    for axis in fact.block:
        if axis is None:
            return None
        low, high, sized = low * max(axis.low, 0), high * max(axis.high, 0), sized or axis.sized
    return Range(low, high, sized)


def _at_problem(
    seen: LaunchSeen, number: Callable[[LaunchFact], Range | None]
) -> list[tuple[int | None, bool]]:
    """The number, if known, each time that the problem reaches the launch, and whether it does for certain."""
    found = [(number(fact), fact.sure) for fact in seen.known]
    return [(r.exact if r is not None else None, sure) for r, sure in found]
