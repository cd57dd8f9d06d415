"""CS411."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from cudasmith.cuda.indices import declarations
from cudasmith.cuda.numbers import Num
from cudasmith.cuda.scans import mirrored, serial_scans, stride
from cudasmith.cuda.statements import Expr
from cudasmith.cuda.symbols import Call, Function
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject, Unit
from cudasmith.source.filemodel import FileModel
from cudasmith.source.names import walk

_SCANS = ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")
_BACKWARDS = re.compile(r"reverse|suffix|(?:^|_)rev(?:_|$)", re.IGNORECASE)
_RETURN = "        return Scale.apply(self.ext, x, self.by)\n"
_HEAD = "torch::Tensor scale(torch::Tensor x, double by) {\n"
_KERNEL = "scale_thread_per_element"
_STORE = "  if (i < n) out[i] = __ldg(x + i) * by;\n"
_SERIAL = (
    "  float a = 0;\n  for (int k = 0; k < n; ++k) {\n    a += x[i * n + k];\n    out[i * n + k] = a;\n  }\n"
)


class Scans(Rule):
    """A scan runs in its own direction, inside one kernel.

    A reverse cumulative sum is a loop from right to left: flip, scan, flip copies the tensor twice. An exclusive
    scan stores before it adds: no torch.cat with zeros. A kernel named for a reverse scan whose loop
    and index both run upwards gives the forward one. At the problem's sizes (`--problem`) a note tells
    where each thread walks a row of its own, so that neighbouring threads read far apart.

    Bad:  `ext.cumsum(x.flip(1)).flip(1)`
    Good: `for (int64_t k = length - 1; k >= 0; --k)`
    """

    code = "CS411"
    name = "scans"
    answers = "reverse-scan"
    severity = severities("warning", "warning")
    BAD = (
        edit(
            (_KERNEL, "cumsum_thread_per_row"),
            (
                _RETURN,
                "        return torch.flip(Scale.apply(self.ext, torch.flip(x, [1]), 1), [1])  # HERE\n",
            ),
        ),
        edit(
            (
                _RETURN,
                "        y = x.flip(1)\n        s = y.cumsum(1)\n        s = s.flip(1)  # HERE\n"
                "        return Scale.apply(self.ext, s, self.by)\n",
            )
        ),
        edit(
            (_RETURN, "        s = x.cumsum(1)\n        return torch.cat([x[:, :1], s[:, :-1]], 1)  # HERE\n")
        ),
        edit(
            ("ext.scale(x, by)", "ext.cumsum_rows(x, by)"),
            ('m.def("scale"', 'm.def("cumsum_rows"'),
            (
                _RETURN,
                "        s = self.ext.cumsum_rows(x, self.by)\n"
                "        return torch.cat([torch.zeros_like(s[:1]), s[:-1]])  # HERE\n",
            ),
        ),
        edit(
            (_STORE, _SERIAL),
            (_HEAD, _HEAD + "  x = x.flip({1});\n"),
            ("  return out;\n}", "  return out.flip({1});  // HERE\n}"),
        ),
        edit((_KERNEL, "reverse_cumsum"), (_STORE, _SERIAL.replace("++k) {", "++k) {  // HERE"))),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit(
            ("ext.scale(x, by)", "ext.chunk_scan(x, by)"),
            ('m.def("scale"', 'm.def("chunk_scan"'),
            (
                _RETURN,
                "        _, states = self.ext.chunk_scan(x, self.by)\n"
                "        return torch.cat([torch.zeros_like(states[:1]), states])\n",
            ),
        ),
        edit((_RETURN, "        return Scale.apply(self.ext, x.flip(1), self.by)\n")),
        edit((_RETURN, "        return Scale.apply(self.ext, x.flip(1), self.by).flip(1)\n")),
        edit((_RETURN, "        return torch.cat([Scale.apply(self.ext, x, 1), x], 1)\n")),
        edit((_STORE, _SERIAL)),
        edit((_KERNEL, "reverse_cumsum"), (_STORE, _SERIAL.replace("i * n + k", "i * n + n - 1 - k"))),
        edit(
            (_KERNEL, "reverse_cumsum"),
            (_STORE, _SERIAL.replace("k = 0; k < n; ++k", "k = n - 1; k >= 0; --k")),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        for function in (*file.reach.forward, *file.reach.backward):
            for node in walk(function):
                if isinstance(node, ast.Call) and file.enclosing(node) is function:
                    yield from self._python(subject, node)
        for unit, part in subject.parts():
            for function_ in part.symbols.functions:
                yield from self._host(subject, part, function_)
                if function_.is_kernel:
                    yield from self._kernel(subject, unit, part, function_)

    def _python(self, subject: Subject, node: ast.Call) -> Verdicts:
        file = subject.file
        name = _called(node)
        if name not in ("flip", "cat", "concat"):
            return
        span = file.source.node_span(node)
        scans = [s for s in _scans_in(file, node) if _called(s) in _SCANS or _has_scans(subject)]
        if name == "flip" and any(_called(f) == "flip" for s in scans for f in _made_of(file, s)):
            yield self.found(subject, span, _FLIPS, help=_LOOP_BACK)
        elif name in ("cat", "concat") and file.dotted(node.func) and any(
            _called(s) in _SCANS or (_scan_named(_called(s)) and not _unpacked(file, s))
            for s in _scans_in(file, node)
        ):  # fmt: skip
            message = "an exclusive scan is put together with torch.cat"
            yield self.found(
                subject, span, message, help="let the kernel store before it adds", confidence="medium"
            )

    def _host(self, subject: Subject, part: Part, host: Function) -> Verdicts:
        flips = [c for c in host.calls if c.name == "flip"]
        scans = (bool(host.launches) and _has_scans(subject)) or any(c.name in _SCANS for c in host.calls)
        if host.is_host and len(flips) > 1 and scans:
            last: Call = max(flips, key=lambda c: c.start)
            yield self.found(
                subject, part.span(last.start, last.end), _FLIPS, help=_LOOP_BACK, confidence="medium"
            )

    def _kernel(self, subject: Subject, unit: Unit, part: Part, kernel: Function) -> Verdicts:
        for scan in serial_scans(kernel):
            span = part.span(scan.start, scan.end)
            if _BACKWARDS.search(kernel.name) and scan.step == 1 and not mirrored(scan, kernel):
                message = f"{kernel.name} runs from left to right: this is the forward scan"
                yield self.found(subject, span, message, help=_LOOP_BACK, confidence="medium")
            if _apart(unit, kernel, scan.counter, scan.reads):
                message = "each thread walks a row of its own: neighbouring threads read a whole row apart"
                help = "scan a row with a warp or a block; one thread per row is for scans across rows"
                yield self.found(subject, span, message, help=help, severity="info")


_FLIPS = "a reverse scan is put together from flip, scan and flip: two more copies of the tensor"
_LOOP_BACK = "loop from right to left in the kernel"


def _has_scans(subject: Subject) -> bool:
    """Whether the kernels of the file scan, as far as their names and loops tell."""
    kernels = [k for _, part in subject.parts() for k in part.symbols.kernels]
    return any(_scan_named(k.name) or serial_scans(k) for k in kernels)


def _called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _scan_named(name: str) -> bool:
    return bool(re.search(r"cumsum|cumprod|scan", name))


def _unpacked(file: FileModel, call: ast.Call) -> bool:
    """Whether it gives several values: more than a scan, whatever it is called."""
    holder = file.parent.get(call)
    return isinstance(holder, ast.Assign) and any(isinstance(t, ast.Tuple) for t in holder.targets)


def _operands(node: ast.Call) -> Iterator[ast.expr]:
    """What the call works on: its receiver and arguments, those in lists too."""
    if isinstance(node.func, ast.Attribute):
        yield node.func.value
    for argument in node.args:
        yield from argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else (argument,)


def _made_of(file: FileModel, node: ast.Call) -> Iterator[ast.expr]:
    """The operands, names replaced by what the same function assigns to them before, slices by what they slice."""
    for operand in _operands(node):
        at = operand
        for _ in range(8):
            if isinstance(at, ast.Subscript):
                at = at.value
                continue
            if not isinstance(at, ast.Name):
                break
            owner, line = file.enclosing(node), node.lineno
            before = [
                v
                for v in file.bound.get(at.id, ())
                if file.enclosing(v) is owner and v.lineno < line and v is not at
            ]
            if not before or at is before[-1]:
                break
            at = before[-1]
        yield at


def _scans_in(file: FileModel, node: ast.Call) -> Iterator[ast.Call]:
    """Operands that are scans: cumsum and the like, the extension, an autograd Function."""
    for operand in _made_of(file, node):
        if isinstance(operand, ast.Call) and (
            _called(operand) in (*_SCANS, "apply") or file.handles.exported(operand) is not None
        ):
            yield operand


def _apart(unit: Unit, kernel: Function, counter: str, index: Expr) -> bool:
    """Whether the problem proves that the loop runs along neighbouring elements, many threads doing so."""
    facts = [f for s in unit.followed.launches if s.kernel == kernel.name for f in s.known]
    for fact in facts:
        pairs = zip(kernel.params, fact.arguments, strict=False)
        known = {p.name: a.known for p, a in pairs if isinstance(a, Num) and a.known is not None}
        threads = fact.block[0].exact if fact.block[0] is not None else None
        if stride(index, counter, declarations(kernel), known) != 1 or not threads or threads < 2:
            return False
    return bool(facts)
