"""CS404."""

from __future__ import annotations

import ast
import re

import attrs

from cudasmith.cuda.symbols import Function, Launch
from cudasmith.model.finding import Fix
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject
from cudasmith.source.names import walk

GUARDS = (
    "CUDAGuard",
    "OptionalCUDAGuard",
    "DeviceGuard",
    "OptionalDeviceGuard",
    "CUDAStreamGuard",
    "cudaSetDevice",
    "set_device",
)
_LEGACY = (
    "0",
    "nullptr",
    "NULL",
    "cudaStreamDefault",
    "cudaStreamLegacy",
    "cudaStream_t(0)",
    "(cudaStream_t)0",
)
_STREAM = "0, c10::cuda::getCurrentCUDAStream()>>>("
_GUARD = "  const c10::cuda::CUDAGuard guard(x.device());\n"
_HEAD = "torch::Tensor scale(torch::Tensor x, double by) {"


class StreamAndDevice(Rule):
    """Every launch goes to PyTorch's current stream, under a guard for the device of the tensors.

    A launch without a stream uses the legacy default stream: wrong order under torch.cuda.stream, an
    error inside a CUDA graph. Without a device guard a tensor on cuda:1 is read by a kernel on cuda:0.
    `torch.cuda.device(...)` around the call in Python is a guard too. A guard without a name,
    `c10::cuda::CUDAGuard(x.device());`, ends in its own line and guards nothing, and one within an inner block ends with the block.
    """

    code = "CS404"
    name = "stream-and-device"
    severity = severities("error", "warning")
    BAD = (
        edit((", " + _STREAM, ">>>(  // HERE")),
        edit((_STREAM, "0, 0>>>(  // HERE")),
        edit((_GUARD, ""), (_HEAD, _HEAD + "  // HERE")),
        edit((_GUARD, _GUARD.replace("const ", "").replace(" guard", "")), (_HEAD, _HEAD + "  // HERE")),
        edit((_STREAM, "0, s>>>(  // HERE"), (_GUARD, _GUARD + "  cudaStream_t s = 0;\n")),
        edit((_GUARD, "  {\n  " + _GUARD + "    x = x.clone();\n  }\n"), (_HEAD, _HEAD + "  // HERE")),
        edit((_GUARD, "  if (x.numel() > 9) {\n  " + _GUARD + "  }\n"), (_HEAD, _HEAD + "  // HERE")),
    )
    GOOD = (
        CORRECT,
        edit((_GUARD, "  {\n  " + _GUARD), ("  return out;\n}\n\nPY", "  return out;\n  }\n}\n\nPY")),
        edit((_GUARD, "  if (x.numel() > 9) {\n    cudaSetDevice(x.get_device());\n  }\n")),
        edit(
            (
                _GUARD,
                "  std::optional<c10::cuda::CUDAGuard> guard;\n  if (x.is_cuda()) {\n    guard.emplace(x.device());\n  }\n",
            )
        ),
        edit((_GUARD, _GUARD + "  if (by > 9) {\n  " + _GUARD + "    x = x.clone();\n  }\n")),
        edit((_STREAM, "0, s>>>("), (_GUARD, _GUARD + "  auto s = at::cuda::getCurrentCUDAStream();\n")),
        edit(
            (_STREAM, "0, s.stream()>>>("),
            (_GUARD, _GUARD + "  auto s = at::cuda::getCurrentCUDAStream();\n"),
        ),
        edit((_GUARD, _GUARD.replace("const c10", "const auto guard = c10").replace(" guard(", "("))),
        edit((_GUARD, "  const at::cuda::OptionalCUDAGuard guard(at::device_of(x));\n")),
        edit(
            (_GUARD, ""),
            (
                "        return ext.scale(x, by)",
                "        with torch.cuda.device(x.device):\n            return ext.scale(x, by)",
            ),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        guarded_in_python = _python_guard(subject)
        for unit, part in subject.parts():
            for function in part.symbols.functions:
                for launch in function.launches:
                    yield from self._stream(subject, part, function, launch)
            for launch in part.symbols.macro_launches:
                yield self.undecided(part.build.span, f"{launch.kernel} is launched in a macro")
            for exported in {e.target: e for e in unit.exported}.values():
                host = part.symbols.defined(exported.target) if exported.target else None
                if host and not guarded_in_python and _launches_unguarded(part, host, frozenset()):
                    message = f"{host.name} launches a kernel without a device guard"
                    help = "add const c10::cuda::CUDAGuard guard(x.device());"
                    notes = ("a guard without a name ends at once",) if _dropped(host) else ()
                    fix = _guard(subject, part, host)
                    yield self.found(subject, part.name_span(host), message, help=help, notes=notes, fix=fix)

    def _stream(self, subject: Subject, part: Part, function: Function, launch: Launch) -> Verdicts:
        given = launch.config[3] if len(launch.config) > 3 else "0"
        origin = _origin(function, given)
        span = part.span(launch.start, launch.end)
        if "CUDAStream" in origin or "StreamFromPool" in origin or "PerThread" in origin:
            return
        if origin in _LEGACY:
            message = f"{launch.kernel} is launched on the default stream"
            help = "pass c10::cuda::getCurrentCUDAStream() as fourth launch argument"
            yield self.found(subject, span, message, help=help)
        elif not any(p.name == given and "tream" in p.type for p in function.params):
            yield self.undecided(span, f"cannot tell where the stream {given} comes from")


def _origin(function: Function, text: str) -> str:
    """The expression a stream argument stands for, one variable deep."""
    name = re.match(r"[A-Za-z_]\w*", text)
    values = [v.value.strip("()= {}") for v in function.variables if name and v.name == name[0]]
    return values[-1] if values else text


def _launches_unguarded(part: Part, function: Function, seen: frozenset[str]) -> bool:
    """Whether it launches, itself or through helpers, where no guard stands."""
    if function.name in seen:
        return False
    guards = function.words & (set(GUARDS) - _dropped(function))
    if any(not _guarded(part, function, guards, launch.start) for launch in function.launches):
        return True
    helpers = [
        part.symbols.defined(c.name)
        for c in function.calls
        if not guards or not _guarded(part, function, guards, c.start)
    ]
    return any(h is not None and _launches_unguarded(part, h, seen | {function.name}) for h in helpers)


def _guarded(part: Part, function: Function, guards: set[str] | frozenset[str], at: int) -> bool:
    """Whether some guard has not ended at a place: one that is declared in a block ends with it."""
    if function.body is None:
        return bool(guards)
    ended = [s for s in function.body.walk() if s.kind == "block" and s.end <= at]
    for guard in guards:
        for place in re.finditer(rf"\b{guard}\b", part.region.text[function.start : function.end]):
            start = function.start + place.start()
            if not guard.endswith("Guard") or not any(s.start <= start < s.end for s in ended):
                return True
    return False


def _dropped(function: Function) -> set[str]:
    """Guards that only stand as statements of their own, as temporaries."""
    body = list(function.body.walk()) if function.body is not None else []
    alone = {e.op.rpartition("::")[2] for s in body if s.kind == "expr" for e in s.exprs if e.kind == "call"}
    declared = [
        d.type + " " + (d.value.text if d.value is not None else "") for s in body for d in s.declared
    ]
    kept = {word for text in declared for word in re.findall(r"\w+", text)}
    return {g for g in alone - kept if g in GUARDS and g.endswith("Guard")}


def _guard(subject: Subject, part: Part, host: Function) -> Fix | None:
    """A guard for the first tensor, at the top of the body. Not safe: it refuses a tensor that is on no GPU."""
    tensor = next((p.name for p in host.params if p.is_tensor), None)
    if tensor is None or host.body is None or part.region.text[host.body.start] != "{":
        return None
    name = "guard" if "guard" not in host.words else "device_guard"
    at = host.body.start + 1
    fix = subject.rewrite(part, at, at, f"\n  const c10::cuda::CUDAGuard {name}({tensor}.device());")
    return None if fix is None else attrs.evolve(fix, safe=False)


def _python_guard(subject: Subject) -> bool:
    file = subject.file
    calls = [n for f in file.reach.forward for n in walk(f) if isinstance(n, ast.Call)]
    return any((file.dotted(c.func) or "") in ("torch.cuda.device", "torch.cuda.device_of") for c in calls)
