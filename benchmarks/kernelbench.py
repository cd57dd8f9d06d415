"""Port, build, verify and time KernelBench-form problems on a GPU, and write one table of all of them.

    python benchmarks/kernelbench.py PROBLEM_DIR --ids 19-22,41-46 --tier fast --out DIR
    python benchmarks/kernelbench.py PROBLEM_DIR --executor emulator --out DIR      # verdicts only, no GPU

PROBLEM_DIR holds files like `19_ReLU.py`; none is part of this repository. Every file that was asked for has a
row, whatever became of it. Candidates are built by torch's own load_inline, as a KernelBench user would; builds
run in parallel first, then verdicts, then timings one at a time.

Timing: CUDA events around one call, 256 MiB written before each to empty the L2 cache, candidate and eager in turn
(A B B A), medians. The traffic floor is inputs, parameters and outputs once at the copy rate measured in the same run; the
arithmetic floor is the float32 additions and multiplications at FP32_FLOPS. No kernel beats the larger of the two.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import re
import statistics
import subprocess
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

REPS = 24
FLUSH_BYTES = 256 << 20
FP32_FLOPS = 66.9e12  # NVIDIA H200, float32 outside the tensor cores, from its data sheet


def main() -> int:
    options = _arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    files = _files(options.problems, options.ids)
    rows = {path.stem: {"problem": path.stem} for path in files}
    if options.executor == "emulator":
        return _emulated(options, files, rows)
    ceiling = _in_child("ceiling", {})
    print(f"copy rate {ceiling.get('copy_tb_s', 0):.2f} TB/s on {ceiling.get('device')}", flush=True)
    start = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        for row in pool.map(_port, [(str(p), options.tier, str(options.out)) for p in files]):
            rows[row["problem"]].update(row)
    print(f"ported in {time.monotonic() - start:.0f} s", flush=True)
    made = [r for r in rows.values() if "candidate" in r]
    with ThreadPoolExecutor(options.jobs) as threads:
        for row, answer in zip(made, threads.map(lambda r: _in_child("build", r), made), strict=True):
            row.update(answer)
    print(f"built after {time.monotonic() - start:.0f} s", flush=True)
    built = [r for r in made if "error" not in r]
    if not options.no_verify:
        with ThreadPoolExecutor(2) as threads:
            for row, answer in zip(built, threads.map(lambda r: _in_child("verify", r), built), strict=True):
                row.update(answer)
                print(json.dumps(row), flush=True)  # a run that is cut short has still said this
        print(f"verified after {time.monotonic() - start:.0f} s", flush=True)
    with ThreadPoolExecutor(3) as threads:
        for row, answer in zip(built, threads.map(lambda r: _in_child("clock", r), built), strict=True):
            row.update(answer)
            print(json.dumps(row), flush=True)
    print(f"timed after {time.monotonic() - start:.0f} s", flush=True)
    _write(options.out, ceiling, list(rows.values()))
    return 0


def _emulated(options: argparse.Namespace, files: list[Path], rows: dict[str, dict[str, Any]]) -> int:
    """Verdicts at shrunk and odd sizes on the CPU; each row is said as it comes."""
    for path in files:
        row = rows[path.stem]
        row.update(_port((str(path), options.tier, str(options.out))))
        if "candidate" in row:
            row.update(_in_child("emulate", row))
        print(json.dumps(row), flush=True)
    _write(options.out, {}, list(rows.values()))
    return 0 if all(row.get("verdict") == "PASSED" for row in rows.values()) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("problems", type=Path)
    parser.add_argument("--ids", default="", help="like 19-22,41; all when empty")
    parser.add_argument("--tier", choices=("fast", "minimal"), default="fast")
    parser.add_argument("--out", type=Path, default=Path("kernelbench-out"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--executor", choices=("gpu", "emulator"), default="gpu")
    parser.add_argument("--no-verify", action="store_true")
    return parser.parse_args()


def _files(folder: Path, ids: str) -> list[Path]:
    wanted: set[int] = set()
    for part in filter(None, ids.split(",")):
        low, _, high = part.partition("-")
        wanted |= set(range(int(low), int(high or low) + 1))
    numbered = [(int(m[1]), p) for p in folder.glob("*.py") if (m := re.match(r"(\d+)_", p.name))]
    return [p for number, p in sorted(numbered) if not wanted or number in wanted]


def _port(job: tuple[str, str, str]) -> dict[str, Any]:
    """Emit one candidate; no GPU is used."""
    from cudasmith.model import CudasmithError
    from cudasmith.pipeline import terms
    from cudasmith.stages.capture import capture
    from cudasmith.stages.emit import emit
    from cudasmith.stages.plan import plan
    from cudasmith.stages.read import read

    path, tier, out = job
    row: dict[str, Any] = {"problem": Path(path).stem, "path": path}
    try:
        problem = read(path)
        captured = capture(problem)
        planned = plan(captured, "minimal" if tier == "minimal" else "fast")
        candidate = emit(problem, captured, planned)
    except CudasmithError as error:
        return {**row, "error": f"{error.code} {error.message}"}
    except Exception:  # noqa: BLE001 - a defect of ours is a row, not the end of the run
        return {**row, "error": traceback.format_exc(limit=-3)}
    target = Path(out) / f"{Path(path).stem}_{tier}.py"
    target.write_text(candidate.text)
    graph = captured.eval
    outside = [*graph.inputs, *(p.value for p in graph.parameters)]
    sizes = {"float32": 4, "float64": 8, "float16": 2, "bfloat16": 2, "bool": 1, "int32": 4, "int64": 8}
    moved = sum(v.numel * sizes.get(v.dtype, 4) for v in outside) + _output_bytes(graph, sizes)
    steps = planned.eval.steps
    kernels = [s.variant or s.node.target for s in steps if s.kind != "size"]  # type: ignore[union-attr]
    return {
        **row,
        "candidate": str(target),
        "bytes": moved,
        "flops": sum(s.flops for s in steps),
        "kernels": kernels,
        "left": len(planned.left_to_torch()),
        "terms": terms(planned),
    }


def _output_bytes(graph: Any, sizes: dict[str, int]) -> int:
    from cudasmith.ops._families.patterns import output_names

    values = [graph.value(name) for name in output_names(graph.output)]
    return sum(v.numel * sizes.get(v.dtype, 4) for v in values if v is not None)


def _in_child(phase: str, row: dict[str, Any]) -> dict[str, Any]:
    """One phase of one problem in its own process: a CUDA fault there harms nobody else."""
    command = [sys.executable, __file__, "--phase", phase]
    try:
        done = subprocess.run(
            command, input=json.dumps(row), capture_output=True, text=True, timeout=400, env=_environment()
        )
    except subprocess.TimeoutExpired:
        return {"error": f"{phase}: more than 400 s"}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        return {"error": f"{phase}: exit {done.returncode}: {done.stderr.strip()[-600:]}"}
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


def _environment() -> dict[str, str]:
    from cudasmith.gpu.device import query
    from cudasmith.gpu.runner import environment

    shared = Path(os.environ.get("KERNELBENCH_BUILDS", "/tmp/cudasmith-builds"))
    env = {**os.environ, **environment(query(), shared)}
    env.pop("NVIDIA_TF32_OVERRIDE", None)  # timings use the flags PyTorch ships
    return env


def _load(path: str) -> Any:
    import importlib.util

    spec = importlib.util.spec_from_file_location(f"m_{abs(hash(path))}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def phase_ceiling(row: dict[str, Any]) -> dict[str, Any]:
    import torch

    a = torch.rand(1 << 30, device="cuda")
    b = torch.empty_like(a)
    ms = _median_ms(lambda: b.copy_(a), None)[0]
    rate = 2 * a.numel() * 4 / ms / 1e9
    return {"copy_tb_s": rate, "device": torch.cuda.get_device_name(), "torch": torch.__version__}


def phase_build(row: dict[str, Any]) -> dict[str, Any]:
    start = time.monotonic()
    reference, candidate = _load(row["path"]), _load(row["candidate"])
    candidate.ModelNew(*reference.get_init_inputs())
    return {"build_s": round(time.monotonic() - start, 1)}


def phase_verify(row: dict[str, Any]) -> dict[str, Any]:
    """The product's own verdict: shrunk and odd sizes, then the problem's own, on the GPU."""
    return _verdict(
        row, executor="gpu", full=True, memory_bytes=0, build_dir=os.environ["TORCH_EXTENSIONS_DIR"]
    )


def phase_emulate(row: dict[str, Any]) -> dict[str, Any]:
    """The product's own verdict at shrunk and odd sizes, on the CPU."""
    return _verdict(row, executor="emulator", full=False, memory_bytes=8 << 30)


def _verdict(row: dict[str, Any], **how: Any) -> dict[str, Any]:
    from cudasmith.model import Candidate, CaseStatus
    from cudasmith.stages.capture import capture
    from cudasmith.stages.read import read
    from cudasmith.stages.verify import verify

    start = time.monotonic()
    problem = read(row["path"])
    candidate = Candidate(Path(row["candidate"]).read_text(), row["candidate"])
    _, verdict = verify(problem, candidate, capture(problem), terms=row["terms"], **how)
    judged = [c for c in verdict.cases if c.error_ratio is not None]
    full = [c for c in judged if c.case.full]
    bad = [
        c for c in verdict.cases if c.status.value not in ("PASSED", "REFERENCE_FAILED", "NON_DISCRIMINATING")
    ]
    return {
        "verdict": verdict.status.value,
        "cases": sum(c.status is CaseStatus.PASSED for c in verdict.cases),
        "worst": max((c.error_ratio or 0.0 for c in judged), default=None),
        "worst_full": max((c.error_ratio or 0.0 for c in full), default=None),
        "verify_s": round(time.monotonic() - start, 1),
        "why": "; ".join(f"{c.case.name}: {c.status.value} {c.message[:160]}" for c in bad[:3])
        or verdict.reason,
    }


def phase_clock(row: dict[str, Any]) -> dict[str, Any]:
    import torch

    reference, candidate = _load(row["path"]), _load(row["candidate"])
    with Path("/tmp/cudasmith-gpu.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        torch.manual_seed(0)
        with torch.device("cuda"):
            inputs = [x.cuda() if isinstance(x, torch.Tensor) else x for x in reference.get_inputs()]
        init = reference.get_init_inputs()
        eager = reference.Model(*init).cuda().eval()
        ours = candidate.ModelNew(*init).cuda().eval()
        ours.load_state_dict(eager.state_dict())
        with torch.no_grad():
            ms = _median_ms(lambda: ours(*inputs), lambda: eager(*inputs))
        return {"ms": ms[0], "spread": ms[2], "eager_ms": ms[1]}


def _median_ms(ours: Any, other: Any) -> tuple[float, float, float]:
    """(median of ours, median of the other, p90 - p10 of ours) in milliseconds."""
    import torch

    flush = torch.empty(FLUSH_BYTES // 4, device="cuda")
    samples: dict[int, list[float]] = {0: [], 1: []}
    order = (0, 1, 1, 0) if other is not None else (0, 0)

    def once(which: int) -> float:
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        flush.fill_(1.0)
        begin.record()
        result = ours() if which == 0 else other()
        end.record()
        end.synchronize()
        del result
        return float(begin.elapsed_time(end))

    for which in sorted(set(order)):
        first = once(which)
        once(which)
    reps = max(3, min(REPS // 2, int(800 / max(first, 0.01))))
    for _ in range(reps):
        for which in order:
            samples[which].append(once(which))
    mine = sorted(samples[0])
    spread = mine[int(0.9 * (len(mine) - 1))] - mine[int(0.1 * (len(mine) - 1))]
    return statistics.median(mine), statistics.median(samples[1] or [0.0]), spread


def _write(out: Path, ceiling: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    (out / "kernelbench.json").write_text(json.dumps({"ceiling": ceiling, "rows": rows}, indent=1))
    head = ["problem", "kernel", "verdict", "cases", "error / allowed, full size", "worst of all cases",
            "ours ms", "eager ms", "eager / ours", "traffic floor ms", "arithmetic floor ms", "ours / larger floor"]  # fmt: skip
    head = head if ceiling else [*head[:4], "worst error / allowed"]
    lines = [_line(head), _line(["---"] * len(head))]
    for row in rows:
        lines.append(_line(_cells(row, ceiling.get("copy_tb_s"))))
        if row.get("error") or row.get("why"):
            lines.append(f"<!-- {row['problem']}: {(row.get('error') or row.get('why'))!s:.700} -->")
    (out / "kernelbench.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines), flush=True)


def _cells(row: dict[str, Any], rate: float | None) -> list[str]:
    made = " + ".join(row.get("kernels", []))
    cells = [row["problem"], made, row.get("verdict", "-"), str(row.get("cases", "-"))]
    if rate is None:
        return [*cells, _number(row.get("worst"))]
    ms, eager = row.get("ms"), row.get("eager_ms")
    traffic, arithmetic = row.get("bytes", 0) / rate / 1e9, row.get("flops", 0) / FP32_FLOPS * 1e3
    floor = max(traffic, arithmetic)
    times = [
        ms,
        eager,
        eager / ms if ms and eager else None,
        traffic,
        arithmetic,
        ms / floor if ms and floor else None,
    ]
    return cells + [_number(n) for n in (row.get("worst_full"), row.get("worst"), *times)]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--phase"]:
        print(json.dumps(globals()[f"phase_{sys.argv[2]}"](json.load(sys.stdin))))
        sys.exit(0)
    sys.exit(main())
