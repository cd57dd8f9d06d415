"""Modules are loaded as themselves, whatever was loaded before under their name."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import torch

from cudasmith.hostapi.compiler import find_compiler
from cudasmith.hostapi.library import support_library
from cudasmith.hostapi.load import import_module

# pybind11 remembers modules by name: those of torch's own headers are bound by it.
SOURCE = '#include <pybind11/pybind11.h>\nint f() { return %d; }\nPYBIND11_MODULE(of_one_name, m) { m.def("f", &f); }\n'


def test_a_second_module_of_one_name_is_not_the_first(tmp_path: Path) -> None:
    includes = (Path(torch.__file__).parent / "include", sysconfig.get_paths()["include"])
    options = ["-std=c++17", "-O0", "-w", "-shared", "-fPIC", *(f"-I{path}" for path in includes)]
    for n in (1, 2):
        source, library = tmp_path / f"{n}.cpp", tmp_path / f"{n}.so"
        source.write_text(SOURCE % n)
        subprocess.run([find_compiler().path, *options, str(source), "-o", str(library)], check=True)
        module = import_module("of_one_name", library, support_library(None))
        assert (module.f(), module.__name__) == (n, "of_one_name")
