"""Checked mode against fast mode of the emulator, on every unit's emitted files, in one run: what do the checks cost?

    python benchmarks/checked.py                   # every unit, case and tier
    python benchmarks/checked.py --every 8         # one in eight
    python benchmarks/checked.py --order random    # blocks and threads of checked mode in a random order

Build: wall seconds of compiling and linking, into an empty cache, after the headers are there. Run: seconds inside the
launches over all verify cases of the file, of the same launches in both modes. A finding or a wrong value is a failure:
the kernels are correct.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

UNDECIDED = ("PASSED", "REFERENCE_FAILED", "NON_DISCRIMINATING")


def main() -> int:
    options = _arguments()
    with tempfile.TemporaryDirectory(prefix="cudasmith-benchmark-") as place:
        os.environ["CUDASMITH_CACHE"] = str(Path(place) / "cache")
        rows = [_row(*job, Path(place), options) for job in _jobs(options.every)]
    for what in ("build", "run"):
        # a launch of microseconds measures the clock
        ratios = [r[f"{what}_ratio"] for r in rows if r[f"fast_{what}_s"] > 1e-3]
        print(
            f"{what}: checked / fast, median {statistics.median(ratios):.2f}, most {max(ratios):.2f}, of {len(ratios)}"
        )
    wrong = [r for r in rows if r["findings"] or r["unchecked"] or r["wrong"]]
    print(f"{len(rows)} files, {len(wrong)} with a finding, a wrong value or something unchecked")
    return 1 if wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--order", default="forward", choices=("forward", "reverse", "random"))
    return parser.parse_args()


def _jobs(every: int) -> list[tuple[Any, Any, Any]]:
    from cudasmith.emulator.runtime import runtime
    from cudasmith.emulator.toolchain import precompiled_header, wraps_object
    from cudasmith.ops import units

    runtime()
    precompiled_header("checked")
    wraps_object()
    return [(u, case, tier) for u in units() for case in u.cases() for tier in case.tiers][::every]


def _row(unit: Any, case: Any, tier: Any, place: Path, options: argparse.Namespace) -> dict[str, Any]:
    from cudasmith.model import Problem
    from cudasmith.stages._tracing.tracer import capture_here
    from cudasmith.stages.emit import emit
    from cudasmith.stages.plan import plan

    problem = Problem(str(place / f"{case.name}.py"), case.source)
    captured = capture_here(problem, lambda phase: None)
    planned = plan(captured, tier)
    candidate = emit(problem, captured, planned)
    row: dict[str, Any] = {"unit": unit.name, "case": case.name, "tier": tier}
    for mode in ("fast", "checked"):
        row.update(_run(mode, problem, candidate, captured, planned, place, options.order))
    for what in ("build", "run"):
        row[f"{what}_ratio"] = round(row[f"checked_{what}_s"] / max(row[f"fast_{what}_s"], 1e-9), 2)
    print(json.dumps(row), flush=True)
    return row


def _run(
    mode: str, problem: Any, candidate: Any, captured: Any, planned: Any, place: Path, order: str
) -> dict[str, Any]:
    from cudasmith import emulator
    from cudasmith.emulator import extension
    from cudasmith.model.jsonio import dumps
    from cudasmith.pipeline import terms
    from cudasmith.stages._verify.entry import Request, verify_here
    from cudasmith.stages.cases import cases

    chosen = cases(captured, full=False, seed=1)
    request = Request(
        problem, candidate.text, captured, chosen, (), terms(planned), "emulator", True, 120.0, str(place)
    )
    built: list[float] = []
    events: list[dict[str, Any]] = []
    options = {"mode": mode, "order": order if mode == "checked" else "forward"}
    with (
        mock.patch.object(emulator, "installed", functools.partial(emulator.installed, **options)),
        mock.patch.object(extension, "build", _timed(extension.build, built)),
    ):
        verify_here(dumps(request).encode(), events.append)
    row: dict[str, Any] = {
        f"{mode}_build_s": round(sum(built), 3),
        f"{mode}_run_s": round(sum(launch.seconds for launch in emulator.launches()), 6),
    }
    if mode == "checked":
        statuses = [(e["result"]["case"]["name"], e["result"]["status"]) for e in events if "done" in e]
        row["wrong"] = [case for case, status in statuses if status not in UNDECIDED]
        row["findings"] = [str(d) for d in emulator.detected()]
        row["unchecked"] = list(emulator.coverage().unchecked)
    return row


def _timed(build: Any, into: list[float]) -> Any:
    @functools.wraps(build)
    def timed(*args: Any, **kwargs: Any) -> Any:
        started = time.perf_counter()
        made = build(*args, **kwargs)
        into.append(time.perf_counter() - started)
        return made

    return timed


if __name__ == "__main__":
    sys.exit(main())
