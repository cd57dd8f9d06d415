"""The host C++ compiler: one choice for all that is built here, identified by its file, so that asking costs no process."""

from __future__ import annotations

import functools
import os
import re
import shutil
from pathlib import Path

import attrs

from cudasmith.model import CudasmithError
from cudasmith.workers.command import run_command

NAMES = ("c++", "g++", "clang++")  # torch's own builds take the first
LAUNCHERS = ("ccache", "sccache", "distcc", "icecc")  # the compiler's name follows theirs
QUERY_TIMEOUT_S = 20.0
_NAMED = re.compile(r"clang|\+\+|gcc|\bGCC\b|\bcc\b|\bic[px]+\b|ccache|distcc|icecc")
QUERY_MEMORY_BYTES = 1 << 30


@attrs.frozen
class Compiler:
    """A C++ compiler. `identity` changes when the program does."""

    path: str
    identity: str

    @property
    def clang(self) -> bool:
        """It is clang++, else g++. Asks the program, once."""
        return "clang" in _version_text(self.path, self.identity)

    @property
    def version(self) -> str:
        """The program's own word, "12.2.0"; empty when it does not run, or is no compiler."""
        if not self.known:
            return ""
        text = re.sub(
            r"\([^)]*\)", "", _version_text(self.path, self.identity)
        )  # "g++ (Debian 12.2.0-14) 12.2.0"
        found = re.search(r"\d+\.\d+(?:\.\d+)?", text)
        return found.group() if found else ""

    @property
    def known(self) -> bool:
        """Whether it is a compiler by its file's name, or says so itself: others print versions too."""
        return _NAMED.search(Path(self.path).resolve().name) is not None or bool(_NAMED.search(self.banner))

    @property
    def banner(self) -> str:
        """The first line of what the program says of its version."""
        return _version_text(self.path, self.identity).partition("\n")[0]

    def __str__(self) -> str:
        return f"{'clang++' if self.clang else 'g++'} {self.version}"


def find_compiler() -> Compiler:
    """What CXX names, else c++, g++ or clang++.

    Raises: CudasmithError (exit code 4) when there is none, or CXX names none.
    """
    named = os.environ.get("CXX", "").strip()
    for name in (named,) if named else NAMES:
        found = compiler_named(name)
        if found is None:
            continue
        if named and not found.known and found.banner:
            raise CudasmithError(
                "CSB003",
                f"CXX={named} is no C++ compiler: it calls itself {found.banner}",
                help="name a C++ compiler in CXX by its path, or unset CXX",
                exit_code=4,
            )
        return found
    raise CudasmithError(
        "CSB003",
        f"CXX={named} names no program" if named else "no C++ compiler was found",
        help="name a C++ compiler in CXX by its path, or unset CXX"
        if named
        else "install g++ (Debian, Ubuntu: apt-get install g++) or name a compiler in CXX",
        exit_code=4,
    )


def compiler_named(name: str) -> Compiler | None:
    """The compiler of that name or path, which may hold blanks; also the one in "ccache g++"."""
    words = [name, *(w for w in name.split() if Path(w).name not in LAUNCHERS)]
    path = next((found for word in words if (found := shutil.which(word))), None)
    if path is None:
        return None
    path = str(Path(path).absolute())  # compilers run in folders of their own
    return Compiler(path, file_identity(path))


def file_identity(path: str) -> str:
    """Real path, size and time of change of a program."""
    real = Path(path).resolve()
    known = real.stat()
    return f"{real}:{known.st_size}:{known.st_mtime_ns}"


@functools.cache
def _version_text(path: str, identity: str) -> str:
    done = run_command([path, "--version"], timeout_s=QUERY_TIMEOUT_S, memory_bytes=QUERY_MEMORY_BYTES)
    return done.output if done.returncode == 0 else ""
