"""Checks of the host compiler: of the emulator, of torch, and of nvcc."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import attrs

from cudasmith.hostapi.compiler import (
    LAUNCHERS,
    NAMES,
    QUERY_TIMEOUT_S,
    Compiler,
    compiler_named,
    find_compiler,
)
from cudasmith.model import Condition, CudasmithError
from cudasmith.stages._doctor.machine import Machine
from cudasmith.store import temporary_folder

EMULATOR_STANDARD = 20
OLDEST_GCC = {20: 11, 17: 9}  # that torch's headers of that standard compile with
_PROBE = {
    20: "#include <compare>\nauto f(int a) { return std::strong_ordering(a <=> 1) == 0; }\n",
    17: "#include <string_view>\nstd::string_view f() { return {}; }\n",
}


def host_compiler(machine: Machine) -> Condition:
    """What everything here is compiled with."""
    label, why, remedy = "host compiler", "kernels are compiled with it", "sudo apt install g++"
    try:
        compiler = find_compiler()
    except CudasmithError as error:
        named = os.environ.get("CXX")
        return Condition(
            label, "fail", error.message if named else "none", why, "unset CXX" if named else remedy
        )
    if launcher := _missing_launcher():
        text = f"CXX={os.environ['CXX']}, and there is no {launcher}"
        install = f"sudo apt install {launcher}\n" if launcher in ("ccache", "distcc") else ""
        return Condition(
            label, "fail", text, "torch's load_inline calls it by that name", f"{install}unset CXX"
        )
    if not compiler.version:
        return Condition(label, "fail", f"{compiler.path} is no compiler", why, _other_than_cxx(remedy))
    found = _speaks(label, compiler, EMULATOR_STANDARD)
    return attrs.evolve(found, remedy=_other_than_cxx(found.remedy)) if found.status == "fail" else found


def _missing_launcher() -> str:
    """The first word of CXX where that is a launcher such as ccache which is not there, else nothing."""
    first, *rest = os.environ.get("CXX", "").split() or [""]
    return first if rest and Path(first).name in LAUNCHERS and shutil.which(first) is None else ""


def _other_than_cxx(remedy: str) -> str:
    """The remedy; where CXX names the wrong program, to use the one that torch would take without it."""
    return "unset CXX" if os.environ.get("CXX") and any(map(running, NAMES)) else remedy


def torch_compiler(machine: Machine) -> Condition | None:
    """torch builds extensions with CXX, else c++, and looks for no other."""
    if not machine.builds_for_gpu or machine.torch is None:
        return None
    name = os.environ.get("CXX") or "c++"
    compiler = running(name)
    if compiler is not None:
        return _speaks("torch's c++", compiler, machine.torch.standard)
    other = running("g++") or running("clang++")
    remedy = f"export CXX={other.path}" if other else "sudo apt install g++"
    why = "torch's load_inline calls it"
    return Condition(
        "torch's c++", "fail" if machine.needs_gpu_builds else "warn", f"{name} does not run", why, remedy
    )


def running(name: str) -> Compiler | None:
    """The compiler of that name or path, when it runs."""
    found = compiler_named(name)
    return found if found and found.version else None


def nvcc_host_compiler(machine: Machine) -> Condition | None:
    """nvcc refuses a g++ that is newer than its own release; its headers say which."""
    if machine.toolchain is None:
        return None
    name = os.environ.get("CC") or os.environ.get("NVCC_CCBIN") or "gcc"
    compiler = running(name)
    newest_gcc, newest_clang = accepted(Path(machine.toolchain.root))
    label = "nvcc's compiler"
    if compiler is None:
        why = "nvcc hands the host part to it"
        return Condition(label, "fail", f"{name} does not run", why, "sudo apt install g++")
    newest = newest_clang if compiler.clang else newest_gcc
    word = "clang" if compiler.clang else "gcc"
    if newest and _major(compiler) > newest:
        why = f"nvcc {machine.toolchain.version} refuses {word} newer than {newest}"
        return Condition(
            label, "fail", f"{word} {compiler.version} ({compiler.path})", why, _older(newest_gcc)
        )
    limit = f", nvcc takes up to {newest}" if newest else ""
    return Condition(label, "ok", f"{word} {compiler.version}{limit}")


def accepted(root: Path) -> tuple[int, int]:
    """The newest gcc and clang that this toolkit's headers let pass; 0 where they do not say."""
    try:
        text = (root / "include" / "crt" / "host_config.h").read_text(errors="replace")
    except OSError:
        return 0, 0
    gcc = re.search(r"#if __GNUC__ > (\d+)", text)
    clang = re.search(r"__clang_major__ >= (\d+)", text)
    return int(gcc.group(1)) if gcc else 0, int(clang.group(1)) - 1 if clang else 0


def _older(newest: int) -> str:
    """How to use the newest accepted gcc: one that is here, or one to install."""
    for major in range(newest, newest - 5, -1):
        if shutil.which(f"gcc-{major}") and shutil.which(f"g++-{major}"):
            return f"export CC=gcc-{major} CXX=g++-{major} NVCC_CCBIN=g++-{major}"
    chosen = f"export CC=gcc-{newest} CXX=g++-{newest} NVCC_CCBIN=g++-{newest}"
    return f"sudo apt install g++-{newest}\n{chosen}"


def _major(compiler: Compiler) -> int:
    return int(compiler.version.split(".")[0] or 0)


def _shown(compiler: Compiler) -> str:
    return f"{compiler} ({compiler.path})"


def _speaks(label: str, compiler: Compiler, standard: int) -> Condition:
    """Old enough releases are known; everything else is asked to compile two lines."""
    oldest = OLDEST_GCC.get(standard, 0)
    if not compiler.clang and _major(compiler) < oldest:
        why = f"torch's headers are C++{standard}, which needs g++ {oldest} or newer"
        remedy = f"sudo apt install g++-{oldest}\nexport CC=gcc-{oldest} CXX=g++-{oldest}"
        return Condition(label, "fail", _shown(compiler), why, remedy)
    log = _compiles(compiler, standard)
    if log:
        why = f"it does not compile a C++{standard} file: {log}"
        return Condition(label, "fail", _shown(compiler), why, "sudo apt install g++")
    return Condition(label, "ok", f"{_shown(compiler)}, C++{standard}")


def _compiles(compiler: Compiler, standard: int) -> str:
    """Nothing, or the first line of what went wrong."""
    with temporary_folder("doctor") as folder:
        source = folder / "probe.cpp"
        source.write_text(_PROBE.get(standard, _PROBE[20]))
        command = [compiler.path, f"-std=c++{standard}", "-fsyntax-only", str(source)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=QUERY_TIMEOUT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
    first = errors[0] if errors else f"exit code {done.returncode}"
    return first.replace(str(source), source.name)
