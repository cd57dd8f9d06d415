"""cudasmith doctor"""

from __future__ import annotations

import importlib.metadata
import json
import sys
from collections.abc import Callable

import attrs
import click

from cudasmith import __version__
from cudasmith.model import CudasmithError


@attrs.frozen
class _Line:
    what: str
    good: bool
    found: str
    remedy: str = ""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def doctor(as_json: bool) -> int:
    """Say what this machine can do, and how to get what is missing.

    Exit codes: 0 when models can be ported and verified here; 4 when a host compiler is missing.
    """
    lines = [probe() for probe in (_python, _torch, _host_compiler, _nvcc, _gpu)]
    if as_json:
        click.echo(json.dumps([attrs.asdict(line) for line in lines], indent=2))
    else:
        for line in lines:
            mark = click.style("ok", fg="green") if line.good else click.style("--", fg="yellow")
            click.echo(f"{mark}  {line.what:<14} {line.found}")
            if not line.good and line.remedy:
                click.echo(f"    {'':<14} {line.remedy}")
    return 0 if lines[2].good else 4


def _python() -> _Line:
    return _Line("cudasmith", True, f"{__version__} on Python {sys.version.split()[0]}")


def _torch() -> _Line:
    try:
        return _Line("torch", True, importlib.metadata.version("torch"))
    except importlib.metadata.PackageNotFoundError:
        return _Line("torch", False, "not installed", "pip install torch")


def _probe(what: str, find: Callable[[], str | None], missing: str, remedy: str) -> _Line:
    try:
        found = find()
    except CudasmithError as error:
        return _Line(what, False, error.message, error.help or remedy)
    return _Line(what, found is not None, found or missing, remedy)


def _host_compiler() -> _Line:
    def find() -> str:
        from cudasmith.emulator import compiler

        found = compiler()
        return f"{found.path} ({found.version})"

    return _probe("host compiler", find, "none", "install g++ (or clang++, which compiles kernels faster)")


def _nvcc() -> _Line:
    def find() -> str | None:
        from cudasmith.gpu.toolchain import find_nvcc

        found = find_nvcc()
        return None if found is None else f"{found.nvcc} ({found.version})"

    return _probe(
        "nvcc", find, "none: kernels run on the emulator only", "install the CUDA toolkit, or set CUDA_HOME"
    )


def _gpu() -> _Line:
    def find() -> str | None:
        from cudasmith.gpu.device import usable_device

        found = usable_device()
        return None if found is None else f"{found.name}, {found.arch}"

    return _probe("GPU", find, "none: verdicts come from the CPU emulator, no timing", "")
