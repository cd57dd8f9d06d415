"""The emulator's costs in one run: builds, kernels against plain loops, thread switches, checked mode and memory.

    python benchmarks/emulator.py                   # every fourth of the units' files, 32
    python benchmarks/emulator.py --every 1         # all of them
    python benchmarks/emulator.py --order random    # blocks and threads of checked mode in a random order

Build: wall seconds of compiling and linking one emitted file into an empty cache, after the headers are there; the compiler
is $CXX, or g++. Plain loops: the same arithmetic as host code of the same file, so under the same flags. Switches: one for
each thread at each barrier. Checked / fast: CPU seconds inside the launches over all verify cases of a file. Memory: peak
of a process of its own, over the bytes of the kernel's tensors. A finding or a wrong value of checked mode is a failure.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

UNDECIDED = ("PASSED", "REFERENCE_FAILED", "NON_DISCRIMINATING")


KERNELS = Path(__file__).parent / "kernels" / "emulated.cu"
BARRIER_FREE = ("pointwise", "strided", "pool", "matmul")
SWITCHES = 64 * 256 * 256  # of `barriers`: blocks, threads, barriers
BASE_MB = 500


def main() -> int:
    options = _arguments()
    if options.memory:
        print(json.dumps(_memory(*options.memory)))
        return 0
    with tempfile.TemporaryDirectory(prefix="cudasmith-benchmark-") as place:
        os.environ["CUDASMITH_CACHE"] = str(Path(place) / "cache")
        table = _speed()
        table += [_peak(kernel, mode) for kernel in ("pointwise", "rows") for mode in ("fast", "checked")]
        rows = [_row(*job, Path(place), options) for job in _jobs(options.every)]
    builds = [r["fast_build_s"] for r in rows]
    # a launch of microseconds measures the clock
    ratios = [r["run_ratio"] for r in rows if r["fast_run_s"] > 1e-3]
    table.append((f"build, median of {len(builds)} files", f"{statistics.median(builds):.2f} s", "4 s"))
    table.append(("build, checked / fast", f"{statistics.median(r['build_ratio'] for r in rows):.2f}", "-"))
    table.append((f"checked / fast, median of {len(ratios)}", f"{statistics.median(ratios):.2f}", "6"))
    table.append(("checked / fast, most", f"{max(ratios):.2f}", "-"))
    print("| what | measured | aim |\n|---|---|---|")
    print("\n".join(f"| {what} | {measured} | {aim} |" for what, measured, aim in table))
    wrong = [r for r in rows if r["findings"] or r["unchecked"] or r["wrong"]]
    print(f"{len(rows)} files, {len(wrong)} with a finding, a wrong value or something unchecked")
    return 1 if wrong else 0


def _kernels() -> Any:
    from cudasmith import emulator

    names = (*BARRIER_FREE, *(f"plain_{name}" for name in BARRIER_FREE), "barriers", "rows")
    declarations = "\n".join(f"void {name}(torch::Tensor x, torch::Tensor y);" for name in names)
    return emulator.load_inline("emulated", declarations, KERNELS.read_text(), functions=list(names))


def _speed() -> list[tuple[str, str, str]]:
    import torch

    from cudasmith import emulator

    with emulator.installed():
        module = _kernels()
        x, y = torch.randn(1 << 21), torch.zeros(1 << 21)
        table = []
        for name in BARRIER_FREE:
            ratio = _best(getattr(module, name), x, y) / _best(getattr(module, f"plain_{name}"), x, y)
            table.append((f"{name}, emulated / plain C++", f"{ratio:.2f}", "3"))
        rate = SWITCHES / _best(module.barriers, x, y) / 1e6
        return [*table, ("thread switches at barriers", f"{rate:.0f} million/s", "20 million/s")]


def _best(function: Any, x: Any, y: Any) -> float:
    times = []
    for _ in range(7):
        started = time.perf_counter()
        function(x, y)
        times.append(time.perf_counter() - started)
    return min(times)


def _peak(kernel: str, mode: str) -> tuple[str, str, str]:
    command = [sys.executable, __file__, "--memory", kernel, mode]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    tensors, peak = json.loads(done.stdout.splitlines()[-1])
    what = f"peak memory, {kernel} of {tensors:.0f} MB of tensors, {mode}"
    return what, f"{peak:.0f} MB", f"{3 * tensors + BASE_MB:.0f} MB"


def _memory(kernel: str, mode: Any) -> tuple[float, float]:
    """Megabytes of the tensors, and of the process at its peak."""
    import torch

    from cudasmith import emulator

    with emulator.installed(mode=mode):
        x = torch.ones(63 << 20, device="cuda")  # 252 MB
        y = torch.empty(x.numel() if kernel == "pointwise" else x.numel() // 4096, device="cuda")
        getattr(_kernels(), kernel)(x, y)
        assert emulator.detected() == []
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (x.nbytes + y.nbytes) / 2**20, peak


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--order", default="forward", choices=("forward", "reverse", "random"))
    parser.add_argument("--memory", nargs=2, metavar=("KERNEL", "MODE"), help=argparse.SUPPRESS)
    return parser.parse_args()


def _jobs(every: int) -> list[tuple[Any, Any, Any]]:
    from cudasmith.emulator.runtime import runtime
    from cudasmith.emulator.toolchain import light_headers, precompiled_header, wraps_object
    from cudasmith.ops import units

    runtime()
    precompiled_header(light_headers(), "checked")
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
