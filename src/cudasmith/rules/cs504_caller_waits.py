"""CS504."""

from __future__ import annotations

import ast

from cudasmith.cuda.symbols import Function, Launch
from cudasmith.model.finding import Fix
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject
from cudasmith.source.names import Function as PythonFunction
from cudasmith.source.names import walk

_POOL = ("getStreamFromPool", "getStreamFromExternal")
_CREATE = ("cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority", "cuStreamCreate")
_WAITS = (
    "cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaStreamWaitEvent", "cudaEventSynchronize", "synchronize",
    "block", "join", "get", "wait",
)  # fmt: skip
_PYTHON_WAITS = ("wait_stream", "synchronize", "wait_event", "join", "result", "wait", "shutdown")
_THREADS = ("threading.Thread", "multiprocessing.Process", "multiprocessing.dummy.Process", "threading.Timer")
_STREAM = "c10::cuda::getCurrentCUDAStream()>>>("
_GUARD = "  const c10::cuda::CUDAGuard guard(x.device());\n"
_RETURN = "        return Scale.apply(self.ext, x, self.by)\n"
_CHECK = "  C10_CUDA_KERNEL_LAUNCH_CHECK();\n"


class CallerWaits(Rule):
    """What forward starts is ordered before what its caller does next.

    Work on a stream of its own, in a thread or in a graph that is replayed with old inputs may not be done when
    forward returns: the next operation reads half of it, and a timer on the current stream sees nothing. It
    counts as waited for when the current stream waits (wait_stream, cudaStreamWaitEvent), or the host does.

    Bad:  `k<<<grid, block, 0, at::cuda::getStreamFromPool()>>>(...)`
    Good: `k<<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>(...)`
    """

    code = "CS504"
    name = "caller-waits"
    severity = severities("error", "error")
    BAD = (
        edit((_STREAM, "at::cuda::getStreamFromPool()>>>(  // HERE")),
        edit((_GUARD, _GUARD + "  cudaStream_t s;\n  cudaStreamCreate(&s);\n"), (_STREAM, "s>>>(  // HERE")),
        edit(
            (_RETURN, "        with torch.cuda.stream(torch.cuda.Stream()):  # HERE\n            return Scale.apply(self.ext, x, 1)\n")
        ),
        edit(
            ("import torch\n", "import threading\n\nimport torch\n"),
            (
                _RETURN,
                "        out = torch.empty_like(x)\n        t = threading.Thread(target=self.ext.scale, args=(x, 1))  # HERE\n"
                "        t.start()\n        return out\n",
            ),
        ),
        edit((_CHECK, _CHECK + "  std::thread([out]() mutable { out.zero_(); }).detach();  // HERE\n")),
        edit((_RETURN, "        if self.graph is None:\n            self.graph = torch.cuda.CUDAGraph()\n"
              "        self.graph.replay()  # HERE\n        return Scale.apply(self.ext, x, 1)\n")),
    )  # fmt: skip
    GOOD = (
        CORRECT,
        DECLARED,
        edit(
            (_STREAM, "s>>>("),
            (_GUARD, _GUARD + "  auto s = at::cuda::getStreamFromPool();\n"),
            (_CHECK, _CHECK + "  at::cuda::CUDAEvent e;\n  e.record(s);\n  e.block(at::cuda::getCurrentCUDAStream());\n"),
        ),
        edit(
            (_GUARD, _GUARD + "  cudaStream_t s;\n  cudaStreamCreate(&s);\n"),
            (_STREAM, "s>>>("),
            (_CHECK, _CHECK + "  cudaStreamSynchronize(s);\n"),
        ),
        edit(
            (
                _RETURN,
                "        s = torch.cuda.Stream()\n        with torch.cuda.stream(s):\n"
                "            y = Scale.apply(self.ext, x, 1)\n        torch.cuda.current_stream().wait_stream(s)\n"
                "        return y\n",
            )
        ),
        edit((_RETURN, "        with torch.cuda.stream(torch.cuda.current_stream()):\n            return Scale.apply(self.ext, x, 1)\n")),
        edit(("__global__", "// no std::thread, no threading.Thread\n__global__")),
    )  # fmt: skip

    def check(self, subject: Subject) -> Verdicts:
        for _, part in subject.parts():
            for function in part.symbols.functions:
                if function.is_host and function.is_definition:
                    yield from self._host(subject, part, function)
        for python in (*subject.file.reach.forward, *subject.file.reach.backward):
            yield from self._python(subject, python)

    def _host(self, subject: Subject, part: Part, function: Function) -> Verdicts:
        waits = [c.start for c in function.calls if c.name in _WAITS]
        for launch in function.launches:
            if _on_own_stream(function, launch) and not any(w > launch.start for w in waits):
                message = f"{launch.kernel} runs on a stream of its own, which the caller does not wait for"
                help = "launch it on c10::cuda::getCurrentCUDAStream()"
                span, fix = part.span(launch.start, launch.end), _current(part, launch)
                yield self.found(subject, span, message, help=help, fix=fix)
        for call in function.calls:
            thread = call.callee in ("std::thread", "std::async", "pthread_create", "std::jthread")
            if thread and not any(w > call.end for w in waits):
                message = f"{call.callee} goes on after the function returns"
                yield self.found(
                    subject, part.span(call.start, call.end), message, help="join it before you return"
                )

    def _python(self, subject: Subject, function: PythonFunction) -> Verdicts:
        file = subject.file
        calls = [n for n in walk(function) if isinstance(n, ast.Call)]
        waits = [
            c.lineno for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr in _PYTHON_WAITS
        ]
        copies = any(isinstance(c.func, ast.Attribute) and c.func.attr == "copy_" for c in calls)
        for call in calls:
            dotted = file.dotted(call.func) or ""
            what = ""
            if (
                dotted in ("torch.cuda.stream", "torch.cuda.set_stream")
                and call.args
                and not _is_current(file.bound, call.args[0])
            ):
                what = "this runs on a stream of its own, which the caller does not wait for"
            elif dotted in _THREADS or (
                _attribute(call) == "submit" and "concurrent" in " ".join(file.imported.values())
            ):
                what = "this goes on in a thread after forward returns"
            elif _attribute(call) == "replay" and not copies and _makes_graph(subject):
                what = "a graph is replayed with the inputs of an earlier call"
            waited = "graph" not in what and any(w > call.lineno for w in waits)
            if what and not waited:
                help = "run it on the current stream, in forward itself"
                yield self.found(subject, file.source.node_span(call), what, help=help)


def _current(part: Part, launch: Launch) -> Fix | None:
    """The current stream in place of one from the pool that is asked for in the launch itself."""
    text = "getStreamFromPool()"
    at = part.region.text.find(text, launch.start, launch.end)
    place = part.region.span(at, at + len(text)) if at >= 0 else None
    return Fix(place, "getCurrentCUDAStream()", safe=True) if place else None


def _attribute(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _makes_graph(subject: Subject) -> bool:
    calls = [n for n in walk(subject.file.tree) if isinstance(n, ast.Call)]
    return any((subject.file.dotted(c.func) or "") == "torch.cuda.CUDAGraph" for c in calls)


def _is_current(bound: object, node: ast.expr) -> bool:
    """`torch.cuda.current_stream()`, also through a name."""
    values = [
        node,
        *(bound.get(node.id, ()) if isinstance(node, ast.Name) and isinstance(bound, dict) else ()),
    ]
    return any(
        isinstance(n, ast.Attribute) and n.attr in ("current_stream", "default_stream")
        for v in values
        for n in walk(v)
    )


def _on_own_stream(function: Function, launch: Launch) -> bool:
    given = launch.config[3] if len(launch.config) > 3 else ""
    name = given.partition(".")[0].strip("() ")
    values = [v.value for v in function.variables if v.name == name]
    created = any(
        c.name in _CREATE and c.arguments and c.arguments[0].strip("& ") == name for c in function.calls
    )
    if created or any(pool in text for pool in _POOL for text in (given, *values)):
        return True
    guarded = any("StreamGuard" in v.type for v in function.variables)
    return guarded and bool(set(_POOL) & function.words) and "Current" in " ".join((given, *values))
