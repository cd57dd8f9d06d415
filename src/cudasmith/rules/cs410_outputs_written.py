"""CS410."""

from __future__ import annotations

import re

from cudasmith.cuda.host import LaunchFact, Pointer
from cudasmith.cuda.outputs import (
    endless,
    global_indices,
    grid_loops,
    plain_index,
    plain_indices,
    skipped,
    writes,
)
from cudasmith.cuda.symbols import Function
from cudasmith.model.finding import Fix
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._launches import LaunchSeen
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject, Unit

_EMPTY = re.compile(r"(?:torch::|at::|\w+\.new_)(empty)(?:_like)?\s*\(")
_STORE = "  if (i < n) out[i] = __ldg(x + i) * by;\n"
_OUT = "  torch::Tensor out = torch::empty(x.sizes(), x.options());\n"
_HERE = (_OUT, _OUT.replace(";\n", ";  // HERE\n"))
_INDEX = "static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;\n"
_LOOP = "  for (int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += {}) out[k] = by;{}\n"


class OutputsWritten(Rule):
    """Every element of an output that is allocated with torch::empty is written before it is read.

    Memory of torch::empty holds what its last user left: right answers in a fresh process, wrong ones
    later. Told are: `atomicAdd` or `+=` into it, a store that happens only where data says so and no
    store on the other way, an index that several blocks share while other elements get none, a loop over the grid
    that advances by other than the whole grid or never, and, at the problem's sizes, fewer threads than elements.

    Bad:  `auto out = torch::empty({1}, x.options());` and `atomicAdd(out, sum)`
    Good: `auto out = torch::zeros({1}, x.options());`
    """

    code = "CS410"
    name = "outputs-written"
    severity = severities("warning", "warning")
    BAD = (
        edit(_HERE, (_STORE, "  if (i < n) atomicAdd(out, x[i]);\n")),
        edit(_HERE, (_STORE, "  float* mine = out + i;\n  if (i < n) atomicMax(&mine[0], 1);\n")),
        edit(_HERE, (_STORE, "  if (i < n) out[i] += x[i];\n")),
        edit((_STORE, "  const float v = x[i];\n  if (i < n) {\n    if (v > 0) out[i] = v;  // HERE\n  }\n")),
        edit((_INDEX, "static_cast<int64_t>(blockIdx.x) * blockDim.x + blockIdx.y;  // HERE\n")),
        edit((_STORE, _LOOP.format("blockDim.x", "  // HERE"))),
        edit((_STORE, "  const int s = gridDim.x;\n" + _LOOP.format("s", "  // HERE"))),
        edit((_STORE, _LOOP.format("1", "  // HERE"))),
        edit((_STORE, "  while (n > 4) out[n - 1] = by;  // HERE\n")),
        edit((_STORE, "  for (int k = 0; k < n; k += 0) out[k] = by;  // HERE\n")),
    )
    GOOD = (
        edit((_STORE, _LOOP.format("blockDim.x * gridDim.x", ""))),
        edit((_STORE, "  const int s = gridDim.x * blockDim.x;\n" + _LOOP.format("s", ""))),
        edit((_STORE, _LOOP.format("(int64_t)gridDim.x * blockDim.x * 4", ""))),
        edit((_STORE, "  for (int k = threadIdx.x; k < n; k += blockDim.x) out[k] = by;\n")),
        edit((_STORE, "  while (n > 4) { out[n - 1] = by; --n; }\n")),
        edit((_STORE, "  while (n > 4) { out[n - 1] = by; if (x[0] > 0) break; }\n")),
        edit((_STORE, "  __shared__ int left;\n  while (left > n) out[0] = by;\n")),
        edit((_STORE, "  int left = 9;\n  while (left > n) out[0] = next(left);\n")),
        edit((_STORE, "  while (x[0] > 4) out[0] = by;\n")),
        CORRECT,
        DECLARED,
        edit((_OUT, _OUT.replace("empty", "zeros")), (_STORE, "  if (i < n) atomicAdd(out, x[i]);\n")),
        edit((_OUT, _OUT + "  out.zero_();\n"), (_STORE, "  if (i < n) atomicAdd(out, x[i]);\n")),
        edit((_STORE, "  if (i < n) {\n    out[i] = 0;\n    out[i] += x[i];\n  }\n")),
        edit((_STORE, "  if (i < n) {\n    if (x[i] > 0) out[i] = x[i]; else out[i] = 0;\n  }\n")),
        edit((_STORE, "  if (x[i] > 0 && i < n) out[static_cast<int64_t>(x[i])] = by;\n")),
        edit((_STORE, "  const float v = x[i];\n  if (v == by) out[blockIdx.x] = threadIdx.x;\n")),
        edit((_INDEX, "static_cast<int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;\n")),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            for seen in unit.followed.launches:
                found = unit.kernel(seen.kernel)
                if found is not None:
                    yield from self._launch(subject, unit, seen, *found)

    def _launch(
        self, subject: Subject, unit: Unit, seen: LaunchSeen, part: Part, kernel: Function
    ) -> Verdicts:
        for index in global_indices(kernel):
            own = [a for a in index.added if a.startswith(("blockIdx", "threadIdx"))]
            other = own[-1] if own else ""
            if own not in (["blockIdx.y"], ["blockIdx.z"]) or _apart(
                seen, "xyz".index(index.size), other[-1]
            ):
                continue
            message = f"blocks share an index: blockDim.{index.size} is not the number of blocks in {other}"
            help = f"blockIdx.{index.block} * gridDim.{other[-1]} + {other}"
            yield self.found(subject, part.span(index.start, index.end), message, help=help)
        for loop in grid_loops(kernel):
            right = {f"blockDim.{loop.axis}", f"gridDim.{loop.axis}"}
            if set(loop.step) < right or (loop.step and all(f.isdecimal() for f in loop.step)):
                message = f"the loop begins at the thread's place in the grid and advances by {' * '.join(loop.step)}"
                help = f"advance by blockDim.{loop.axis} * gridDim.{loop.axis}, or threads share elements"
                span = part.span(loop.start, loop.end)
                yield self.found(subject, span, message, help=help, confidence="medium")
        for endless_loop in endless(kernel):
            span = part.span(endless_loop.start, endless_loop.end)
            yield self.found(subject, span, "nothing in this loop changes what it waits for: it never ends")
        for position, param in enumerate(kernel.params):
            if param.is_pointer and (fact := _empty(seen, position)) is not None:
                yield from self._output(subject, unit, seen, part, kernel, position, fact)

    def _output(
        self,
        subject: Subject,
        unit: Unit,
        seen: LaunchSeen,
        part: Part,
        kernel: Function,
        position: int,
        fact: LaunchFact,
    ) -> Verdicts:
        name = kernel.params[position].name
        every = writes(kernel, name)
        adding = next((w for w in every if w.kind != "plain"), None)
        if adding is not None and all(w.kind != "plain" for w in every):
            line = part.span(adding.target.start, adding.target.end).line
            message = f"{kernel.name} adds to this memory in line {line}, and nothing has written it before"
            made = _allocation(seen, fact, position)
            span, fix = unit.part(seen.place).span(*made), _zeros(unit.part(seen.place), *made)
            yield self.found(subject, span, message, help="allocate it with torch::zeros", fix=fix)
        branch = skipped(kernel, name)
        if branch is not None:
            message = f"{name} comes from torch::empty and is written only where this holds"
            help = f"write {name} on the other way too, or allocate it with torch::zeros"
            yield self.found(
                subject, part.span(branch.start, branch.end), message, help=help, confidence="medium"
            )
        missing = _missing(seen, kernel, position)
        if missing:
            message = f"at the problem's sizes {missing:,} elements of {name} are never written: the grid is too small"
            help = "round the grid up: (n + threads - 1) / threads"
            span = unit.part(seen.place).span(seen.start, seen.end)
            yield self.found(subject, span, message, help=help, severity="error")


def _empty(seen: LaunchSeen, position: int) -> LaunchFact | None:
    """The launch, where that argument is memory that nothing has written yet."""
    for fact in seen.free:
        given = fact.arguments[position] if position < len(fact.arguments) else None
        if (
            isinstance(given, Pointer)
            and given.tensor.content == "empty"
            and given.tensor not in fact.written_before
        ):
            return fact
    return None


def _allocation(seen: LaunchSeen, fact: LaunchFact, position: int) -> tuple[int, int]:
    """Where the tensor of that argument is allocated; the launch where that is not known."""
    given = fact.arguments[position]
    made = given.tensor.made if isinstance(given, Pointer) else None
    return made or (seen.start, seen.end)


def _zeros(part: Part, start: int, end: int) -> Fix | None:
    """`empty` to `zeros` in the name of the allocating function."""
    found = _EMPTY.match(part.region.text[start:end])
    place = part.region.span(start + found.start(1), start + found.end(1)) if found else None
    return Fix(place, "zeros", safe=True) if place else None


def _apart(seen: LaunchSeen, size: int, axis: str) -> bool:
    """Whether the problem proves that the index is another one in each block."""
    pairs = [(f.block[size], f.grid["xyz".index(axis)]) for f in seen.known]
    return bool(pairs) and all(
        a is not None and b is not None and a.exact is not None and b.exact is not None and a.exact >= b.exact
        for a, b in pairs
    )


def _missing(seen: LaunchSeen, kernel: Function, position: int) -> int:
    """Elements that no thread writes, at the problem's sizes; 0 where that is not known."""
    every = writes(kernel, kernel.params[position].name)
    indices = plain_indices(kernel)
    if not every or not all(w.kind == "plain" and plain_index(kernel, w, indices) for w in every):
        return 0
    for fact in seen.known:
        threads = [fact.grid[0], fact.block[0], fact.counts.get(position)]
        known = [r.exact for r in threads if r is not None and r.exact is not None]
        if fact.sure and len(known) == 3 and 0 < known[0] * known[1] < known[2]:
            return known[2] - known[0] * known[1]
    return 0
