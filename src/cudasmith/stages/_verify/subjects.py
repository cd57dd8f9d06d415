"""The modules under comparison: reference, its float64 twin, candidate. Equal parameters by name."""

from __future__ import annotations

import copy
import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import cloudpickle
import torch

from cudasmith.model import Problem
from cudasmith.model.candidate import STDIN
from cudasmith.source.encoding import encoded
from cudasmith.stages._verify.inputs import map_floats

State = dict[str, torch.Tensor]
SPREAD = 0.25  # how far parameters that are all equal (norm weights and biases) are moved apart


class StateMismatch(Exception):
    """Parameters or buffers of the candidate are not those of the reference. Names the entry."""


@attrs.frozen
class Reference:
    """The user's model in its own dtype and in float64, on the device, and how to call it."""

    model: torch.nn.Module
    double: torch.nn.Module
    state: State
    init: tuple[Any, ...]
    get_inputs: Callable[[], list[Any]]

    def parameter_shapes(self) -> list[torch.Size]:
        return [t.shape for t in self.state.values()]


def seed_all(seed: int) -> None:
    """Same seed, same `torch.rand`, `random` and `numpy.random`."""
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


def load_reference(problem: Problem, workdir: Path, device: str) -> Reference:
    """Run the user's file (or unpickle the live module) and build Model. Raises what user code raises."""
    seed_all(problem.seed)
    if problem.payload is not None:
        model, examples = cloudpickle.loads(problem.payload)
        return as_reference(model, (), lambda: list(examples), problem.seed, device)
    sys.path.append(str(Path(problem.path).resolve().parent))
    module = import_text(problem.source, workdir, "cudasmith_reference")
    seed_all(problem.seed)
    init = tuple(getattr(module, "get_init_inputs", list)())
    seed_all(problem.seed)
    model = getattr(module, problem.class_name)(*init)
    return as_reference(model, init, module.get_inputs, problem.seed, device)


def as_reference(
    model: torch.nn.Module,
    init: tuple[Any, ...],
    get_inputs: Callable[[], list[Any]],
    seed: int,
    device: str,
    *,
    visible: bool = True,
) -> Reference:
    """A module as the reference. `visible`: parameters that are all equal are moved apart."""
    if visible:
        _make_visible(model, seed)
    double = _in_double(model).to(device)
    model = model.to(device)
    return Reference(model, double, named(model), init, get_inputs)


def load_candidate(text: str, workdir: Path) -> ModuleType:
    """Import the candidate's file. Raises what it raises."""
    return import_text(text, workdir, "cudasmith_candidate")


def construct_candidate(module: ModuleType, reference: Reference, seed: int, device: str) -> torch.nn.Module:
    """ModelNew, built as Model was, with the reference's parameters and buffers.

    Raises: StateMismatch, and what its constructor raises.
    """
    seed_all(seed)
    model: torch.nn.Module = module.ModelNew(*reference.init).to(device)
    wanted, found = reference.model.state_dict(), model.state_dict()
    missing, extra = sorted(wanted.keys() - found.keys()), sorted(found.keys() - wanted.keys())
    if missing:
        raise StateMismatch(
            f"the candidate has no {missing[0]!r}, which the reference has ({len(missing)} missing)"
        )
    if extra:
        raise StateMismatch(
            f"the candidate has {extra[0]!r}, which the reference has not ({len(extra)} too many)"
        )
    for name, tensor in wanted.items():
        if found[name].shape != tensor.shape:
            raise StateMismatch(f"{name!r} is {tuple(found[name].shape)}, must be {tuple(tensor.shape)}")
        if found[name].dtype != tensor.dtype:
            raise StateMismatch(f"{name!r} is {found[name].dtype}, must be {tensor.dtype}")
    reset(model, reference.state)
    return model


def reset(model: torch.nn.Module, state: State) -> None:
    """Give each parameter and buffer its value from `state`, by name, whatever forward did to it."""
    with torch.no_grad():
        for name, parameter in model.named_parameters(remove_duplicate=False):
            parameter.copy_(state[name])
        for name, _ in list(model.named_buffers(remove_duplicate=False)):
            if name in state:
                owner, _, last = name.rpartition(".")
                old = model.get_submodule(owner)._buffers[last]
                fresh = state[name].clone()
                floating = old is not None and old.is_floating_point() and fresh.is_floating_point()
                model.get_submodule(owner)._buffers[last] = fresh.to(old.dtype) if floating else fresh


def absolute_state(state: State) -> State:
    return {n: t.abs() if t.is_floating_point() else t for n, t in state.items()}


def import_text(text: str, workdir: Path, name: str) -> ModuleType:
    """Write `text` to `workdir` and import it from there, so that tracebacks have lines."""
    path = workdir / f"{name}.py"
    path.write_bytes(encoded(text))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def run_text(text: str, path: str, workdir: Path, name: str) -> ModuleType:
    """Run `text` as the module `name` as if the file at `path` were run where it lies; nothing is written beside it.

    Without a path (the text came by a pipe) the text lies in `workdir`. Raises what the text raises.
    """
    if not path:
        path = str(workdir / STDIN)  # whose name the lines of a traceback are known by
        Path(path).write_text(text, encoding="utf-8")
    folder = str(Path(path).parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    sys.argv = [path]
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    exec(compile(text, path, "exec"), module.__dict__)
    return module


def named(model: torch.nn.Module) -> State:
    """Every parameter and buffer by name, copied; buffers that are not saved with the module included."""
    entries = [
        *model.named_parameters(remove_duplicate=False),
        *model.named_buffers(remove_duplicate=False),
    ]
    return {name: tensor.detach().clone() for name, tensor in entries}


def _make_visible(model: torch.nn.Module, seed: int) -> None:
    """Move parameters whose elements are all equal (weight 1, bias 0) and running statistics apart:
    a candidate that forgets them would not show otherwise."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            movable = isinstance(tensor, torch.nn.Parameter) or name.endswith(("running_mean", "running_var"))
            if not (movable and tensor.is_floating_point() and tensor.numel()):
                continue
            if bool((tensor == tensor.reshape(-1)[0]).all()):
                noise = torch.rand(tensor.shape, generator=generator) * SPREAD
                tensor += noise.to(tensor.dtype).to(tensor.device)


def _in_double(model: torch.nn.Module) -> torch.nn.Module:
    """A float64 copy: parameters, buffers, and plain tensor attributes too."""
    twin = copy.deepcopy(model).double()
    for module in twin.modules():
        for name, value in list(vars(module).items()):
            if not name.startswith("_") and not isinstance(value, (int, float, str, bool)):
                vars(module)[name] = _double_or_same(value)
    return twin


def _double_or_same(value: Any) -> Any:
    plain = isinstance(value, torch.Tensor) or type(value) in (list, tuple, dict)
    return map_floats(value, lambda t: t.double()) if plain else value
