"""Does compute-sanitizer name the same class of error as checked mode, for every planted bug?

    python benchmarks/sanitizer.py --jobs 8         # on a machine with a GPU and compute-sanitizer

Each planted bug of tests/emulator/planted runs by itself under the tool that looks for its class, with torch's caching of
device memory off, without which an access beyond a tensor stays inside memory of the process. What no tool of
compute-sanitizer looks for (races on global memory, uninitialised shared memory, overflow of an index, outputs that nobody
wrote) is counted apart.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLANTED = ROOT / "tests" / "emulator" / "planted"
_MARK = re.compile(r"// bug: (\w+) (EM\d+)")
_HOST = re.compile(r"^(?:void|torch::Tensor|std::vector<torch::Tensor>) (\w+)\(\) ?\{", re.MULTILINE)
# class of checked mode: the tool, and what it says of the class
SAME = {
    "EM101": ("memcheck", r"Invalid __(global|shared|local)__ (read|write|atomic)|Program hit cudaErrorInvalidValue"),
    "EM105": ("memcheck", r"Invalid __(local|shared|global)__"),
    "EM106": ("memcheck", r"is misaligned"),
    "EM107": ("memcheck", r"Invalid __global__ (read|write|atomic)"),
    "EM108": ("memcheck", r"Invalid __global__ (read|write|atomic)"),
    "EM201": ("synccheck", r"Barrier error detected\. (Divergent|Invalid)"),
    "EM202": ("synccheck", r"Barrier error detected|Invalid arguments|Divergent thread"),
    "EM203": ("racecheck", r"(Race reported|hazard)"),
    "EM301": ("memcheck", r"cudaErrorInvalid(Configuration|Value)"),
    "EM402": ("initcheck", r"Uninitialized __global__ memory read"),
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--call", nargs=2, metavar=("FILE", "FUNCTION"), help=argparse.SUPPRESS)
    parser.add_argument("--logs", type=Path)
    options = parser.parse_args()
    if options.call:
        call(*options.call)
        return 0
    for name in ("bounds", "races", "values", "clean"):
        call(name, "")  # build it once
    bugs = [
        (name, function, code) for name in ("bounds", "races", "values") for function, code in marks(name)
    ]
    looked = [b for b in bugs if b[2] in SAME]
    with ThreadPoolExecutor(options.jobs) as pool:
        told = list(pool.map(lambda bug: sanitized(*bug, options.logs), looked))
    table: dict[str, Counter[str]] = {}
    for (name, function, code), said in zip(looked, told, strict=True):
        table.setdefault(code, Counter())[said] += 1
        if said != "same":
            print(f"{name}.{function} {code}: {said}")
    for code, counts in sorted(table.items()):
        print(f"{code} {SAME[code][0]}: {dict(counts)}")
    print(
        f"{told.count('same')} of {len(looked)} in the same class; {len(bugs) - len(looked)} of classes no tool looks for"
    )
    return 0


def marks(name: str) -> list[tuple[str, str]]:
    """Functions and the class of the first mark of each."""
    found: dict[str, str] = {}
    for function, code in _MARK.findall((PLANTED / f"{name}.cu").read_text()):
        found.setdefault(function, code)
    hosts = set(_HOST.findall((PLANTED / f"{name}.cu").read_text()))
    return [(f, c) for f, c in found.items() if f in hosts]


def sanitized(name: str, function: str, code: str, logs: Path | None) -> str:
    tool, pattern = SAME[code]
    command = [
        "compute-sanitizer",
        "--tool",
        tool,
        "--print-limit",
        "4",
        "--target-processes",
        "application-only",
    ]
    command += [sys.executable, __file__, "--call", name, function]
    environment = dict(os.environ, PYTORCH_NO_CUDA_MEMORY_CACHING="1", CUDA_MODULE_LOADING="LAZY")
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=100, env=environment
        )
        text = done.stdout + done.stderr
    except subprocess.TimeoutExpired as error:
        text = "".join(t.decode() if isinstance(t, bytes) else t or "" for t in (error.stdout, error.stderr))
        text += "\ntimeout"
    if logs is not None:
        logs.mkdir(parents=True, exist_ok=True)
        (logs / f"{name}.{function}.{tool}.txt").write_text(text)
    if re.search(pattern, text):
        return "same"
    other = re.search(r"=========\s+(?!COMPUTE-SANITIZER)(\S.*)", text)
    return "hangs" if text.endswith("timeout") else f"other: {other[1][:90]}" if other else "nothing"


def call(name: str, function: str) -> None:
    sys.path.insert(0, str(ROOT / "src"))
    import torch
    from torch.utils import cpp_extension

    from cudasmith.gpu import extension

    text = (PLANTED / f"{name}.cu").read_text()
    hosts = list(_HOST.finditer(text))
    major, minor = torch.cuda.get_device_capability()
    with extension.installed(f"sm_{major}{minor}", lambda route: None):
        module = cpp_extension.load_inline(
            name=f"planted_{name}",
            cpp_sources="\n".join(m.group().rstrip("{ ") + ";" for m in hosts),
            cuda_sources=text,
            functions=[m[1] for m in hosts],
        )
    if function:
        getattr(module, function)()
        torch.cuda.synchronize()


if __name__ == "__main__":
    raise SystemExit(main())
