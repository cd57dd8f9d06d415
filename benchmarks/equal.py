"""Are modules built with the light headers bit-equal to modules built with torch's own? Every unit, case, tier, layout.

    python benchmarks/equal.py emit DIR                 # anywhere: port every case of every unit
    python benchmarks/equal.py run DIR --jobs 16        # on a machine with a GPU: build both ways, run, compare

Torch's build of one file takes most of a minute, nearly all of it for its headers, so that the files are put into a few
extensions for it, each in a namespace of its own, unchanged otherwise; the fast builder builds each file by itself.
Both then run on the verdict's inputs: small and odd sizes, special values, transposed, sliced, expanded and misaligned
tensors, half types. Outputs are compared bit by bit, with dtype, shape and strides; a call that one refuses the other must
refuse in the same words. A file that does not build or run
on either side counts as not equal.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
from build import same_bits

PER_EXTENSION = 8
DEVICE = "cuda"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("phase", choices=["emit", "run", "_torch", "_fast", "_compare"])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument(
        "--skip-refused",
        action="store_true",
        help="do not ask torch's module where ours refuses a call: for machines whose g++ links libstdc++ statically, where "
        "torch's own modules crash while they write a refusal with sizes in it",
    )
    options = parser.parse_args()
    return int(globals()[f"phase_{options.phase.strip('_')}"](options) or 0)


def phase_emit(options: argparse.Namespace) -> None:
    from cudasmith.model import Problem
    from cudasmith.model.jsonio import dumps
    from cudasmith.ops import units
    from cudasmith.pipeline import terms
    from cudasmith.stages._tracing.tracer import capture_here
    from cudasmith.stages.cases import cases
    from cudasmith.stages.emit import emit
    from cudasmith.stages.plan import plan

    options.directory.mkdir(parents=True, exist_ok=True)
    chosen = [(u, c, t) for u in units() for c in u.cases() for t in c.tiers]
    for number, (unit, case, tier) in enumerate(chosen):
        problem = Problem(str(options.directory / f"{case.name}.py"), case.source)
        captured = capture_here(problem, lambda phase: None)
        planned = plan(captured, tier)
        item = {
            "name": f"{unit.name}-{case.name}-{tier}",
            "problem": json.loads(dumps(problem)),
            "captured": json.loads(dumps(captured)),
            "terms": terms(planned),
            "text": emit(problem, captured, planned).text,
            "cases": [json.loads(dumps(c)) for c in cases(captured, full=False, seed=1)],
        }
        (options.directory / f"{number:03}.json").write_text(json.dumps(item))
    print(f"{len(chosen)} files")


def phase_run(options: argparse.Namespace) -> int:
    start = time.monotonic()
    files = sorted(options.directory.glob("*.json"))
    parts = range((len(files) + PER_EXTENSION - 1) // PER_EXTENSION)
    with ThreadPoolExecutor(options.jobs) as pool:
        first = _child("_fast", options, 0)  # with the library behind the light headers
        torch = [pool.submit(_child, "_torch", options, part) for part in parts]
        fast = [pool.submit(_child, "_fast", options, part) for part in parts[1:]]
        for done in [*torch, *fast]:
            done.result()
    print(f"# built in {time.monotonic() - start:.0f} s; {first or 'no complaint'}", flush=True)
    with ThreadPoolExecutor(min(options.jobs, 8)) as pool:
        told = list(pool.map(lambda part: _child("_compare", options, part), parts))
    rows = [json.loads(line) for text in told for line in text.splitlines() if line.startswith("{")]
    equal = [r for r in rows if r["equal"]]
    for row in rows:
        if not row["equal"]:
            print(json.dumps(row))
    cases, refused, elements = (sum(r[k] for r in equal) for k in ("cases", "refused", "elements"))
    print(
        f"{len(equal)} of {len(files)} files bit-equal, {cases} calls, {elements} elements, "
        f"{refused} calls refused {'by ours' if options.skip_refused else 'alike'}, "
        f"{time.monotonic() - start:.0f} s in all"
    )
    return 0 if len(equal) == len(files) else 1


def _child(phase: str, options: argparse.Namespace, part: int) -> str:
    command = [sys.executable, __file__, phase, str(options.directory), "--part", str(part)]
    command += ["--skip-refused"] * options.skip_refused
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"# {phase} {part}: {done.stderr.strip()[-600:]}", flush=True)
    return done.stdout


def _items(options: argparse.Namespace) -> list[tuple[int, dict[str, Any]]]:
    files = sorted(options.directory.glob("*.json"))
    first = options.part * PER_EXTENSION
    return [
        (first + i, json.loads(f.read_text())) for i, f in enumerate(files[first : first + PER_EXTENSION])
    ]


def _environment(options: argparse.Namespace) -> str:
    """Torch's build as in a worker, in a folder of the part's own; returns it."""
    from cudasmith.gpu.device import query
    from cudasmith.gpu.runner import environment

    folder = Path(tempfile.gettempdir()) / "cudasmith-equal" / str(options.part)
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(environment(query(), folder))
    os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "9.0")
    return str(folder)


def phase_fast(options: argparse.Namespace) -> None:
    from cudasmith.model import Candidate
    from cudasmith.stages.build import BuildOptions, build

    _environment(options)
    for number, item in _items(options):
        for one in build(Candidate(item["text"]), BuildOptions(fall_back=False)).builds:
            if one.status.value != "OK":
                print(f"{number} {item['name']}: {one.status.value} {one.route} {one.log[-300:]}")


def phase_torch(options: argparse.Namespace) -> None:
    _combined(options)


def _combined(options: argparse.Namespace) -> Any:
    """Torch's own load_inline of the part's files, each in its namespace."""
    folder = _environment(options)
    from torch.utils.cpp_extension import load_inline

    includes: dict[str, None] = {}
    bodies, bindings = [], []
    for number, item in _items(options):
        extension = _extension(item["text"])
        lines = "\n".join(extension.cuda_sources).splitlines()
        includes.update({line: None for line in lines if line.startswith("#include")})
        body = "\n".join(line for line in lines if not line.startswith("#include"))
        body, binding = body.split("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {")
        bodies.append(f"namespace case_{number} {{\n{body}\n}}")
        bindings.append(
            binding.strip().removesuffix("}").replace('m.def("', f'm.def("c{number}_').replace("&", f"&case_{number}::")
        )  # fmt: skip
    source = "\n".join([*includes, *bodies, "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {", *bindings, "}"])
    return load_inline(
        name=f"combined_{options.part}",
        cpp_sources=[],
        cuda_sources=[source],
        extra_cflags=["-O3"],
        extra_cuda_cflags=["-O3"],
        build_directory=folder,
    )


def _extension(text: str) -> Any:
    from cudasmith.model import Candidate
    from cudasmith.source.extensions import extension_of
    from cudasmith.source.filemodel import parse_file

    (call,) = parse_file(Candidate(text)).builds
    return extension_of(call)


def phase_compare(options: argparse.Namespace) -> None:
    import torch

    combined = _combined(options)  # built already
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    for number, item in _items(options):
        row = {"name": item["name"], "equal": False, "cases": 0, "elements": 0}
        try:
            row |= _compare(number, item, combined, options.skip_refused)
        except Exception as error:  # noqa: BLE001 - one line of the table
            row["error"] = f"{type(error).__name__}: {error}"[:400]
        print(json.dumps(row), flush=True)


def _compare(number: int, item: dict[str, Any], combined: Any, skip_refused: bool) -> dict[str, Any]:
    import torch

    from cudasmith.gpu import extension
    from cudasmith.gpu.device import query
    from cudasmith.model import Capture, Case
    from cudasmith.model.jsonio import from_data
    from cudasmith.stages._verify.inputs import integer_limit, make_args

    prefix = f"c{number}_"
    theirs = types.SimpleNamespace(
        **{n.removeprefix(prefix): getattr(combined, n) for n in dir(combined) if n.startswith(prefix)}
    )
    routes: list[str] = []
    with extension.installed(query().arch, routes.append):
        ours_model = _model(item)
    assert routes == ["light headers"], routes
    theirs_model = _model(item, theirs)
    captured = from_data(item["captured"], Capture)
    limits = [list(p.shape) for p in ours_model.parameters()]
    done = refused = elements = 0
    for case in (from_data(c, Case) for c in item["cases"]):
        limit = integer_limit(case, limits)
        outputs = []
        for model in (ours_model, theirs_model):
            model.train(case.training)
            args = make_args(captured.inputs, case, limit, DEVICE)
            skip = skip_refused and outputs and isinstance(outputs[0], str)
            outputs.append(outputs[0] if skip else _called(model, args))
        ours, others = outputs
        if isinstance(ours, str) and ours == others:
            refused += 1
            continue
        if len(ours) != len(others) or not all(_same(a, b) for a, b in zip(ours, others, strict=True)):
            return {"equal": False, "error": f"case {case.name} differs"}
        done, elements = done + 1, elements + sum(t.numel() for t in ours)
    torch.cuda.synchronize()
    return {"equal": elements > 0, "cases": done, "refused": refused, "elements": elements}


def _called(model: Any, args: list[Any]) -> Any:
    """The tensors of the result, or the first line of what refused the call."""
    import torch
    from torch.utils._pytree import tree_leaves

    try:
        with torch.no_grad():
            return [t for t in tree_leaves(model(*args)) if isinstance(t, torch.Tensor)]
    except RuntimeError as error:
        return str(error).splitlines()[0]


def _model(item: dict[str, Any], extension: Any = None) -> Any:
    """ModelNew with parameters drawn from a fixed seed; `extension` in place of what load_inline would return."""
    import torch
    import torch.utils.cpp_extension as cpp_extension

    original = cpp_extension.load_inline
    if extension is not None:
        cpp_extension.load_inline = lambda **kwargs: extension
    try:
        names: dict[str, Any] = {"__name__": f"m{time.monotonic_ns()}"}
        exec(compile(item["text"], item["name"], "exec"), names)  # our own emitted text
        reference: dict[str, Any] = {"__name__": "reference"}
        exec(compile(item["problem"]["source"], "reference", "exec"), reference)
        torch.manual_seed(0)
        model = names["ModelNew"](*reference.get("get_init_inputs", list)()).to(DEVICE).eval()
    finally:
        cpp_extension.load_inline = original
    generator = torch.Generator(device=DEVICE).manual_seed(1)
    with torch.no_grad():
        for tensor in [*model.parameters(), *model.buffers()]:
            if tensor.is_floating_point():
                tensor.copy_(torch.rand(tensor.shape, generator=generator, device=DEVICE) + 0.1)
    return model


def _same(a: Any, b: Any) -> bool:
    return a.stride() == b.stride() and same_bits(a, b)


if __name__ == "__main__":
    raise SystemExit(main())
