"""What check says as SARIF, as annotations, as a checklist and as a diff."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cudasmith.model import Candidate, CudasmithError, Finding, Fix, Span
from cudasmith.model.checked import CheckedFile, UnreadFile
from cudasmith.model.undecided import Undecided
from cudasmith.report.check_json import github_annotations
from cudasmith.report.checklist_text import unified_diff
from cudasmith.report.sarif import check_sarif, uri
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import all_rules
from cudasmith.stages._check.checklist import checklist
from cudasmith.stages.check import check

FIX = Fix(Span(2, 1, 2, 1), "#include <a>\n", safe=True)
FILE = CheckedFile(
    candidate=Candidate(CORRECT, "a b/f.py"),
    mode="strict",
    status="failed",
    findings=(
        Finding("CS304", "error", "needs a, b: 100%", span=Span(2, 3, 2, 9), help="add\nit", fix=FIX),
        Finding("CS103", "info", "no class"),
    ),
    undecided=(Undecided("CS404", "cannot tell", Span(7, 1)),),
    ignored=(Finding("CS405", "warning", "m", span=Span(1, 1, 3, 2)),),
    known=(Undecided("CS401", "r", Span(1)),),
)
UNREAD = UnreadFile("none.py", CudasmithError("CSP001", "there is no such file"))

# Source: sarif-schema-2.1.0.json, the objects that are written here: required properties, and all that are allowed.
REQUIRED = {
    "log": {"version", "runs"},
    "run": {"tool"},
    "driver": {"name"},
    "rule": {"id"},
    "result": {"message"},
    "fix": {"artifactChanges"},
    "change": {"artifactLocation", "replacements"},
    "replacement": {"deletedRegion"},
    "invocation": {"executionSuccessful"},
    "notification": {"message"},
    "suppression": {"kind"},
}
ALLOWED = {
    "log": {"$schema", "version", "runs"},
    "run": {"tool", "columnKind", "invocations", "artifacts", "results"},
    "driver": {"name", "version", "rules"},
    "rule": {"id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"},
    "result": {"ruleId", "ruleIndex", "message", "locations", "kind", "level", "fixes", "suppressions"},
    "fix": {"description", "artifactChanges"},
    "change": {"artifactLocation", "replacements"},
    "replacement": {"deletedRegion", "insertedContent"},
    "invocation": {"executionSuccessful", "toolExecutionNotifications"},
    "notification": {"level", "message", "locations"},
    "suppression": {"kind"},
}


def conforms(kind: str, value: dict[str, Any]) -> dict[str, Any]:
    assert REQUIRED[kind] <= set(value) <= ALLOWED[kind], kind
    return value


def region(value: dict[str, int]) -> None:
    assert set(value) <= {"startLine", "startColumn", "endLine", "endColumn"}
    assert all(isinstance(v, int) and v >= 1 for v in value.values())
    assert (value["startLine"], value["startColumn"]) <= (
        value.get("endLine", value["startLine"]), value.get("endColumn", 10**9),
    )  # fmt: skip


def sarif() -> dict[str, Any]:
    log = conforms("log", json.loads(check_sarif([FILE, UNREAD], "1.0")))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    return conforms("run", run)


def test_sarif_has_what_its_schema_asks_and_nothing_else() -> None:
    run = sarif()
    rules = [conforms("rule", r) for r in conforms("driver", run["tool"]["driver"])["rules"]]
    assert [r["id"] for r in rules] == [r.code for r in all_rules()]
    assert all(r["help"]["text"] and r["shortDescription"]["text"] for r in rules)
    assert all(r["defaultConfiguration"]["level"] in ("note", "warning", "error") for r in rules)
    assert run["columnKind"] == "unicodeCodePoints"
    (invocation,) = run["invocations"]
    assert not conforms("invocation", invocation)["executionSuccessful"]
    (note,) = invocation["toolExecutionNotifications"]
    assert conforms("notification", note)["message"]["text"] == "there is no such file"
    assert len(run["results"]) == 5
    for result in run["results"]:
        conforms("result", result)
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["kind"] == "open" and result["level"] == "none" if "kind" in result else True
        (location,) = result["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/f.py"
        if "region" in location["physicalLocation"]:
            region(location["physicalLocation"]["region"])
        assert all(
            conforms("suppression", s)["kind"] in ("inSource", "external")
            for s in result.get("suppressions", [])
        )


def test_sarif_carries_fixes_places_and_what_is_set_aside() -> None:
    results = {r["ruleId"]: r for r in sarif()["results"]}
    assert results["CS304"]["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 9,
    }  # fmt: skip
    (change,) = conforms("fix", results["CS304"]["fixes"][0])["artifactChanges"]
    (replaced,) = conforms("change", change)["replacements"]
    region(conforms("replacement", replaced)["deletedRegion"])
    assert replaced["insertedContent"]["text"] == "#include <a>\n"
    assert "region" not in results["CS103"]["locations"][0]["physicalLocation"]
    assert results["CS404"]["kind"] == "open"
    assert results["CS405"]["suppressions"] == [{"kind": "inSource"}]
    assert results["CS401"]["suppressions"] == [{"kind": "external"}]


def test_an_absolute_path_is_a_file_uri() -> None:
    assert uri("/tmp/a b.py") == "file:///tmp/a%20b.py"
    assert uri("<stdin>") == "%3Cstdin%3E"


def test_annotations_are_escaped_as_github_reads_them() -> None:
    odd = CheckedFile(Candidate("x", "a,b:c%.py"), "strict", "failed", (FILE.findings[0],))
    assert github_annotations([odd, UNREAD]).split("\n") == [
        "::error file=a%2Cb%3Ac%25.py,title=CS304,line=2,col=3,endLine=2,endColumn=9::needs a, b: 100%25%0Aadd%0Ait",
        "::error file=none.py,title=CSP001::there is no such file",
    ]
    levels = [line.split()[0] for line in github_annotations([FILE]).split("\n")]
    assert levels == ["::error", "::notice", "::warning"]


def answers(text: str) -> dict[str, str]:
    return {p.key: p.answer for p in checklist(check(Candidate(text)))}


def test_the_checklist_says_yes_only_where_a_rule_has_seen_it() -> None:
    points = checklist(check(Candidate(CORRECT)))
    assert len(points) == 9
    assert all(p.rules and not p.why for p in points if p.answer == "yes")
    assert all(p.why for p in points if p.answer != "yes")
    yes = {p.key for p in points if p.answer == "yes"}
    assert {"pure-source", "one-binding", "host-types", "no-fallback", "contiguity"} <= yes
    assert {"code-first", "balanced-index", "small-test"}.isdisjoint(yes)


@pytest.mark.parametrize(
    ("text", "key", "answer"),
    [
        (edit(("TORCH_EXTENSION_NAME", "other")), "one-binding", "no"),
        ("```python\n" + CORRECT, "pure-source", "no"),
        ("```python\n" + CORRECT, "contiguity", "not decided"),
        (edit(("cuda_sources=[cuda_src]", "cuda_sources=[read()]")), "one-binding", "not decided"),
        ("class ModelNew:\n    def forward(self):\n        pass\n", "one-binding", "not decided"),
        ("class ModelNew:\n    def forward(self):\n        pass\n", "no-fallback", "yes"),
        (edit(("out[i] = __ldg(x + i)", "out[i] = __ldg((x + i)")), "balanced-index", "no"),
    ],
)
def test_a_point_is_answered_by_its_rules(text: str, key: str, answer: str) -> None:
    assert answers(text)[key] == answer


def test_a_comment_to_ignore_answers_no_point() -> None:
    text = edit(
        (
            "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {",
            "PYBIND11_MODULE(other, m) {  // cudasmith: ignore[CS202]",
        )
    )
    assert check(Candidate(text)).findings == ()
    assert answers(text)["one-binding"] == "no"


def test_a_diff_keeps_line_ends_and_tells_a_missing_last_one() -> None:
    assert unified_diff("a\r\nb", "a\r\nc", "f.py") == (
        "--- f.py\n+++ f.py\n@@ -1,2 +1,2 @@\n a\r\n"
        "-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
    )
    assert unified_diff("a", "a", "f.py") == ""
