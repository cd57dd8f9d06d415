"""CS407."""

from __future__ import annotations

from collections.abc import Iterator

from cudasmith.cuda.indices import Access, accesses, declarations, global_product, widens
from cudasmith.cuda.numbers import Range
from cudasmith.model.finding import Finding, Span
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._launches import LaunchSeen
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject, Unit

_LIMITS = {"int": (1 << 31) - 1, "unsigned": (1 << 32) - 1}
_INDEX = "  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;\n"
_ALLOC = "  torch::Tensor out = torch::empty(x.sizes(), x.options());\n"
_INT = (_INDEX, "  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // HERE\n")
_READ = ("__ldg(x + i)", "x[i]")


class IndexWidth(Rule):
    """Indices are as wide as the tensors are large: 64 bits above 2,147,483,647 elements.

    `int i = blockIdx.x * blockDim.x + threadIdx.x` turns negative there and still passes `i < n`; a
    64-bit variable does not help when the product is computed in 32 bits. An error where the problem
    (`--problem`) has as many elements, or a size does not fit into the variable of the host function that
    keeps it; else a note. Nothing is said where a TORCH_CHECK bounds the number of elements, or where the problem's
    are few.

    Bad:  `int64_t i = blockIdx.x * blockDim.x + threadIdx.x`
    Good: `int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x`
    """

    code = "CS407"
    name = "index-width"
    severity = severities("info", "info")
    BAD = (
        edit(_INT, _READ),
        edit((_INDEX, "  const int64_t i = blockIdx.x * blockDim.x + threadIdx.x;  // HERE\n"), _READ),
        edit(
            (_INDEX, "  const int row = blockIdx.x, cols = blockDim.x;\n"),
            ("  if (i < n) out[i] = __ldg(x + i) * by;", "  out[row * cols + threadIdx.x] = by;  // HERE"),
        ),
        edit((_ALLOC, _ALLOC + "  const int bytes = 65536 * 65536;  // HERE\n")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit(
            (_INDEX, _INT[1].replace("  // HERE", "")),
            _READ,
            (_ALLOC, '  TORCH_CHECK(x.numel() <= INT_MAX, "32-bit indices");\n' + _ALLOC),
            ("__global__", "#define INT_MAX 2147483647\n__global__"),
        ),
        edit(
            (
                _INDEX,
                "  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n",
            ),
            ("  if (i < n) out[i] = __ldg(x + i) * by;", "    out[i] = x[i] * by;"),
        ),
        edit(
            (
                _INDEX,
                "  const float* row = x + static_cast<int64_t>(blockIdx.x) * 64;\n  const int i = threadIdx.x;\n",
            )
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            told: set[Span] = set()
            for place, lost in unit.followed.lost:
                if lost.sure:
                    span = unit.part(place).span(lost.start, lost.end)
                    message = f"{lost.value:,} does not fit into {lost.type}, in which it is computed or kept"
                    help = "compute and keep sizes in int64_t"
                    yield self.found(subject, span, message, help=help, severity="error")
            for seen in unit.followed.launches:
                for span, elements in _narrow(unit, seen):
                    if span not in told:
                        told.add(span)
                        yield self._told(subject, span, elements)

    def _told(self, subject: Subject, span: Span, elements: int | None) -> Finding:
        help = "make it int64_t and widen before the product: static_cast<int64_t>(blockIdx.x) * blockDim.x"
        if elements is not None:
            message = f"a 32-bit index, and the problem's tensor has {elements:,} elements"
            return self.found(subject, span, message, help=help, severity="error")
        message = "a 32-bit index: it wraps in a tensor of more than 2,147,483,647 elements"
        return self.found(subject, span, message, help=help, confidence="medium")


def _narrow(unit: Unit, seen: LaunchSeen) -> Iterator[tuple[Span, int | None]]:
    """Where a kernel's index is too narrow, and the elements of the problem's tensor that show it."""
    found = unit.kernel(seen.kernel)
    if found is None:
        return
    part, kernel = found
    declared = declarations(kernel)
    every = accesses(kernel)
    general: Access | None = None
    for position, param in enumerate(kernel.params):
        mine = [a for a in every if a.pointer == param.name]
        if not mine or not all(a.type in _LIMITS for a in mine):
            continue
        limit = max(_LIMITS[a.type] for a in mine if a.type is not None)
        large = [a for a in mine if global_product(a.index, declared)]
        at_problem = [f.counts.get(position) for f in seen.known]
        over = [r.low for r in at_problem if r is not None and r.low > limit + 1]
        if over and large:
            yield _place(part, large[0]), over[0]
        elif (
            large
            and not _few(at_problem)
            and general is None
            and any(_many(f.counts.get(position), limit) for f in seen.free)
        ):
            general = large[0]
    if general is not None and not widens(kernel):
        yield _place(part, general), None


def _few(at_problem: list[Range | None]) -> bool:
    """Whether every call of the problem is known, and has fewer elements."""
    return bool(at_problem) and all(r is not None and r.exact is not None for r in at_problem)


def _many(count: Range | None, limit: int) -> bool:
    return count is not None and count.sized and count.high > limit


def _place(part: Part, access: Access) -> Span:
    if access.made is not None:
        return part.span(access.made.start, access.made.end)
    return part.span(access.index.start, access.index.end)
