"""Load the user's code and build Model and the arguments of forward, without tensor data if possible."""

from __future__ import annotations

import contextlib
import linecache
import pickle
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import attrs
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from cudasmith.model import Problem, ProblemError
from cudasmith.stages._tracing.explain import UserCode, raised
from cudasmith.stages._tracing.inputs import Arguments, arguments

T = TypeVar("T")


@attrs.frozen
class Built:
    """Model, the arguments of forward (fake tensors), and what __init__ was given."""

    model: torch.nn.Module
    arguments: Arguments
    init: tuple[Any, ...]
    mode: FakeTensorMode


def load(problem: Problem, code: UserCode) -> Callable[[], Built]:
    """A function that builds the problem anew at each call. Raises: ProblemError."""
    if problem.payload is not None:
        payload = problem.payload
        return lambda: _build_live(payload, code)
    module = _import(problem, code)
    return lambda: _build(problem, module, code)


def _import(problem: Problem, code: UserCode) -> types.ModuleType:
    """Run the file as a module. Its folder goes last on the path: its neighbours can be imported, but a
    neighbour called `random.py` hides nothing."""
    module = types.ModuleType("cudasmith_reference")
    module.__file__ = problem.path
    sys.modules[module.__name__] = module
    sys.path.append(str(Path(problem.path).resolve().parent))
    lines = problem.source.splitlines(keepends=True)
    linecache.cache[problem.path] = (len(problem.source), None, lines, problem.path)
    with _told(code, "CSP020", "importing the file"):
        exec(compile(problem.source, problem.path, "exec"), module.__dict__)
    return module


def _build(problem: Problem, module: types.ModuleType, code: UserCode) -> Built:
    mode = _fake_mode()
    get_init: Callable[[], Any] = getattr(module, "get_init_inputs", list)
    make = _function(module, problem.class_name, code)

    def construct() -> tuple[Any, tuple[Any, ...]]:
        with _told(code, "CSP021", "get_init_inputs"):
            given: Any = get_init()
        args, kwargs = _init_arguments(given, code)
        with _told(code, "CSP022", f"{problem.class_name}.__init__", getattr(make, "__init__", None)):
            return make(*args, **kwargs), (*args, *kwargs.values())

    def inputs() -> Any:
        with _told(code, "CSP023", "get_inputs"):
            return _function(module, "get_inputs", code)()

    torch.manual_seed(problem.seed)
    model, init = _fake_or_real(mode, construct)
    _check_module(model, problem.class_name, code)
    given = arguments(model, _fake_or_real(mode, inputs), mode, code)
    return Built(model, given, init, mode)


def _build_live(payload: bytes, code: UserCode) -> Built:
    mode = _fake_mode()
    with _told(code, "CSP020", "unpickling the module"):
        model, inputs = pickle.loads(payload)  # written by this program, from the user's own object
    return Built(model, arguments(model, inputs, mode, code), (), mode)


def _fake_mode() -> FakeTensorMode:
    """Scalars and data-dependent sizes are errors here, so that building falls back to real tensors."""
    env = ShapeEnv(allow_scalar_outputs=False, allow_dynamic_output_shape_ops=False)
    return FakeTensorMode(shape_env=env, allow_non_fake_inputs=True)


def _fake_or_real(mode: FakeTensorMode, make: Callable[[], T]) -> T:
    """Under fake tensors; where the user's code needs values (numpy, .item()), with real ones.

    If that fails too, its error is the one to show: it is what the user would see.
    """
    try:
        with mode:
            return make()
    except ProblemError:
        return make()


def _function(module: types.ModuleType, name: str, code: UserCode) -> Callable[..., Any]:
    found = getattr(module, name, None)
    if not callable(found):
        raise ProblemError(
            "CSP024",
            f"{name} is not defined after importing the file",
            where=code.name,
            help=f"define {name} at the top level, not under `if __name__ == '__main__'` or another condition",
        )
    function: Callable[..., Any] = found
    return function


def _init_arguments(init: Any, code: UserCode) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional arguments from a list or tuple, keyword arguments from a dict."""
    if isinstance(init, dict):
        return (), init
    if isinstance(init, (list, tuple)):
        return tuple(init), {}
    raise ProblemError(
        "CSP024",
        f"get_init_inputs returns a {type(init).__name__}",
        where=code.name,
        help="return a list of the arguments of Model.__init__",
    )


def _check_module(model: Any, class_name: str, code: UserCode) -> None:
    if not isinstance(model, torch.nn.Module):
        raise ProblemError(
            "CSP033",
            f"{class_name} makes a {type(model).__name__}, not a torch.nn.Module",
            where=code.name,
            help=f"write `class {class_name}(nn.Module)` and call super().__init__()",
        )


@contextlib.contextmanager
def _told(code: UserCode, number: str, what: str, at: Any = None) -> Iterator[None]:
    """An exception of the user's code becomes a ProblemError that names `what` and the line.

    `at`: the function whose line to show when the call itself failed.
    """
    try:
        yield
    except ProblemError:
        raise
    except (Exception, SystemExit) as error:
        raise raised(error, code, number, what, code.line_of(at)) from error
