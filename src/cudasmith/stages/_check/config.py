"""`[tool.cudasmith]` of the nearest pyproject.toml."""

from __future__ import annotations

import difflib
import fnmatch
import re
import sys
from pathlib import Path
from typing import Any, NoReturn

import attrs

from cudasmith.model.errors import CudasmithError
from cudasmith.rules._subject import MODES, Mode
from cudasmith.stages._check.selection import EVERY, Selection, chosen, codes

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KEYS = ("mode", "select", "ignore", "exclude", "per-file-ignores")


@attrs.frozen
class Config:
    """What a project asks of check. Patterns are of paths from `folder`; None where nothing is said."""

    folder: Path | None = None
    mode: Mode | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def excludes(self, path: Path) -> bool:
        return any(self._fits(path, pattern) for pattern in self.exclude)

    def selection(
        self, path: Path, select: tuple[str, ...] | None, ignore: tuple[str, ...] | None
    ) -> Selection:
        """For one file. What the command line gives (not None) stands in the place of the project's."""
        own = tuple(c for pattern, given in self.per_file_ignores if self._fits(path, pattern) for c in given)
        asked = select if select is not None else self.select if self.select is not None else EVERY
        return Selection(asked, (*(self.ignore if ignore is None else ignore), *own))

    def _fits(self, path: Path, pattern: str) -> bool:
        """`*.py` fits a file's name, `old` every folder or file of that name, `a/b` and `a/*` a path from the top."""
        if self.folder is None:
            return False
        try:
            inside = path.resolve().relative_to(self.folder.resolve())
        except ValueError:
            return False
        wanted = pattern.rstrip("/")
        if "/" not in wanted:
            return any(fnmatch.fnmatch(part, wanted) for part in inside.parts)
        whole = inside.as_posix()
        return fnmatch.fnmatch(whole, wanted) or fnmatch.fnmatch(whole, wanted + "/*")


NO_CONFIG = Config()


class Configs:
    """The config of each folder: that of the nearest pyproject.toml with a table [tool.cudasmith]."""

    def __init__(self) -> None:
        self._found: dict[Path, Config] = {}

    def of(self, folder: Path) -> Config:
        """Raises: CudasmithError CSP082 for a file that cannot be read, or says what is not known."""
        folder = folder.resolve()
        if folder not in self._found:
            own = read_config(folder / "pyproject.toml")
            top = folder.parent == folder
            self._found[folder] = own or (NO_CONFIG if top else self.of(folder.parent))
        return self._found[folder]


def read_config(path: Path) -> Config | None:
    """None where there is no such file, or no table [tool.cudasmith] in it. Raises: CudasmithError CSP082."""
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise CudasmithError(
            "CSP082", f"the configuration cannot be read: {reason}", where=str(path)
        ) from None
    try:
        tool = tomllib.loads(text).get("tool", {})
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = re.search(r"line (\d+)", str(error))
        where = f"{path}:{line[1]}" if line else str(path)
        raise CudasmithError("CSP082", f"this is not TOML: {error}", where=where) from None
    if not isinstance(tool, dict):
        raise CudasmithError(
            "CSP082", "tool is no table", where=_place(path, text, "tool"), help="write [tool.cudasmith]"
        )
    table = tool.get("cudasmith")
    return None if table is None else _Reader(path, text).config(table)


class _Reader:
    def __init__(self, path: Path, text: str) -> None:
        self._path, self._text = path, text

    def config(self, table: Any) -> Config:
        if not isinstance(table, dict):
            self._refuse("tool", "[tool.cudasmith] is no table", None)
        for key in table:
            if key not in KEYS:
                near = difflib.get_close_matches(key, KEYS, n=1)
                hint = f"did you mean {near[0]}? " if near else ""
                self._refuse(key, f"[tool.cudasmith] has no key {key}", f"{hint}keys: {', '.join(KEYS)}")
        mode = table.get("mode")
        if mode is not None and mode not in MODES:
            self._refuse("mode", f"mode is {mode!r}", f"one of {', '.join(MODES)}")
        return Config(
            folder=self._path.parent,
            mode=mode,
            select=chosen(self._texts(table, "select"), self._where("select")) if "select" in table else None,
            ignore=self._codes(table, "ignore"),
            exclude=self._texts(table, "exclude"),
            per_file_ignores=self._per_file(table.get("per-file-ignores", {})),
        )

    def _per_file(self, table: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
        if not isinstance(table, dict):
            self._refuse("per-file-ignores", "per-file-ignores is no table", 'write "tests/*" = ["CS4"]')
        return tuple((pattern, self._codes(table, pattern)) for pattern in table)

    def _codes(self, table: dict[str, Any], key: str) -> tuple[str, ...]:
        return codes(self._texts(table, key), self._where(key))

    def _texts(self, table: dict[str, Any], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            self._refuse(key, f"{key} is no list of texts", f'write {key} = ["..."]')
        return tuple(value)

    def _refuse(self, key: str, message: str, help: str | None) -> NoReturn:
        raise CudasmithError("CSP082", message, where=self._where(key), help=help)

    def _where(self, key: str) -> str:
        return _place(self._path, self._text, key)


def _place(path: Path, text: str, key: str) -> str:
    """The line of the key behind the table's head, as far as it is written plainly."""
    head = text.find("[tool.cudasmith")
    at = re.compile(rf"(?:^|[{{,])\s*[\"']?{re.escape(key)}[\"']?\s*=", re.MULTILINE).search(
        text, max(head, 0)
    )
    place = at.start() + len(at[0]) - len(at[0].lstrip()) if at else max(head, 0)
    return f"{path}:{text.count(chr(10), 0, place) + 1}"
