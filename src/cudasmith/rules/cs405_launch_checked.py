"""CS405."""

from __future__ import annotations

import re

from cudasmith.cuda.statements import Stmt
from cudasmith.cuda.symbols import Function, Launch
from cudasmith.model.finding import Fix
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject, Unit

_STATEMENT_END = re.compile(r"(?P<end>\s*;)(?:\s|//[^\n]*|/\*.*?\*/)*(?P<else>else\b)?", re.DOTALL)
_ERROR = ("cudaGetLastError", "cudaPeekAtLastError", "C10_CUDA_KERNEL_LAUNCH_CHECK")
_LEAVES = ("return", "throw")
_CHECK = "  C10_CUDA_KERNEL_LAUNCH_CHECK();\n"
_LAUNCH = "  scale_thread_per_element<<<(n + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>("
_ARGUMENTS = "\n      x.data_ptr<float>(), out.data_ptr<float>(), by, n);\n    return out;\n  }\n"


class LaunchChecked(Rule):
    """After each kernel launch the launch error is read.

    A launch with an invalid configuration does nothing and says nothing; the output keeps what the
    memory held and a later, innocent call raises. C10_CUDA_KERNEL_LAUNCH_CHECK() costs nothing on
    the device. A check after several launches counts for all of them, unless a return stands between.
    """

    code = "CS405"
    name = "launch-checked"
    severity = severities("warning", "info")
    BAD = (
        edit((_CHECK, ""), (_LAUNCH, _LAUNCH + "  // HERE")),
        edit(
            (_CHECK, ""), (_LAUNCH, "  if (n > 4) {\n" + _LAUNCH + "  // HERE"), ("by, n);", "by, n);\n  }")
        ),
        edit((_CHECK, ""), (_LAUNCH, _CHECK + _LAUNCH + "  // HERE")),
        edit((_LAUNCH, "  if (n < 9) {\n" + _LAUNCH.replace("(n", "(  // HERE\n n") + _ARGUMENTS + _LAUNCH)),
    )
    GOOD = (
        CORRECT,
        edit((_CHECK, "  TORCH_CHECK(cudaGetLastError() == cudaSuccess);\n")),
        edit(
            (_CHECK, "  CHECK_LAUNCH();\n"),
            ("__global__ void", "#define CHECK_LAUNCH() C10_CUDA_CHECK(cudaGetLastError())\n__global__ void"),
        ),
        edit(
            (_CHECK, "  after_launch();\n"),
            (
                "static torch::Tensor",
                "static void after_launch() { C10_CUDA_CHECK(cudaGetLastError()); }\n\nstatic torch::Tensor",
            ),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit, part in subject.parts():
            for function in part.symbols.functions:
                for launch in function.launches:
                    if not _checked(unit, part, function, launch):
                        span = part.span(launch.start, launch.end)
                        yield self.found(
                            subject,
                            span,
                            f"the launch of {launch.kernel} is not checked",
                            help="add C10_CUDA_KERNEL_LAUNCH_CHECK();",
                            fix=_add(subject, part, function, launch),
                        )
            for launch in part.symbols.macro_launches:
                if not _reads_error(" ".join(part.symbols.macros.values())):
                    yield self.undecided(part.build.span, f"{launch.kernel} is launched in a macro")


def _checked(unit: Unit, part: Part, function: Function, launch: Launch) -> bool:
    behind = _behind(function.body, launch.start)[0] if function.body is not None else []
    for call in function.calls:
        follows = any(s.start <= call.start < s.end for s in behind) and call.start > launch.start
        if follows and _reads(unit, call.name):
            return True
    callers = [f for f in part.symbols.functions if any(c.name == function.name for c in f.calls)]
    return bool(callers) and all(
        any(_reads(unit, c.name) and c.start > at.start for c in f.calls)
        for f in callers
        for at in f.calls
        if at.name == function.name
    )


def _behind(body: Stmt, at: int) -> tuple[list[Stmt], bool]:
    """The statement that holds a place with those that run after it, and whether these leave the function."""
    index = next((i for i, s in enumerate(body.bodies) if s.start <= at < s.end), None)
    if index is None:
        return [body], body.kind in _LEAVES
    found, left = _behind(body.bodies[index], at)
    for later in body.bodies[index + 1 :] if body.kind in ("block", "case") and not left else ():
        found.append(later)
        if later.kind in _LEAVES:
            return found, True
    return found, left


def _reads(unit: Unit, name: str) -> bool:
    """Whether a call of that name reads the launch error: known, a macro or a helper of the file."""
    if name in _ERROR or _reads_error(unit.macro(name)):
        return True
    helper = unit.definition(name)
    return helper is not None and not helper[1].launches and any(w in _ERROR for w in helper[1].words)


def _reads_error(text: str) -> bool:
    return any(word in text for word in _ERROR)


def _add(subject: Subject, part: Part, function: Function, launch: Launch) -> Fix | None:
    """Behind the launch; not in device code, behind a `return`, nor between the branches of an `if` without braces."""
    behind = _STATEMENT_END.match(part.region.text, launch.end)
    if behind is None or not function.is_host or behind["else"]:
        return None
    if re.search(r"\breturn\b", re.split(r"[;{}]", part.region.text[function.start : launch.start])[-1]):
        return None
    at = behind.end("end")
    return subject.rewrite(part, at, at, " C10_CUDA_KERNEL_LAUNCH_CHECK();")
