"""The one choice of the host compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.hostapi.compiler import find_compiler
from cudasmith.model import CudasmithError
from machines import compiler


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one folder on PATH, empty, with a blank and an accent in its name."""
    place = tmp_path / "mes outils é"
    place.mkdir()
    monkeypatch.setenv("PATH", str(place))
    monkeypatch.delenv("CXX", raising=False)
    return place


def test_without_a_compiler_the_error_says_what_to_install() -> None:
    with pytest.raises(CudasmithError) as caught:
        find_compiler()
    assert caught.value.exit_code == 4 and "apt-get install g++" in str(caught.value.help)


def test_torchs_own_choice_comes_first(bare: Path) -> None:
    for name in ("clang++", "g++", "c++"):
        compiler(bare / name, "12.2.0")
        assert find_compiler().path == str(bare / name)


@pytest.mark.parametrize("form", ["{}", "ccache {}", "{} -m64", " {} "])
def test_cxx_is_taken_by_path_behind_a_launcher_or_with_options(
    form: str, tmp_path: Path, bare: Path, monkeypatch
) -> None:
    compiler(bare / "c++", "12.2.0")
    compiler(bare / "ccache", "4.9.0")
    other = compiler(tmp_path / "g++-12", "12.2.0")
    monkeypatch.setenv("CXX", form.format(other))
    assert find_compiler().path == str(other)


def test_cxx_may_hold_blanks_and_be_relative(bare: Path, monkeypatch) -> None:
    other = compiler(bare / "my g++", "12.2.0")
    monkeypatch.setenv("CXX", str(other))
    assert find_compiler().path == str(other)
    monkeypatch.chdir(bare)
    monkeypatch.setenv("CXX", "./my g++")
    assert Path(find_compiler().path).is_absolute() and Path(find_compiler().path).samefile(other)


def test_a_cxx_that_is_not_there_is_told_and_not_replaced(bare: Path, monkeypatch) -> None:
    compiler(bare / "c++", "12.2.0")
    monkeypatch.setenv("CXX", "g++-99")
    with pytest.raises(CudasmithError, match="CXX=g\\+\\+-99 names no program"):
        find_compiler()


@pytest.mark.parametrize(("name", "clang"), [("g++", False), ("clang++", True)])
def test_kind_and_version_are_the_programs_own_word(name: str, clang: bool, bare: Path) -> None:
    compiler(bare / name, "14.0.6")
    assert (find_compiler().clang, find_compiler().version) == (clang, "14.0.6")


def test_a_program_that_prints_a_version_is_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "/bin/cat")
    with pytest.raises(CudasmithError, match="CXX=/bin/cat is no C\\+\\+ compiler: it calls itself cat "):
        find_compiler()
