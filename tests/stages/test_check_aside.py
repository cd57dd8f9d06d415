"""What sets findings aside: comments in the file, a baseline, the project's configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cudasmith.model import Candidate, CudasmithError
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.stages._check.baseline import Known, read_baseline, recorded
from cudasmith.stages._check.config import Config, Configs, read_config
from cudasmith.stages._check.selection import Selection, codes
from cudasmith.stages._check.targets import python_files
from cudasmith.stages.check import CheckResult, check

LAUNCH_CHECK = "  C10_CUDA_KERNEL_LAUNCH_CHECK();\n"
LAUNCH = "  scale_thread_per_element<<<"
UNCHECKED = edit((LAUNCH_CHECK, ""))


def told(result: CheckResult) -> tuple[list[str], list[str]]:
    return [v.code for v in result.findings], [v.code for v in result.ignored]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("CUDAStream()>>>(", "CUDAStream()>>>(  // cudasmith: ignore[CS405]"),
        (LAUNCH, "  // cudasmith: ignore[cs404, CS405] because it is checked elsewhere\n" + LAUNCH),
        (LAUNCH, "  /* cudasmith:ignore[CS405] */\n" + LAUNCH),
        (LAUNCH, "  // cudasmith: ignore[CS405]\n  // cudasmith: ignore[CS404]\n" + LAUNCH),
    ],
)
def test_a_comment_sets_the_finding_of_its_line_or_the_next_aside(old: str, new: str) -> None:
    findings, ignored = told(check(Candidate(edit((old, new), text=UNCHECKED)), "strict"))
    assert "CS405" not in findings and ignored == ["CS405"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LAUNCH, "  int z; // cudasmith: ignore[CS405]\n" + LAUNCH),  # of its own line
        (LAUNCH, "  // cudasmith: ignore[CS404]\n" + LAUNCH),
        (LAUNCH, '  printf("// cudasmith: ignore[CS405]");\n' + LAUNCH),
        (LAUNCH, "  // cudasmith: ignore\n" + LAUNCH),
    ],
)
def test_other_comments_set_nothing_aside(old: str, new: str) -> None:
    findings, ignored = told(check(Candidate(edit((old, new), text=UNCHECKED))))
    assert "CS405" in findings and ignored == []


def test_python_comments_set_findings_of_python_lines_aside() -> None:
    flags = '                extra_cflags=["-O3"],\n                extra_cuda_cflags=["-O3"],\n'
    text = edit((flags, ""), ("load_inline(\n", "load_inline(  # cudasmith: ignore[CS302]\n"))
    assert told(check(Candidate(text))) == ([], ["CS302"])


def test_what_could_not_be_decided_can_be_set_aside_too() -> None:
    text = edit(("0, c10::cuda::getCurrentCUDAStream()", "0, somewhere()"))
    assert check(Candidate(text)).status == "undecided"
    quiet = edit((">>>(\n", ">>>(  // cudasmith: ignore[CS404]\n"), text=text)
    assert check(Candidate(quiet)).status == "passed"


def test_the_baseline_knows_a_finding_by_its_line_wherever_that_moves(tmp_path: Path) -> None:
    old = Candidate(UNCHECKED, str(tmp_path / "a.py"))
    path = tmp_path / "baseline.json"
    path.write_text(recorded([(old, check(old).findings)], path))
    known = read_baseline(path)
    moved = Candidate("# a new line\n\n" + UNCHECKED, old.path)
    result = check(moved, known=known)
    assert result.findings == () and [v.code for v in result.known] == ["CS405"]
    changed = Candidate(UNCHECKED.replace("256, 0, c10", "128, 0, c10"), old.path)
    assert [f.code for f in check(changed, known=known).findings] == ["CS405"]
    elsewhere = Candidate(UNCHECKED, str(tmp_path / "b.py"))
    assert [f.code for f in check(elsewhere, known=known).findings] == ["CS405"]


def test_a_baseline_counts_and_does_not_take_undecided_for_found(tmp_path: Path) -> None:
    twice = edit(("  if (n == 0)", LAUNCH + "1, 1>>>(0, 0, 0, 0);\n" * 1 + "  if (n == 0)"), text=UNCHECKED)
    first = Candidate(twice, str(tmp_path / "a.py"))
    path = tmp_path / "b.json"
    found = check(first).findings
    rows = json.loads(recorded([(first, found)], path))["findings"]
    assert sum(r["count"] for r in rows) == len(found)
    again = Known(str(tmp_path), {("undecided", r["code"], r["path"], r["line_sha256"]): 9 for r in rows})
    assert check(first, known=again).findings == found


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 1, "findings": [3]}', "\0", '{"version": 9, "findings": []}']
)
def test_what_is_no_baseline_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(CudasmithError) as caught:
        read_baseline(tmp_path / "b.json")
    assert caught.value.exit_code == 2 and caught.value.where == str(tmp_path / "b.json")


def test_the_longest_beginning_of_a_code_decides() -> None:
    some = Selection(("CS4", "CS203"), ("CS405", "CS2"))
    assert [c for c in ("CS401", "CS404", "CS405", "CS203", "CS202", "CS101") if some.has(c)] == [
        "CS401",
        "CS404",
        "CS203",
    ]
    with pytest.raises(CudasmithError) as caught:
        codes(["CS4,CS9999"], "--select")
    assert caught.value.exit_code == 2 and "CS9999" in caught.value.message


def test_the_nearest_table_counts_and_options_win(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.cudasmith]\nmode = "lenient"\nignore = ["CS4"]\nexclude = ["old", "a/*_x.py"]\n'
        '[tool.cudasmith.per-file-ignores]\n"a/b/*" = ["CS2"]\n'
    )
    (inner / "pyproject.toml").write_text("[tool.other]\n")
    config = Configs().of(inner)
    assert config.mode == "lenient"
    here, there = config.selection(inner / "f.py", None, None), config.selection(tmp_path / "f.py", None, ())
    assert not here.has("CS202") and not here.has("CS404") and here.has("CS101")
    assert there.has("CS202") and there.has("CS404")
    assert config.excludes(tmp_path / "old" / "f.py") and config.excludes(tmp_path / "a" / "f_x.py")
    assert not config.excludes(tmp_path / "f_x.py")


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("[tool.cudasmith]\nmode = \n", 2, "TOML"),
        ('[tool.cudasmith]\nmode = "severe"\n', 2, "severe"),
        ('[tool.x]\nselect = 1\n[tool.cudasmith]\n\nselect = "CS4"\n', 5, "select"),
        ('[tool.cudasmith]\nselct = ["CS4"]\n', 2, "selct"),
        ('[tool.cudasmith]\nignore = ["CS777"]\n', 2, "CS777"),
        ('[tool.cudasmith.per-file-ignores]\n"*.py" = "CS4"\n', 2, "*.py"),
        ("tool.cudasmith = 3\n", 1, "table"),
    ],
)
def test_a_wrong_configuration_is_one_error_with_its_line(
    tmp_path: Path, text: str, line: int, word: str
) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    with pytest.raises(CudasmithError) as caught:
        read_config(path)
    assert caught.value.where == f"{path}:{line}" and word in caught.value.message
    assert caught.value.exit_code == 2


def test_a_folder_gives_its_candidates_in_order(tmp_path: Path) -> None:
    wanted = ["b/model.py", "broken.py", "calls.py", "model.py"]
    texts = {
        **dict.fromkeys(("b/model.py", "model.py", ".hidden/m.py", "__pycache__/m.py", "env/m.py", "skip/m.py"), CORRECT),
        "broken.py": "class ModelNew(:\n",
        "calls.py": "import t\nt.load_inline(name='x')\n",
        "mentions.py": "# class ModelNew\nx = 'load_inline('\n",
        "other.txt": CORRECT,
        "env/pyvenv.cfg": "",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "loop").symlink_to(tmp_path)
    config = Config(folder=tmp_path, exclude=("skip",))
    unlisted: list[OSError] = []
    paths = python_files(tmp_path, config.excludes, unlisted.append)
    assert sorted(p.relative_to(tmp_path).as_posix() for p in paths) == wanted and not unlisted
