"""Stage read: a file or a live module becomes a Problem. No user code runs, torch is not imported."""

from __future__ import annotations

import ast
import contextlib
import inspect
import os
import stat
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cudasmith.model import Problem, ProblemError
from cudasmith.source.encoding import encoding_of
from cudasmith.source.python_text import parse
from cudasmith.source.scopes import binds

FORM = (
    "a reference file defines class Model(nn.Module), get_inputs() "
    "and, if Model takes arguments, get_init_inputs()"
)

MAX_BYTES = 16 * 2**20  # no source that a person or a model writes; beyond it, reading alone takes minutes
BOM = "\ufeff"


def read(path: str | Path, *, seed: int = 0) -> Problem:
    """The Problem of a reference file, whose form is checked by parsing alone.

    Raises: ProblemError CSP001 to CSP009 and CSP012, with the place and what to do.
    """
    return from_source(file_text(Path(path), str(path)), str(path), seed=seed)


def from_source(source: str, name: str = "<reference>", *, seed: int = 0) -> Problem:
    """The Problem of a reference's text; `name` is what messages call it. Raises: as `read`."""
    tree = parse(source, name)
    classes = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)}
    bound = set().union(*(binds(n) for n in tree.body))
    if "Model" not in bound:
        raise _no_model(name, classes)
    if "Model" in classes and not _has_forward(classes["Model"], classes):
        raise ProblemError(
            "CSP007",
            "class Model has no method forward",
            where=f"{name}:{classes['Model'].lineno}",
            help="forward(self, ...) is what gets ported",
        )
    if "get_inputs" not in bound:
        raise ProblemError(
            "CSP008",
            "there is no function get_inputs",
            where=name,
            help="add `def get_inputs(): return [torch.rand(...)]`: the arguments of forward",
        )
    return Problem(path=name, source=source, seed=seed)


def from_module(module: Any, example_inputs: Sequence[Any] | Mapping[str, Any], *, seed: int = 0) -> Problem:
    """The Problem of a live nn.Module, weights included, sent by value.

    `example_inputs`: the arguments of forward, in order or by name. A class from `__main__` or from a
    file that is not installed is sent by value too. The module itself is not changed.

    Raises: ProblemError CSP010 for what is no module, CSP011 for what cannot be pickled.
    """
    import cloudpickle  # not at the top: `read` needs none of it

    cls = type(module)
    name = f"<module {cls.__name__}>"
    if isinstance(module, type) or not hasattr(module, "forward") or not hasattr(module, "state_dict"):
        fact = f"{module.__name__} is a class" if isinstance(module, type) else f"this is a {cls.__name__}"
        raise ProblemError("CSP010", f"{fact}, not a module", help="pass an nn.Module object: Model(...)")
    inputs = dict(example_inputs) if isinstance(example_inputs, Mapping) else tuple(example_inputs)
    try:
        with _by_value(module, cloudpickle):
            payload = cloudpickle.dumps((module, inputs))
    except Exception as error:
        raise ProblemError(
            "CSP011",
            f"the module cannot be pickled: {error}",
            where=name,
            help="put it in a reference file with class Model and get_inputs, and port the file",
        ) from error
    origin = _origin(cls)
    return Problem(path=name, source="", payload=payload, class_name=cls.__name__, seed=seed, origin=origin)


def _origin(cls: type) -> str:
    """The file of a class; empty for one that was typed in."""
    try:
        return inspect.getsourcefile(cls) or ""
    except (TypeError, OSError):
        return ""


@contextlib.contextmanager
def _by_value(module: Any, cloudpickle: Any) -> Iterator[None]:
    """Classes of files that are not installed go by value: the worker could not import them."""
    names = {type(m).__module__ for m in [module, *getattr(module, "modules", list)()]}
    local = [sys.modules[n] for n in sorted(names) if n != "__main__" and _is_local(sys.modules.get(n))]
    added = [m for m in local if m.__name__ not in cloudpickle.list_registry_pickle_by_value()]
    for item in added:
        cloudpickle.register_pickle_by_value(item)
    try:
        yield
    finally:
        for item in added:
            cloudpickle.unregister_pickle_by_value(item)


def _is_local(module: Any) -> bool:
    file = getattr(module, "__file__", None)
    if not file:
        return False
    path = str(Path(file).resolve())
    installed = "site-packages" in path or "dist-packages" in path
    return not installed and not path.startswith(sysconfig.get_path("stdlib"))


def file_text(path: Path, name: str, *, form: str = FORM) -> str:
    """The text of a file the user named; `form`: what it should hold, for whoever named the wrong one.

    Raises: ProblemError CSP001 to CSP004, CSP009, CSP012, CSP013 and CSP015.
    """
    return raw_text(path, name, form=form).removeprefix(BOM)


def raw_text(path: Path, name: str, *, form: str = FORM) -> str:
    """As `file_text`, with the byte order mark where there is one."""
    if not name:  # Path("") is the working directory
        raise ProblemError("CSP012", "the file's name is empty", help=form)
    try:
        _refuse_endless(path, name)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ProblemError("CSP001", "there is no such file", where=name, help=form, exit_code=3) from None
    except IsADirectoryError:
        raise ProblemError(
            "CSP002", "this is a directory", where=name, help="name one Python file in it"
        ) from None
    except OSError as error:
        raise ProblemError(
            "CSP009",
            f"the file cannot be read: {error.strerror}",
            where=name,
            help="check the path and the file's permissions",
            exit_code=3,
        ) from None
    return decoded(data, name, form=form)


def _refuse_endless(path: Path, name: str) -> None:
    """Raises: ProblemError CSP015 for what may give text for ever, or never any; OSError where nothing is there.

    A shell's own pipe, `<(command)`, has no path: another process is writing to it.
    """
    mode = path.stat().st_mode
    shells_own = stat.S_ISFIFO(mode) and not Path(os.path.realpath(path)).exists()
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or shells_own):
        kind = "a named pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
        help = "name a file with the text"
        raise ProblemError("CSP015", f"this is {kind}, no file", where=name, help=help)


def decoded(data: bytes, name: str, *, form: str = FORM) -> str:
    """The text in the bytes of a source file, in the encoding that it declares, byte order mark kept. Raises: ProblemError CSP003, CSP004, CSP013."""
    if len(data) > MAX_BYTES:
        size = f"the file is longer than {MAX_BYTES // 2**20} MiB"
        raise ProblemError("CSP013", size, where=name, help="is this a Python source file?")
    if not data.strip():
        raise ProblemError("CSP003", "the file is empty", where=name, help=form)
    try:
        encoding = encoding_of(data)
        return data.decode(encoding)
    except LookupError as error:
        help = "name the encoding in which the file is saved, or save it as UTF-8 without that line"
        raise ProblemError("CSP004", f"the file has an {error}", where=f"{name}:1", help=help) from None
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ProblemError(
            "CSP004",
            f"the file is not {encoding.upper()} text: byte 0x{data[error.start]:02x}",
            where=f"{name}:{line}",
            help="is this a Python source file? Save it as UTF-8, or declare its encoding: # -*- coding: latin-1 -*-",
        ) from None


def _no_model(name: str, classes: dict[str, ast.ClassDef]) -> ProblemError:
    if classes:
        listed = ", ".join(f"{c} (line {node.lineno})" for c, node in classes.items())
        message = f"there is no class Model; the classes here are {listed}"
        remedy = f"call the one to port Model; {FORM}"
    else:
        message, remedy = "there is no class Model, nor any other class", FORM
    return ProblemError("CSP006", message, where=name, help=remedy)


def _has_forward(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    """True when forward is defined, assigned, or may come from a base that is not a plain nn.Module."""
    if any("forward" in binds(item) for item in node.body):
        return True
    for base in node.bases:
        text = ast.unparse(base)
        if text in classes and classes[text] is not node and _has_forward(classes[text], classes):
            return True
        if text not in classes and text.rpartition(".")[2] not in ("Module", "object", "ABC"):
            return True
    return False
