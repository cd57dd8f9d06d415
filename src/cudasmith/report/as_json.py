"""The report as JSON. The schema is documented in docs/report-schema.md; `schema` counts its changes."""

from __future__ import annotations

import json
from typing import Any

from cudasmith.model import (
    Build,
    CaseResult,
    CudasmithError,
    Emulation,
    Finding,
    Fix,
    LaunchCount,
    Report,
    Step,
    Verdict,
    VerdictStatus,
)
from cudasmith.model.undecided import Undecided

SCHEMA = 1


def report_json(report: Report, target: str) -> str:
    """One JSON object; keys are stable, numbers plain, unknown values null."""
    return json.dumps(report_dict(report, target), indent=2)


def report_dict(report: Report, target: str) -> dict[str, Any]:
    """The object that `report_json` writes."""
    passed = bool(report.verdicts) and all(v.status is VerdictStatus.PASSED for v in report.verdicts)
    return {
        "schema": SCHEMA,
        "problem": report.problem_path,
        "output": target,
        "sha256": report.candidate.sha256,
        "tier": report.plan.tier,
        "verified": passed,
        "steps": [_step(s) for s in report.plan.steps() if s.kind != "size"],
        "findings": [finding_dict(f) for f in report.findings],
        "builds": [_build(b) for b in report.builds],
        "verdicts": [_verdict(v) for v in report.verdicts],
        "seconds": {t.stage: round(t.seconds, 3) for t in report.times},
    }


def emulation_json(seen: Emulation) -> str:
    """One emulated run as one JSON object."""
    page = {
        "schema": SCHEMA,
        "path": seen.path,
        "sha256": seen.sha256,
        "form": seen.form,
        "mode": seen.mode,
        "order": seen.order,
        "seed": seen.seed,
        "target": seen.target,
        "kernel": seen.kernel,
        "device": seen.device or None,
        "status": seen.status.value,
        "passed": seen.passed,
        "message": seen.message or None,
        "findings": [finding_dict(f) for f in seen.findings],
        "launches": [_launch(one) for one in seen.launches],
        "comparison": None if seen.comparison is None else _case(seen.comparison),
        "not_compared": seen.not_compared or None,
        "gradients": None if seen.gradients is None else _case(seen.gradients),
        "not_differentiated": seen.not_differentiated or None,
        "control": seen.control,
        "unchecked": list(seen.unchecked),
        "notes": list(seen.notes),
        "stdout": seen.stdout,
        "stderr": seen.stderr,
        "seconds": round(seen.seconds, 3),
    }
    return json.dumps(page, indent=2)


def _launch(one: LaunchCount) -> dict[str, Any]:
    return {
        "kernel": one.kernel,
        "grid": list(one.grid),
        "block": list(one.block),
        "dynamic_shared_bytes": one.shared_bytes,
        "count": one.count,
        "cpu_seconds": round(one.seconds, 6),
    }


def error_json(error: CudasmithError) -> str:
    """What the user has to mend, as one JSON document: there is no report then."""
    return json.dumps({"error": error_dict(error), "exit_code": error.exit_code}, indent=2)


def error_dict(error: CudasmithError) -> dict[str, Any]:
    """The error's parts."""
    return {"code": error.code, "message": error.message, "where": error.where, "help": error.help}


def _step(step: Step) -> dict[str, Any]:
    return {
        "kind": step.kind,
        "nodes": list(step.nodes),
        "unit": step.unit,
        "variant": step.variant,
        "reason": step.reason or None,
        "bytes": step.bytes,
        "flops": step.flops,
    }


def undecided_dict(undecided: Undecided) -> dict[str, Any]:
    """What a rule could not decide, as JSON."""
    span = undecided.span
    return {
        "code": undecided.code,
        "reason": undecided.reason,
        "line": span.line if span else None,
        "column": span.column if span else None,
    }


def finding_dict(finding: Finding) -> dict[str, Any]:
    """A finding as JSON; `file` where its place is in another file than the candidate."""
    span = finding.span
    return {
        "code": finding.code,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "message": finding.message,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": span.end_line if span else None,
        "end_column": span.end_column if span else None,
        **({"file": span.file} if span and span.file else {}),
        "help": finding.help,
        "notes": list(finding.notes),
        "fix": None if finding.fix is None else _fix(finding.fix),
    }


def _fix(fix: Fix) -> dict[str, Any]:
    span = fix.span
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.line if span.end_line is None else span.end_line,
        "end_column": span.column if span.end_column is None else span.end_column,
        "text": fix.text,
        "safe": fix.safe,
    }


def _build(build: Build) -> dict[str, Any]:
    kernels = [
        {"kernel": k.kernel, "arch": k.arch, "registers": k.registers, "shared_bytes": k.shared_bytes,
         "spill_bytes": k.spill_bytes}
        for k in build.kernels
    ]  # fmt: skip
    return {
        "executor": build.executor,
        "status": build.status.value,
        "seconds": round(build.seconds, 3),
        "tool": build.tool,
        "cached": build.cached,
        "kernels": kernels,
        "log": build.log or None,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "executor": verdict.executor,
        "device": verdict.device,
        "status": verdict.status.value,
        "rule": verdict.rule,
        "reason": verdict.reason or None,
        "control": verdict.control or None,
        "cases": [_case(c) for c in verdict.cases],
    }


def _case(result: CaseResult) -> dict[str, Any]:
    return {
        "name": result.case.name,
        "shapes": [list(i.shape) for i in result.case.inputs],
        "training": result.case.training,
        "full_size": result.case.full,
        "seed": result.case.seed,
        "status": result.status.value,
        "error_over_allowed": _number(result.error_ratio),
        "max_abs_error": _number(result.max_abs_error),
        "torch_error_over_allowed": _number(result.torch_ratio),
        "output": result.output,
        "worst_index": list(result.worst_index) if result.worst_index is not None else None,
        "got": _number(result.got),
        "expected": _number(result.expected),
        "launches": result.launches,
        "message": result.message or None,
        "findings": [finding_dict(f) for f in result.findings],
        "seconds": round(result.seconds, 3),
    }


def _number(value: float | None) -> float | str | None:
    """JSON has no NaN and no infinity: they are the strings "nan", "inf", "-inf"."""
    if value is None or (value == value and abs(value) != float("inf")):
        return value
    return str(value)
