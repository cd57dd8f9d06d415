"""How fast check is: files a second, start-up, and how time grows with a file's size. All ratios of one run.

    python benchmarks/check.py [FOLDER]

FOLDER: also the rate over the Python files in it, read and judged one by one. Start-up is the command's second run, with its
bytecode kept, as an installed package has it. A ratio of times divided by the ratio of sizes is 1 where time grows as the size does.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cudasmith.cli.check import GC_THRESHOLD
from cudasmith.model import Candidate
from cudasmith.rules._cases import CORRECT
from cudasmith.rules._rule import all_rules
from cudasmith.stages.check import check

LARGEST_BYTES = 5 * 10**6
STEPS = 4  # each four times as large as the one before
CUDA = CORRECT[CORRECT.index("__global__") : CORRECT.index("static torch")]
HOST = CORRECT[CORRECT.index("torch::Tensor scale(") : CORRECT.index("PYBIND11")]


def cpu_s(text: str) -> float:
    start = time.process_time()
    check(Candidate(text))
    return time.process_time() - start


def kernels(count: int) -> str:
    many = "".join(CUDA.replace("scale_thread", f"k{i}_thread") for i in range(count))
    return CORRECT.replace("static torch", many + "static torch", 1)


def hosts(count: int) -> str:
    many = "".join(HOST.replace("scale(", f"scale{i}(") for i in range(count))
    return CORRECT.replace("PYBIND11", many + "PYBIND11", 1)


def functions(count: int) -> str:
    return CORRECT + "".join(f"\n\ndef f{i}(x):\n    y = x + {i}\n    return y * 2\n" for i in range(count))


def statements(count: int) -> str:
    many = "".join(f"        y{i} = x.view({i})\n" for i in range(count))
    return CORRECT.replace("        return Scale", many + "        return Scale")


def modules(count: int) -> str:
    return CORRECT * count


def scaling(make: Callable[[int], str]) -> str:
    per_unit = (len(make(101)) - len(make(1))) / 100
    counts = [int(LARGEST_BYTES / per_unit / 4**step) for step in reversed(range(STEPS))]
    texts = [make(count) for count in counts]
    times = [cpu_s(text) for text in texts]
    pairs = zip(texts, texts[1:], times, times[1:], strict=False)
    ratios = [(t1 / t0) / (len(b) / len(a)) for a, b, t0, t1 in pairs]
    listed = "  ".join(f"{ratio:.2f}" for ratio in ratios)
    return f"{listed}   ({len(texts[-1]) / 1e6:.1f} MB: {times[-1]:.1f} s)"


def rate(texts: list[str]) -> str:
    seconds = sum(cpu_s(text) for text in texts)
    return f"{len(texts)} files of {sum(map(len, texts)) // len(texts)} bytes: {len(texts) / seconds:.0f} files/s"


def startup_s() -> tuple[float, float]:
    """Of the command without a file, and with one."""
    code = "import sys; from cudasmith.cli.main import cli; cli(sys.argv[1:], standalone_mode=False)"
    with tempfile.TemporaryDirectory() as bytecode:
        env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        env["PYTHONPYCACHEPREFIX"] = bytecode

        def run_s(*args: str) -> float:
            start = time.perf_counter()
            command = [sys.executable, "-c", code, "check", *args]
            subprocess.run(command, input=CORRECT.encode(), check=True, stdout=subprocess.DEVNULL, env=env)
            return time.perf_counter() - start

        run_s("-")
        return min(run_s("--help") for _ in range(5)), min(run_s("-") for _ in range(5))


def main() -> None:
    gc.set_threshold(GC_THRESHOLD)  # as the command does
    cpu_s(CORRECT)
    print("the rules' own cases,", rate([t for rule in all_rules() for t in (*rule.BAD, *rule.GOOD)]))
    for folder in sys.argv[1:]:
        print("given files,", rate([p.read_text(errors="replace") for p in Path(folder).glob("**/*.py")]))
    print("start-up {:.2f} s, with one file {:.2f} s".format(*startup_s()))
    print("growth of time over growth of size, each step four times as large:")
    for make in (kernels, hosts, functions, statements, modules):
        print(f"  {make.__name__:<12} {scaling(make)}", flush=True)


if __name__ == "__main__":
    main()
