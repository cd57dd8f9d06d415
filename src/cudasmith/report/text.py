"""The terminal page of one port: what was replaced, what was found, built and proven."""

from __future__ import annotations

import re

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cudasmith.model import (
    Build,
    BuildStatus,
    CaseResult,
    CaseStatus,
    Finding,
    Report,
    Step,
    Verdict,
    VerdictStatus,
)

_GOOD, _BAD, _MUTED = "bold green", "bold red", "dim"
PAGE = 80  # columns that a line of kernels is fitted to


def print_report(report: Report, target: str, console: Console | None = None) -> None:
    """Print the page on stdout. Colours follow the terminal and NO_COLOR."""
    console = console or Console(highlight=False, soft_wrap=False)
    console.print(render(report, target))


def render(report: Report, target: str) -> RenderableType:
    """The whole page."""
    parts: list[RenderableType] = [_replaced(report)]
    if report.findings:
        parts.append(_findings(report.findings))
    parts += [_builds(report.builds)] if report.builds else []
    parts += [_verdict(v) for v in report.verdicts]
    parts += [_times(report), _headline(report, target)]
    return Group(*parts)


def _shape(report: Report, name: str) -> str:
    value = report.capture.eval.value(name)
    return f"[{', '.join(map(str, value.shape))}] {value.dtype}" if value is not None else ""


def _replaced(report: Report) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("operator", "becomes", "result at the problem's size", "least traffic"):
        table.add_column(column, overflow="fold")
    for step in report.plan.steps():
        if step.kind != "size":
            table.add_row(*_step_row(report, step))
    if not report.plan.steps():
        table.add_row("(nothing is computed)", "", "", "")
    return Panel(
        table,
        title=f"{report.problem_path}  ({report.plan.tier} tier)",
        title_align="left",
        border_style="dim",
    )


def _step_row(report: Report, step: Step) -> tuple[Text, Text, str, str]:
    names = ", ".join(_target(report, name) for name in step.nodes)
    if step.kernel is None:
        return (
            Text(names),
            Text(f"stays PyTorch: {step.reason}", "yellow"),
            _shape(report, step.outputs[0]),
            "",
        )
    return Text(names), Text(str(step.variant), "green"), _shape(report, step.outputs[0]), _bytes(step.bytes)


def _target(report: Report, name: str) -> str:
    node = report.capture.eval.node(name) or report.capture.train.node(name)
    if node is None:
        return name
    return node.target.removeprefix("aten.").removesuffix(".default")


def _bytes(count: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def _findings(findings: tuple[Finding, ...]) -> RenderableType:
    lines = Text()
    for finding in findings:
        style = {"error": _BAD, "warning": "yellow"}.get(finding.severity, _MUTED)
        place = f" line {finding.span.line}" if finding.span else ""
        lines.append(f"{finding.code} {finding.severity}", style)
        lines.append(f"{place}: {finding.message}\n")
    lines.rstrip()
    return Panel(lines, title="findings", title_align="left", border_style="dim")


def _builds(builds: tuple[Build, ...]) -> RenderableType:
    lines = Text()
    for build in builds:
        good = build.status is BuildStatus.OK
        lines.append("OK" if good else build.status.value, _GOOD if good else _BAD)
        lines.append(
            f"  {_plain(build.tool or build.executor)}  {build.seconds:.1f} s{' (cached)' if build.cached else ''}\n"
        )
        for kernel in build.kernels:
            spills = f", {kernel.spill_bytes} bytes spilled" if kernel.spill_bytes else ""
            shared = f", {kernel.shared_bytes} bytes shared" if kernel.shared_bytes else ""
            cost = f"{kernel.arch}: {kernel.registers} registers{shared}{spills}"
            lines.append(f"    {_short(kernel.kernel, PAGE - 11 - len(cost))}  {cost}\n", _MUTED)
        if not good:
            lines.append("\n".join(build.log.strip().splitlines()[:12]) + "\n")
    lines.rstrip()
    return Panel(lines, title="build", title_align="left", border_style="dim")


def _short(kernel: str, room: int) -> str:
    """A kernel's name and as much of its template arguments as fits in `room` characters."""
    name = kernel.split("(")[0].removeprefix("void ")
    return name if len(name) <= room else name[: max(room, 20) - 3] + "..."


def _plain(tool: str) -> str:
    """A compiler's own words without its packager's: "g++ (Debian 12.2.0-14) 12.2.0" is g++ 12.2.0."""
    return re.sub(r"(\w\+\+) \([^()]*\) ", r"\1 ", tool)


def _verdict(verdict: Verdict) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("case", no_wrap=True)
    table.add_column("sizes", overflow="fold", min_width=10)
    table.add_column("verdict", min_width=17)  # the longest single word
    table.add_column("error/allowed", justify="right", no_wrap=True)
    table.add_column("worst at", overflow="fold")
    for result in verdict.cases:
        table.add_row(*_case_row(result))
    parts: list[RenderableType] = [table, *(_failure(r) for r in verdict.cases if r.status in _FAILED)]
    parts += [_uncounted(r) for r in verdict.cases if r.status in _UNCOUNTED and r.message]
    parts.append(Text(f"{verdict.rule}\n{verdict.reason}".strip(), _MUTED))
    return Panel(
        Group(*parts), title=f"verdict on {_plain(verdict.device)}", title_align="left", border_style="dim"
    )


_UNCOUNTED = (CaseStatus.REFERENCE_FAILED, CaseStatus.NON_DISCRIMINATING, CaseStatus.NOT_RUN)
_FAILED = tuple(s for s in CaseStatus if s is not CaseStatus.PASSED and s not in _UNCOUNTED)


def _case_row(result: CaseResult) -> tuple[str | Text, ...]:
    case = result.case
    shapes = " ".join("x".join(map(str, i.shape)) or "()" for i in case.inputs)
    style = _GOOD if result.status is CaseStatus.PASSED else _BAD
    word = result.status.value
    if result.status is CaseStatus.PASSED and not _proves(result):
        word, style = "PASSED (no elements)", "yellow"  # shape and dtype only: proves no value
    if result.status in _UNCOUNTED:
        style = "yellow"
    number = "" if result.error_ratio is None else f"{result.error_ratio:.3f}"
    where = "" if result.worst_index is None else ",".join(map(str, result.worst_index))
    return case.name, shapes, Text(word, style), number, where


def _failure(result: CaseResult) -> RenderableType:
    """What went wrong in one case, under the table."""
    text = Text(f"{result.case.name}: {result.status.value}", _BAD)
    if result.got is not None and result.expected is not None:
        where = f" at {list(result.worst_index)}" if result.worst_index is not None else ""
        output = f" of output {result.output}" if result.output else ""
        text.append(f"  got {result.got:.9g}, expected {result.expected:.9g}{where}{output}", "default")
    if result.message:
        text.append(f"\n    {result.message[:600]}", "default")
    return text


def _uncounted(result: CaseResult) -> RenderableType:
    """Why one case does not count, under the table."""
    reason = result.message.splitlines()[0][:200]
    return Text(f"{result.case.name}: does not count: {reason}", "yellow")


def _times(report: Report) -> RenderableType:
    total = sum(t.seconds for t in report.times)
    parts = "  ".join(f"{t.stage} {t.seconds:.1f}" for t in report.times)
    return Text(f"seconds: {parts}  total {total:.1f}", _MUTED)


def _proves(result: CaseResult) -> bool:
    """An empty output has no value to be right."""
    return result.status is CaseStatus.PASSED and result.error_ratio is not None


def _headline(report: Report, target: str) -> RenderableType:
    proven = [c for v in report.verdicts for c in v.cases if _proves(c)]
    passed = bool(report.verdicts) and all(v.status is VerdictStatus.PASSED for v in report.verdicts)
    kernels = sum(1 for s in report.plan.steps() if s.kernel)
    left = len(report.plan.left_to_torch())
    what = f"{kernels} kernel call{'s' if kernels != 1 else ''}" + (
        f", {left} left to PyTorch" if left else ""
    )
    errors = sum(f.severity == "error" for f in report.findings)
    if passed and errors:
        return Text(f"REFUSED  {target}: {len(proven)} cases passed, but a finding above is an error", _BAD)
    if passed:
        return Text(
            f"VERIFIED  {target}: {what}, {len(proven)} cases passed on {_plain(report.verdicts[0].device)}",
            _GOOD,
        )
    if any(b.status is not BuildStatus.OK for b in report.builds):
        return Text(f"NOT BUILT  {target} was written, but did not build", _BAD)
    if not report.verdicts:
        return Text(f"NOT VERIFIED  {target}: {what}; no case was run", "bold yellow")
    if report.verdicts[0].status is VerdictStatus.NOT_RUN:
        return Text(f"NOT VERIFIED  {target} was written, but not proven right", "bold yellow")
    return Text(
        f"NOT VERIFIED  {target} was written, but its verdict is {report.verdicts[0].status.value}", _BAD
    )
