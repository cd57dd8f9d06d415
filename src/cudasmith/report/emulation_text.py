"""An emulated run for a human: launches, the comparison, what was found, what was not checked."""

from __future__ import annotations

from cudasmith.model import Candidate, CaseResult, CaseStatus, Emulation, Finding, LaunchCount, RunStatus
from cudasmith.model.emulation import UNEQUAL
from cudasmith.report.diagnosis_text import render_diagnosis
from cudasmith.report.findings_text import summary

MAX_LAUNCHES, MAX_PRINTED, MAX_NAME = 20, 12, 40
# Tensors of the emulated device lie on the CPU like all others, and locals are registers of the host: they begin as 0xFE bytes.
NEVER_CHECKED = "local variables that nobody wrote, beyond what the compiler sees; host code that touches memory of the device"
_ENDS = {
    RunStatus.BUILD_FAILED: "does not build",
    RunStatus.NO_TOOLCHAIN: "not known: the emulator lacks something",
    RunStatus.RAISED: "did not run to its end",
    RunStatus.CRASHED: "crashed",
    RunStatus.TIMEOUT: "was not done in time",
    RunStatus.MEMORY: "used too much memory",
}


def render_emulation(seen: Emulation, candidate: Candidate, *, colour: bool = False) -> str:
    """The page, no trailing newline; the last line is the outcome."""
    blocks = []
    if seen.findings:
        blocks.append(render_diagnosis(seen.findings, candidate, seen.path, colour=colour))
    if seen.launches:
        blocks.append("\n".join(_table(seen.launches)))
    blocks.append("\n".join(_facts(seen)))
    if seen.stdout.strip():
        blocks.append("\n".join(["printed:", *_last(seen.stdout)]))
    if seen.stderr.strip() and seen.status is not RunStatus.ENDED:
        blocks.append("\n".join(["on stderr:", *_last(seen.stderr)]))
    return "\n\n".join([*blocks, _outcome(seen)])


def _table(launches: tuple[LaunchCount, ...]) -> list[str]:
    head = f"  {'kernel':<{MAX_NAME}} {'launches':>8} {'grid':>14} {'block':>12} {'dyn. shared':>12} {'CPU s':>8}"
    rows = [_row(one) for one in launches[:MAX_LAUNCHES]]
    more = len(launches) - MAX_LAUNCHES
    return [head, *rows, *([f"  and {more} other configurations"] if more > 0 else [])]


def _row(one: LaunchCount) -> str:
    name = one.kernel if len(one.kernel) <= MAX_NAME else one.kernel[: MAX_NAME - 3] + "..."
    return (
        f"  {name:<{MAX_NAME}} {one.count:>8} {_dims(one.grid):>14} {_dims(one.block):>12} "
        f"{one.shared_bytes:>10} B {one.seconds:>8.3f}"
    )


def _dims(dims: tuple[int, int, int]) -> str:
    """Without the ones at the end: (64, 1, 1) is 64."""
    kept = [str(d) for d in dims]
    while len(kept) > 1 and kept[-1] == "1":
        kept.pop()
    return "x".join(kept)


def _facts(seen: Emulation) -> list[str]:
    order = seen.order + (f", seed {seed}" if (seed := seen.seed) or seen.order == "random" else "")
    lines = [
        f"  compared:    {_compared(seen.comparison, seen.not_compared)}",
        *_gradients(seen),
        f"  control:     {seen.control}",
        f"  mode:        {seen.mode}, order {order}, target {seen.target}"
        + (f", kernel {seen.kernel} only" if seen.kernel else ""),
    ]
    if seen.mode == "checked":
        if not seen.unchecked and seen.status is RunStatus.ENDED:
            lines.append("  checked:     every access of every launch to global and shared memory")
        lines += [f"  not checked: {text}" for text in (*seen.unchecked, NEVER_CHECKED)]
    else:
        lines.append("  not checked: races, reads of memory that nobody wrote, overflow (mode fast)")
    return lines + [f"  note:        {note}" for note in seen.notes]


def _gradients(seen: Emulation) -> list[str]:
    if seen.gradients is None and not seen.not_differentiated:
        return []
    told = _compared(seen.gradients, seen.not_differentiated)
    if seen.gradients is not None and seen.not_differentiated:
        told += f"; with that of out.sum() not compared: {seen.not_differentiated}"
    return [f"  gradients:   {told}"]


def _compared(result: CaseResult | None, why_not: str) -> str:
    if result is None:
        return f"not compared: {why_not}"
    shapes = " ".join("x".join(map(str, i.shape)) or "()" for i in result.case.inputs)
    ratio = "" if result.error_ratio is None else f", error/allowed {result.error_ratio:.3f}"
    with_inputs = f"with inputs {shapes or 'without tensors'}{ratio}"
    if result.status in UNEQUAL:
        return f"WRONG ({result.status.value}) {with_inputs}: {result.message}"
    if result.status is CaseStatus.NON_DISCRIMINATING:
        return f"equal {with_inputs}, but that proves nothing: {result.message}"
    return f"equal {with_inputs}" + (f"; {result.message}" if result.message else "")


def _last(text: str) -> list[str]:
    lines = text.rstrip().splitlines()
    dots = ["  ..."] if len(lines) > MAX_PRINTED else []
    return [*dots, *(f"  {line[:200]}" for line in lines[-MAX_PRINTED:])]


def _outcome(seen: Emulation) -> str:
    what = _ENDS.get(seen.status) or ("clean" if seen.passed else _faults(seen))
    found = summary(seen.findings, ())
    count = sum(one.count for one in seen.launches)
    device = f" on {seen.device}" if seen.device else ""
    return f"{seen.path}: {what}: {found}, {count} launch{'' if count == 1 else 'es'} in {seen.seconds:.1f} s{device}"


def _faults(seen: Emulation) -> str:
    errors: list[Finding] = [f for f in seen.findings if f.severity == "error"]
    return " and ".join(p for p in ("wrong" if seen.wrong else "", "faulty" if errors else "") if p)
