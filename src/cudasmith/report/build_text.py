"""A build for a human: how it went, then what each kernel needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cudasmith.model import Build, BuildStatus, Candidate, Finding, KernelResources
from cudasmith.report.findings_text import render_finding

MAX_NAME = 44
Occupancy = Callable[[KernelResources, int], "float | None"]
THREADS = 256
MAX_WARNINGS = 10


def render_build(build: Build, path: str, occupancy: Occupancy, *, named: bool = False) -> str:
    """A line on the outcome and, after a good build, a table of kernels. `named`: say which module of the file it is."""
    words = {
        BuildStatus.OK: "built",
        BuildStatus.COMPILE_ERROR: "does not compile",
        BuildStatus.LINK_ERROR: "does not link",
        BuildStatus.IMPORT_ERROR: "builds, but cannot be imported",
        BuildStatus.TIMEOUT: "was not built in time",
        BuildStatus.NO_TOOLCHAIN: "was not built",
        BuildStatus.CRASHED: "was not built: the compiler crashed or was ended",
    }
    outcome = words[build.status]
    if build.status is BuildStatus.IMPORT_ERROR and not build.module:
        outcome = "was not built: the file fails first"
    how = "from the cache" if build.cached else f"in {build.seconds:.1f} s"
    tools = ", ".join(t for t in (build.route, build.tool) if t)
    which = f"module {build.module!r} " if named and build.module else ""
    head = f"{path}: {which}{outcome} {how}"
    lines = [f"{head} ({tools})" if tools else head]
    if build.library and build.status is BuildStatus.OK:
        lines.append(f"  module: {build.library}")
        lines.append(f"  in Python: import cudasmith; m = cudasmith.load({build.library!r})")
    if build.kernels:
        lines += ["", *_table(build.kernels, occupancy)]
    return "\n".join(lines)


def render_warnings(warnings: Sequence[Finding], candidate: Candidate, *, colour: bool) -> str:
    """The first MAX_WARNINGS, and how many more there are."""
    shown = [render_finding(w, *candidate.at(w.span), colour=colour) for w in warnings[:MAX_WARNINGS]]
    more = len(warnings) - len(shown)
    if more:
        shown.append(f"{more} more warning{'s' if more != 1 else ''}: --json tells all")
    return "\n\n".join(shown)


def _table(kernels: tuple[KernelResources, ...], occupancy: Occupancy) -> list[str]:
    head = f"  {'kernel':<{MAX_NAME}} {'arch':<7} {'regs':>4} {'shared':>8} {'spills':>7} {'occup.':>6}"
    rows = [_row(k, occupancy) for k in kernels]
    return [head, *rows, f"  occup.: warps at work of those possible, with blocks of {THREADS} threads"]


def _row(k: KernelResources, occupancy: Occupancy) -> str:
    share = occupancy(k, THREADS)
    shown = "?" if share is None else f"{share:.0%}"
    name = k.kernel if len(k.kernel) <= MAX_NAME else k.kernel[: MAX_NAME - 3] + "..."
    spills = f"{k.spill_bytes} B" if k.spill_bytes else "none"
    return f"  {name:<{MAX_NAME}} {k.arch:<7} {k.registers:>4} {k.shared_bytes:>6} B {spills:>7} {shown:>6}"
