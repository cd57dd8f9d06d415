"""Builds by the fast route against torch's own load_inline, for the same files in the same run; are the results equal?

    python benchmarks/build.py examples/*.py --torch 2          # times; two files by torch too, a minute or two each
    python benchmarks/build.py examples/*.py --torch all --equal --jobs 8       # with a GPU: bit-equality as well

Each FILE is a reference; it is ported (no verdict) in the tiers asked for. Fast builds run one at a time in an empty
cache, after the library behind the light headers is there: its own time is told apart. Cached: the same build again, in
a process that has just started. Torch's builds run `--jobs` at a time in private directories, so that their times are
upper bounds when there are several; the ratio is taken from builds that ran alone (--jobs 1).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))


def main() -> int:
    options = _arguments()
    with tempfile.TemporaryDirectory(prefix="cudasmith-benchmark-") as place:
        os.environ["CUDASMITH_CACHE"] = str(Path(place) / "cache")
        jobs = [(f, tier, place) for f in options.files for tier in options.tiers.split(",")]
        with ThreadPoolExecutor(options.jobs) as threads:
            rows = list(threads.map(lambda job: _child("port", {"args": job}), jobs))
        print(json.dumps({"support_s": _child("support", {}).get("seconds")}), flush=True)
        for row in rows:
            row.update(_child("fast", row))
            row.update(_child("cached", row))
            print(json.dumps(row), flush=True)
        chosen = rows if options.torch == "all" else rows[: int(options.torch)]
        phase = "equal" if options.equal else "torch"
        with ThreadPoolExecutor(options.jobs) as threads:
            for row, answer in zip(chosen, threads.map(lambda r: _child(phase, r), chosen), strict=True):
                row.update(answer)
                print(json.dumps({"file": row.get("file"), **answer}), flush=True)
        _tell(rows)
    return 0 if all(r.get("fast_status") == "OK" and r.get("equal") in (None, True) for r in rows) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--tiers", default="fast")
    parser.add_argument("--torch", default="0", help="how many files torch builds too, or all")
    parser.add_argument("--equal", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def _child(phase: str, row: dict[str, Any]) -> dict[str, Any]:
    command = [sys.executable, __file__, "--phase", phase]
    done = subprocess.run(
        command, input=json.dumps(row, default=str), capture_output=True, text=True, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        return {f"{phase}_error": done.stderr.strip()[-400:] or f"exit {done.returncode}"}
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


def phase_port(row: dict[str, Any]) -> dict[str, Any]:
    from cudasmith.stages.capture import capture
    from cudasmith.stages.emit import emit
    from cudasmith.stages.plan import plan
    from cudasmith.stages.read import read

    path, tier, place = row["args"]
    problem = read(path)
    captured = capture(problem)
    candidate = emit(problem, captured, plan(captured, tier))
    target = Path(place) / f"{Path(path).stem}_{tier}.py"
    target.write_text(candidate.text)
    return {
        "file": Path(path).stem,
        "tier": tier,
        "reference": str(path),
        "candidate": str(target),
        "place": place,
    }


def phase_support(row: dict[str, Any]) -> dict[str, Any]:
    from cudasmith.gpu.toolchain import find_nvcc
    from cudasmith.hostapi.library import support_library

    start = time.monotonic()
    found = find_nvcc()
    support_library(str(Path(found.root) / "include") if found else None)
    return {"seconds": round(time.monotonic() - start, 2)}


def phase_fast(row: dict[str, Any]) -> dict[str, Any]:
    seconds, status, route = _built(row)
    return {"fast_s": seconds, "fast_status": status, "route": route}


def phase_cached(row: dict[str, Any]) -> dict[str, Any]:
    return {"cached_s": _built(row)[0]}


def _built(row: dict[str, Any]) -> tuple[float, str, str]:
    from cudasmith.cli.build import arches
    from cudasmith.model import Candidate
    from cudasmith.stages.build import BuildOptions, build

    candidate, options = Candidate(Path(row["candidate"]).read_text()), BuildOptions(arches(None))
    start = time.monotonic()
    one = build(candidate, options).builds[0]
    return round(time.monotonic() - start, 3), one.status.value, one.route


def phase_torch(row: dict[str, Any]) -> dict[str, Any]:
    from cudasmith.cli.build import arches
    from cudasmith.model import Candidate
    from cudasmith.stages.build import BuildOptions, build

    candidate = Candidate(Path(row["candidate"]).read_text())
    one = build(candidate, BuildOptions(arches(None), builder="torch")).builds[0]
    log = one.log[-300:] if one.log else ""
    return {"torch_s": round(one.seconds, 1), "torch_status": one.status.value, "torch_log": log}


def phase_equal(row: dict[str, Any]) -> dict[str, Any]:
    """Both builds of the file on the same inputs in one process; every output compared bit by bit."""
    import torch

    from cudasmith.gpu import extension
    from cudasmith.gpu.device import query
    from cudasmith.gpu.runner import environment

    device = query()
    os.environ.update(environment(device, Path(tempfile.mkdtemp(dir=row["place"]))))
    routes: list[str] = []
    reference = _load(row["reference"])
    torch.manual_seed(0)
    inputs = [x.cuda() if isinstance(x, torch.Tensor) else x for x in reference.get_inputs()]
    with extension.installed(device.arch, routes.append):
        ours = _outputs(row["candidate"], reference, inputs)
    start = time.monotonic()
    theirs = _outputs(row["candidate"], reference, inputs)
    seconds = round(time.monotonic() - start, 1)  # all but a few milliseconds of it is the build
    same = len(ours) == len(theirs) and all(same_bits(a, b) for a, b in zip(ours, theirs, strict=True))
    return {
        "equal": bool(same and routes == ["light headers"]),
        "torch_s": seconds,
        "outputs": len(ours),
        "elements": sum(t.numel() for t in ours),
    }


def _outputs(path: str, reference: Any, inputs: list[Any]) -> list[Any]:
    import torch
    from torch.utils._pytree import tree_leaves

    torch.manual_seed(0)
    model = _load(path).ModelNew(*reference.get_init_inputs()).cuda().eval()
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter))
        return [t for t in tree_leaves(model(*inputs)) if isinstance(t, torch.Tensor)]


def same_bits(a: Any, b: Any) -> bool:
    """Equal dtype, shape and bits, those of NaN included."""
    import torch

    bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[a.element_size()]
    return (
        a.dtype == b.dtype
        and a.shape == b.shape
        and torch.equal(a.contiguous().view(bits), b.contiguous().view(bits))
    )


def _load(path: str) -> Any:
    import importlib.util

    spec = importlib.util.spec_from_file_location(f"m_{abs(hash(path))}_{time.monotonic_ns()}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _tell(rows: list[dict[str, Any]]) -> None:
    print(
        "| file | tier | fast s | cached s | torch s | torch / fast | bit-equal |\n|---|---|---|---|---|---|---|"
    )
    for r in rows:
        ratio = f"{r['torch_s'] / r['fast_s']:.0f}" if r.get("torch_s") and r.get("fast_s") else "-"
        cells = [
            r.get("file"),
            r.get("tier"),
            r.get("fast_s"),
            r.get("cached_s"),
            r.get("torch_s", "-"),
            ratio,
            r.get("equal", "-"),
        ]
        print("| " + " | ".join(str(c) for c in cells) + " |")
        for key in [k for k in r if k.endswith("_error") or (k == "torch_log" and r[k])]:
            print(f"<!-- {r.get('file')}: {key}: {r[key]} -->")
    for name in ("fast_s", "cached_s", "torch_s"):
        times = [r[name] for r in rows if r.get(name) is not None]
        if times:
            print(
                f"{name}: median {statistics.median(times):.2f}, largest {max(times):.2f}, of {len(times)} builds"
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--phase"]:
        phase = globals()[f"phase_{sys.argv[2]}"]
        print(json.dumps(phase(json.loads(sys.stdin.read()))))
    else:
        raise SystemExit(main())
