"""load_inline for the CPU, as strict as torch's."""

from __future__ import annotations

import difflib
import functools
import math
import re
import types
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cudasmith.cuda.module_blocks import find_bindings
from cudasmith.emulator.build import Unit, build
from cudasmith.emulator.detected import note_warned
from cudasmith.emulator.errors import EmulatorBuildError
from cudasmith.emulator.runtime import mode, runtime
from cudasmith.hostapi.library import support_library
from cudasmith.hostapi.load import import_module
from cudasmith.hostapi.units import CPP_HEADERS, CUDA_HEADERS, bindings
from cudasmith.hostapi.user_headers import user_headers
from cudasmith.model import Extension


def load_inline(
    name: str,
    cpp_sources: str | Sequence[str],
    cuda_sources: str | Sequence[str] | None = None,
    sycl_sources: str | Sequence[str] | None = None,
    functions: str | Sequence[str] | Mapping[str, str] | None = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_sycl_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    verbose: bool = False,
    with_cuda: bool | None = None,
    with_sycl: bool | None = None,
    is_python_module: bool = True,
    with_pytorch_error_handling: bool = True,
    keep_intermediates: bool = True,
    use_pch: bool = False,
    no_implicit_headers: bool = False,
) -> types.ModuleType:
    """A module with the bound functions, compiled for the CPU. Arguments as for torch's load_inline.

    Optimisation flags are ignored; -D, -U and -I are used.
    Raises: EmulatorBuildError for what torch's load_inline or the compiler would refuse.
    """
    cpp, cuda = _as_list(cpp_sources), _as_list(cuda_sources)
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise EmulatorBuildError(
            f"{name!r} is not an identifier, so torch cannot name the module's init function"
        )
    wanted = _function_docs(functions)
    _check_bindings(name, cpp, cuda, wanted is not None)
    if not extra_include_paths:
        _check_declared(wanted or {}, [*cpp, *cuda])
    units = _units(cpp, cuda, wanted, no_implicit_headers)
    paths = [f"-I{path}" for path in extra_include_paths or ()]
    flags = [f for f in [*(extra_cflags or ()), *(extra_cuda_cflags or ())] if re.match(r"-[DUI]\S", f)]
    runtime()  # before the build: it prepares headers and libraries together
    support = support_library(None)
    own = Extension(
        name,
        tuple(cpp),
        tuple(cuda),
        flags=tuple(flags),
        include_paths=tuple(map(str, extra_include_paths or ())),
    )
    built = build(name, units, [*flags, *paths], support, mode(), user_headers(own))
    note_warned(built.warned)
    module = _module(name, built.library, support)
    return module if built.headers.name == "light" else _checked(module)


def _module(name: str, library: Path, support: Path) -> types.ModuleType:
    try:
        return import_module(name, library, support)
    except ImportError as error:
        undefined = re.search(r"undefined symbol: (\S+)", str(error))
        reason = f"undefined symbol {undefined[1]}: declared but never defined" if undefined else str(error)
        raise EmulatorBuildError(
            f"the library cannot be loaded: {reason}", log=f"ImportError: {error}\n"
        ) from error


def _checked(module: types.ModuleType) -> types.ModuleType:
    """The module with functions that raise a pending launch error, as those bound by the light headers do."""
    for name, function in list(vars(module).items()):
        if isinstance(function, types.BuiltinFunctionType):
            setattr(module, name, _checking(function))
    return module


def _checking(function: types.BuiltinFunctionType) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if mode() == "checked":
            runtime().leave_unchecked("reads of tensors that torch's own headers made without values")
        runtime().check()
        return result

    return call


def _as_list(sources: str | Sequence[str] | None) -> list[str]:
    if sources is None:
        return []
    return [sources] if isinstance(sources, str) else list(sources)


def _function_docs(functions: str | Sequence[str] | Mapping[str, str] | None) -> dict[str, str] | None:
    if functions is None:
        return None
    if isinstance(functions, str):
        return {functions: functions}
    return dict(functions) if isinstance(functions, Mapping) else {f: f for f in functions}


def _check_bindings(name: str, cpp: list[str], cuda: list[str], generated: bool) -> None:
    labelled = [(f"cpp_sources[{i}]", t) for i, t in enumerate(cpp)]
    labelled += [(f"cuda_sources[{i}]", t) for i, t in enumerate(cuda)]
    found = [(label, binding) for label, text in labelled for binding in find_bindings(text)]
    if not found and not generated:
        raise EmulatorBuildError(
            "no PYBIND11_MODULE and no functions=[...]: torch would build the library and fail to import it "
            f"(dynamic module does not define module export function PyInit_{name})"
        )
    if len(found) + generated > 1:
        label, binding = found[-1]
        other = "functions=[...] already generates one" if generated else "there are several"
        raise EmulatorBuildError(
            f"a second PYBIND11_MODULE ({other}): torch would fail with a redefinition of PyInit_{name}",
            source=label,
            line=binding.line,
        )
    for label, binding in found:
        if binding.module not in ("TORCH_EXTENSION_NAME", name):
            raise EmulatorBuildError(
                f"PYBIND11_MODULE({binding.module}, ...) but load_inline(name={name!r}): torch would fail to "
                f"import the library, which lacks PyInit_{name}; write TORCH_EXTENSION_NAME",
                source=label,
                line=binding.line,
            )


def _check_declared(wanted: Mapping[str, str], texts: list[str]) -> None:
    """A function of `functions` that stands in no text is declared nowhere, unless a header of the user's has it."""
    whole = "\n".join(texts)
    if re.search(r'#\s*include\s*"', whole):
        return
    words = set(re.findall(r"\w+", whole))
    for name in wanted:
        if name.isidentifier() and name not in words and not hasattr(math, name):
            near = difflib.get_close_matches(name, words, n=1)
            raise EmulatorBuildError(
                f"functions names {name!r}, which no source declares"
                + (f"; did you mean {near[0]!r}?" if near else "")
            )


def _units(
    cpp: list[str], cuda: list[str], wanted: dict[str, str] | None, no_implicit_headers: bool
) -> list[Unit]:
    """The two files torch would write: main.cpp and cuda.cu."""
    main = [(f"cpp_sources[{i}]", text) for i, text in enumerate(cpp)]
    if wanted is not None:
        main.append(("functions", "\n".join(bindings(wanted.items()))))
    units = []
    if main:
        units.append(_unit(main, CPP_HEADERS, no_implicit_headers))
    if cuda:
        pieces = [(f"cuda_sources[{i}]", text) for i, text in enumerate(cuda)]
        units.append(_unit(pieces, CUDA_HEADERS, no_implicit_headers))
    return units


def _unit(pieces: list[tuple[str, str]], headers: tuple[str, ...], no_implicit_headers: bool) -> Unit:
    return Unit(tuple(pieces) if no_implicit_headers else (("torch", "\n".join(headers)), *pieces))
