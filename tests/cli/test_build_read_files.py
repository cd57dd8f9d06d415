"""`cudasmith build` of sources that are put together of pieces or lie in files of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cudasmith.model import Candidate
from cudasmith.source.extensions import NotKnown, extension_of
from cudasmith.source.filemodel import parse_file
from cudasmith.stages._build.read_files import with_files

HEAD = "import os\nfrom pathlib import Path\nfrom torch.utils.cpp_extension import load_inline\n"
LOAD = 'm = load_inline(name="m", cpp_sources=SRC, functions=["f"]{more})\n'
TEXT = "int64_t f() {\n  return 5;\n}\n"
BESIDE = {
    "join": 'SRC = open(os.path.join(os.path.dirname(__file__), "f.cpp")).read()\n',
    "abspath": 'here = os.path.dirname(os.path.abspath(__file__))\nSRC = open(os.path.join(here, "f.cpp"), "r").read()\n',
    "Path": 'HERE = Path(__file__).parent\nSRC = (HERE / "f.cpp").read_text()\n',
    "resolve": 'SRC = Path(__file__).resolve().parent.joinpath("f.cpp").read_text(encoding="utf-8")\n',
    "with": 'with open(Path(__file__).parent / "f.cpp", encoding="utf-8") as f:\n    SRC = f.read()\n',
    "open of a Path": 'with (Path(__file__).parent / "f.cpp").open() as f:\n    SRC = f.read()\n',
}


def write(folder: Path, source: str, more: str = "", text: str = TEXT) -> Path:
    (folder / "f.cpp").write_text(text)
    path = folder / "own.py"
    path.write_text(HEAD + source + LOAD.format(more=more))
    return path


def source_of(path: Path) -> str:
    (call,) = parse_file(with_files(Candidate(path.read_text(), str(path)))).builds
    return extension_of(call).cpp_sources[0]


def built(path: Path, folder: Path) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "cudasmith", "build", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    return done.returncode, json.loads(done.stdout)["files"][0]


@pytest.mark.parametrize("how", BESIDE)
def test_a_file_beside_the_own_one_is_read(how: str, tmp_path: Path) -> None:
    assert source_of(write(tmp_path, BESIDE[how])) == TEXT


def test_pieces_are_put_together() -> None:
    text = HEAD + "SRC = 'int64_t '\nSRC += 'f() '\nSRC += '{ return 5; }'\n" + LOAD.format(more="")
    (call,) = parse_file(Candidate(text)).builds
    assert extension_of(call).cpp_sources == ("int64_t f() { return 5; }",)


@pytest.mark.parametrize(
    "source",
    [
        "SRC = 'a'\nif os.environ.get('X'):\n    SRC += 'b'\n",
        "SRC = 'a'\nfor _ in range(2):\n    SRC += 'b'\n",
        "SRC = 'a'\nSRC += 'b'\nSRC = 'c'\n",
        "SRC = 'a'\ndef g():\n    return SRC\nSRC += 'b'\n",
        "SRC = 'a'\nOTHER = SRC\nSRC += 'b'\n",
        "SRC = 'a'\nSRC *= 2\n",
        "def g():\n    global SRC\n    SRC += 'b'\nSRC = 'a'\n",
        "Path('f.cpp').write_text('x')\nSRC = open('f.cpp').read()\n",
        "os.chdir('/')\nSRC = open('f.cpp').read()\n",
        "SRC = open('f.cpp', 'rb').read()\n",
        "SRC = open('f.cpp', encoding='latin-1').read()\n",
        "with open('f.cpp') as f:\n    f.readline()\n    SRC = f.read()\n",
        "def open(name): return Path(name)\nSRC = open('f.cpp').read()\n",
        "SRC = open(os.environ['X']).read()\n",
    ],
)
def test_what_the_text_does_not_tell_is_not_known(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotKnown):
        source_of(write(tmp_path, source))


def test_a_file_that_is_read_builds_fast_and_its_change_is_seen(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#define FIVE 5\n")
    more = ", extra_include_paths=[os.path.dirname(__file__), str(Path(__file__).parent)]"
    text = '#include "own.h"\n' + TEXT.replace("5", "FIVE")
    path = write(tmp_path, BESIDE["join"], more, text)
    code, page = built(path, tmp_path.parent)
    assert code == 0 and page["builds"][0]["route"] == "light headers", page
    write(tmp_path, BESIDE["join"], more, text.replace("FIVE", "1 + FIVE"))
    _, other = built(path, tmp_path.parent)
    assert other["builds"][0]["library"] != page["builds"][0]["library"]


def test_a_fault_in_a_file_that_is_read_stands_at_its_own_line(tmp_path: Path) -> None:
    path = write(tmp_path, "SRC = '// first\\n'\nSRC += " + BESIDE["join"][6:], text=TEXT.replace("5;", "5"))
    command = [sys.executable, "-m", "cudasmith", "build", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f"--> {tmp_path}/f.cpp:2:" in done.stdout, done.stdout
    assert "    2 |   return 5\n" in done.stdout and "      |   return 5;" in done.stdout
    code, page = built(path, tmp_path)
    place = [(f["code"], f["file"], f["line"], f["fixed_lines"]) for f in page["findings"]]
    assert (code, place) == (1, [("DG201", f"{tmp_path}/f.cpp", 2, ["  return 5;"])])


def test_a_warning_in_a_file_that_is_read_stands_at_its_own_line(tmp_path: Path) -> None:
    text = TEXT.replace("  return", "  int unused;\n  return")
    path = write(tmp_path, BESIDE["join"], ', extra_cflags=["-Wall"]', text)
    command = [sys.executable, "-m", "cudasmith", "build", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and f"--> {tmp_path}/f.cpp:2:" in done.stdout, done.stdout


@pytest.mark.parametrize("source", ["SRC = open('f.cpp').read()\n", "SRC = Path('f.cpp').read_text()\n"])
def test_a_relative_file_that_is_missing_is_told_at_its_line_with_the_folder(
    source: str, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    code, page = built(write(own, source), tmp_path)
    assert code == 1 and page["error"]["code"] == "CSB027"
    assert page["error"]["where"] == f"{own}/own.py:4" and str(tmp_path) in page["error"]["help"]
    assert built(own / "own.py", own)[0] == 0


def test_a_file_that_may_never_be_read_is_no_error(tmp_path: Path) -> None:
    source = "if os.path.exists('none.cpp'):\n    SRC = open('none.cpp').read()\n"
    with pytest.raises(NotKnown):
        source_of(write(tmp_path, source))


def test_a_folder_in_a_files_place_is_told(tmp_path: Path) -> None:
    code, page = built(write(tmp_path, f"SRC = open({str(tmp_path)!r}).read()\n"), tmp_path)
    assert code == 1 and "Is a directory" in page["error"]["message"]
