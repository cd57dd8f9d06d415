"""Do emulator and GPU give the same results? Every unit, case, tier and layout, on the same inputs.

    python benchmarks/equal.py emit DIR                 # anywhere: port every case of every unit
    python benchmarks/agree.py run DIR --jobs 16        # on a machine with a GPU

Each file runs on the verdict's inputs on both, from the same values in the same memory layout. A case agrees when both
results pass the verdict against the float64 reference and differ from each other by no more than that verdict allows.
A file that does not build or run on either side, and a case that only one of them refuses, count as disagreeing.
Cases whose reference itself refuses the shape are not counted, their number is printed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("phase", choices=["run", "_one"])
    parser.add_argument("place", type=Path)
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    if options.phase == "_one":
        print(json.dumps(one(json.loads(options.place.read_text()))))
        return 0
    return run(options.place, options.jobs)


def run(directory: Path, jobs: int) -> int:
    start = time.monotonic()
    files = sorted(directory.glob("*.json"))
    first = [_child(files[0])]  # it prepares headers and libraries for all
    with ThreadPoolExecutor(jobs) as pool:
        rows = []
        for row in itertools.chain(first, pool.map(_child, files[1:])):
            rows.append(row)
            if not row["agrees"]:
                print(json.dumps(row), flush=True)
    agreeing = [r for r in rows if r["agrees"]]
    cases, skipped, elements = (sum(r[k] for r in agreeing) for k in ("cases", "skipped", "elements"))
    worst = max((r["worst"] for r in agreeing), default=0.0)
    print(
        f"{len(agreeing)} of {len(files)} files agree, {cases} cases, {elements} elements; the largest difference between "
        f"the two is {worst:.3f} of what the verdict allows; {skipped} cases refused by the reference; "
        f"{time.monotonic() - start:.0f} s"
    )
    return 0 if len(agreeing) == len(files) else 1


def _child(file: Path) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": file.name,
        "agrees": False,
        "cases": 0,
        "skipped": 0,
        "elements": 0,
        "worst": 0.0,
    }
    try:
        done = subprocess.run(
            [sys.executable, __file__, "_one", str(file)],
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
            env=dict(os.environ, OMP_NUM_THREADS="1"),  # many run side by side
        )
    except subprocess.TimeoutExpired:
        return row | {"error": "no end after 240 s"}
    if done.returncode:
        return row | {"error": done.stderr.strip()[-600:]}
    return row | json.loads(done.stdout.splitlines()[-1])


def one(item: dict[str, Any]) -> dict[str, Any]:
    """The row of one file."""
    from cudasmith.model import Capture, Case, Problem
    from cudasmith.model.jsonio import from_data
    from cudasmith.stages._verify import subjects
    from cudasmith.stages._verify.execute import Bench, prepare
    from cudasmith.stages._verify.executors import executor

    workdir = Path(tempfile.mkdtemp())
    problem, captured = from_data(item["problem"], Problem), from_data(item["captured"], Capture)
    bench: Any = None
    prepared, emulated, gpu = [], [], []
    skipped = 0
    with executor("emulator", workdir, lambda build: None) as place:
        reference = subjects.load_reference(problem, workdir, "cpu")
        candidate = _candidate(item, reference, workdir, problem, place)
        bench = Bench(captured, reference, candidate, place, item["terms"], False, 60.0)
        for case in (from_data(c, Case) for c in item["cases"]):
            try:
                prepared.append(prepare(bench, case))
            except Exception:  # noqa: BLE001 - as in a verdict: not a case for this model
                skipped += 1
        emulated = [_called(candidate, reference.state, c, args, "cpu") for c, args, _ in prepared]
    with executor("gpu", workdir, lambda build: None) as place:
        candidate = _candidate(item, reference, workdir, problem, place)
        state = _moved(reference.state)
        gpu = [_called(candidate, state, c, args, "cuda") for c, args, _ in prepared]
    row: dict[str, Any] = {
        "name": item["name"],
        "agrees": True,
        "cases": 0,
        "skipped": skipped,
        "elements": 0,
        "worst": 0.0,
    }
    for (case, _, wanted), ours, theirs in zip(prepared, emulated, gpu, strict=True):
        said = _compared(wanted.target, ours, theirs)
        if isinstance(said, str):
            return row | {"agrees": False, "error": f"{case.name}: {said}"}
        row["cases"] += 1
        row["elements"] += wanted.target.elements()
        row["worst"] = max(row["worst"], said)
    return row | {"agrees": row["elements"] > 0}


def _candidate(item: dict[str, Any], reference: Any, workdir: Path, problem: Any, place: Any) -> Any:
    from cudasmith.stages._verify import subjects

    with place.fenced():
        module = subjects.load_candidate(item["text"], workdir)
        return subjects.construct_candidate(module, reference, problem.seed, place.torch_device)


def _moved(value: Any) -> Any:
    """On the GPU, with the same strides and the same offset from an aligned address."""
    import torch
    from torch.utils._pytree import tree_map

    def move(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        storage = torch.empty(0, dtype=leaf.dtype, device="cuda").set_(leaf.untyped_storage().cuda())
        return storage.as_strided(leaf.shape, leaf.stride(), leaf.storage_offset())

    return tree_map(move, value)


def _called(candidate: Any, state: Any, case: Any, args: list[Any], device: str) -> Any:
    """What forward returns, on the CPU, and the buffers after a call in training; or the exception's first line."""
    import torch
    from torch.utils._pytree import tree_map

    from cudasmith.stages._verify.inputs import copy_args
    from cudasmith.stages._verify.reference import buffers, run

    used = copy_args(args)
    try:
        got = run(candidate, state, case, _moved(used) if device == "cuda" else used)
        after = buffers(candidate) if case.training else {}
        return tree_map(lambda v: v.detach().cpu() if isinstance(v, torch.Tensor) else v, (got, after))
    except Exception as error:  # noqa: BLE001 - a refusal is a result
        return f"{type(error).__name__}: {error}".splitlines()[0]


def _compared(target: Any, ours: Any, theirs: Any) -> str | float:
    """The largest difference in units of the allowance; or in words what is wrong."""
    import attrs

    from cudasmith.model import CaseStatus
    from cudasmith.stages._verify.compare import difference
    from cudasmith.stages._verify.judge import judge
    from cudasmith.stages._verify.outputs import leaves

    if isinstance(ours, str) or isinstance(theirs, str):
        return f"emulator: {_short(ours)}; GPU: {_short(theirs)}"
    for name, (got, after) in (("emulator", ours), ("GPU", theirs)):
        verdict = judge(target, got, after)
        if verdict.status is not CaseStatus.PASSED:
            return f"{name}: {verdict.status.value} {verdict.message}"
    found = [{leaf.path: leaf.value for leaf in leaves(got)} | after for got, after in (ours, theirs)]
    worst = 0.0
    for expected, tolerance in zip(target.outputs, target.tolerances, strict=True):
        a, b = (f[expected.path] for f in found)
        wide = a.double() if tolerance is not None and a.is_floating_point() else a
        apart = difference(attrs.evolve(expected, reference=wide, own=a), b, tolerance)
        if apart.status is not CaseStatus.PASSED:
            return f"emulator and GPU differ at {apart.index}: {apart.expected} and {apart.got}"
        worst = max(worst, apart.ratio or 0.0)
    return worst


def _short(value: Any) -> str:
    return value[:160] if isinstance(value, str) else "a result"


if __name__ == "__main__":
    raise SystemExit(main())
