"""Reading a reference: what is wrong with it is said without running it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cudasmith.model import ProblemError
from cudasmith.stages.read import from_module, from_source, read

GOOD = """\
import torch
import torch.nn as nn

class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)

def get_inputs():
    return [torch.rand(4, 4)]
"""


def error_of(path: Path, text: str | bytes | None = None) -> ProblemError:
    if text is not None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(ProblemError) as caught:
        read(path)
    return caught.value


def test_a_good_file_is_read_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(GOOD)
    problem = read(path, seed=3)
    assert (problem.source, problem.path, problem.seed, problem.class_name) == (GOOD, str(path), 3, "Model")
    assert problem.payload is None


def test_reading_runs_nothing_and_imports_no_torch(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(GOOD + "raise SystemExit('ran')\n")
    code = (
        "import sys; from cudasmith.stages.read import read; import cudasmith.stages.capture;"
        f"read({str(path)!r}); sys.exit('torch' in sys.modules)"
    )
    root = str(Path(__file__).parents[2] / "src")
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": root}, check=False).returncode == 0


def test_no_such_file(tmp_path: Path) -> None:
    error = error_of(tmp_path / "none.py")
    assert (error.code, error.exit_code, error.where) == ("CSP001", 3, str(tmp_path / "none.py"))


def test_a_directory(tmp_path: Path) -> None:
    error = error_of(tmp_path)
    assert (error.code, error.exit_code) == ("CSP002", 2)


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file(tmp_path: Path, text: str) -> None:
    assert error_of(tmp_path / "m.py", text).code == "CSP003"


def test_bytes_that_are_not_utf8_name_their_line(tmp_path: Path) -> None:
    error = error_of(tmp_path / "m.py", b"import torch\nname = '\xff'\n")
    assert error.code == "CSP004" and "0xff" in error.message
    assert error.where is not None and error.where.endswith("m.py:2")


def test_a_syntax_error_shows_line_and_caret(tmp_path: Path) -> None:
    error = error_of(tmp_path / "m.py", "import torch\nx = (1 +\n")
    assert error.code == "CSP005" and error.where is not None and error.where.endswith("m.py:2")
    assert error.message.splitlines()[1:] == ["x = (1 +", "    ^"]


def test_null_bytes_are_a_syntax_error(tmp_path: Path) -> None:
    assert error_of(tmp_path / "m.py", b"x = 1\0\n").code == "CSP005"
    assert error_of(tmp_path / "m.py", b"x = 1\0\n").help


def test_without_model_the_classes_there_are_listed(tmp_path: Path) -> None:
    error = error_of(tmp_path / "m.py", GOOD.replace("class Model", "class Net"))
    assert error.code == "CSP006" and "Net (line 4)" in error.message
    assert error.help is not None and "call the one to port Model; " in error.help
    assert "class Model(nn.Module)" in error.help


def test_without_any_class(tmp_path: Path) -> None:
    assert "nor any other class" in error_of(tmp_path / "m.py", "x = 1\n").message


def test_model_without_forward_names_the_class_line(tmp_path: Path) -> None:
    error = error_of(tmp_path / "m.py", GOOD.replace("forward", "run"))
    assert error.code == "CSP007" and error.where is not None and error.where.endswith("m.py:4")


def test_without_get_inputs(tmp_path: Path) -> None:
    assert error_of(tmp_path / "m.py", GOOD.replace("get_inputs", "inputs")).code == "CSP008"


@pytest.mark.parametrize(
    "source",
    [
        GOOD.replace("nn.Module)", "Base)").replace("forward", "run"),  # Base may come from an import
        GOOD.replace("class Model", "class Net") + "Model = Net\n",
        GOOD.replace("def get_inputs():\n    return", "get_inputs = lambda:"),
        "from elsewhere import Model, get_inputs\n",
    ],
)
def test_forms_that_may_work_are_let_through(source: str) -> None:
    assert from_source(source).source == source


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert read(tmp_path / "m.py").source == GOOD


@pytest.mark.parametrize("thing", [3, dict])
def test_only_a_module_object_is_a_module(thing: object) -> None:
    with pytest.raises(ProblemError) as caught:
        from_module(thing, ())
    assert caught.value.code == "CSP010"


def test_a_module_that_cannot_be_pickled_says_so() -> None:
    class Holder:
        state = (letter for letter in "abc")

        def forward(self) -> None: ...
        def state_dict(self) -> None: ...

    with pytest.raises(ProblemError) as caught:
        from_module(Holder(), ())
    assert caught.value.code == "CSP011" and "generator" in caught.value.message
