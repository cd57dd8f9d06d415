"""extract: which text of a reply is the file, and why there is none."""

from __future__ import annotations

import json

import pytest

from cudasmith.model import ProblemError
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.stages.extract import extract

FENCED = f"Here is the kernel.\n\n```python\n{CORRECT}```\n\nIt is fast."
DOCSTRING = '"""How to use it:\n\n```\nmodel(x)\n```\n"""\n' + CORRECT


def indented(text: str, by: str = "   ") -> str:
    return "".join(by + line if line.strip() else line for line in text.splitlines(keepends=True))


@pytest.mark.parametrize(
    "reply",
    [
        CORRECT,
        FENCED,
        FENCED.replace("\n", "\r\n"),
        FENCED.replace("```", "~~~~"),
        f"1. The file:\n\n{indented(f'```py{chr(10)}{CORRECT}```{chr(10)}')}\n2. Done.",
        f"```cpp\n__global__ void k() {{}}\n```\nand\n{FENCED}\n```bash\npython f.py\n```",
        f"The same twice:\n{FENCED}\n{FENCED}",
        f"The reference:\n```python\nclass Model:\n    pass\n```\n{FENCED}",
        f"<think>maybe\n```python\nclass ModelNew:\n    pass\n```\nno</think>\n{FENCED}",
        f"Here it is without a fence.\n\n{CORRECT}\nIt reads each element once.",
        f"{CORRECT}```\n",
        json.dumps(FENCED),
        json.dumps({"choices": [{"message": {"role": "assistant", "content": FENCED}}]}),
        json.dumps({"content": [{"type": "text", "text": FENCED}]}, indent=2),
        json.dumps(FENCED)[1:-1],
    ],
)
def test_the_file_is_taken_out_of_what_stands_around_it(reply: str) -> None:
    assert extract(reply, "reply.txt").text == CORRECT


def test_a_fence_inside_a_string_does_not_end_the_block() -> None:
    assert extract(DOCSTRING, "r").text == DOCSTRING
    assert extract(f"Here:\n```python\n{DOCSTRING}```\nBye.\n```\nmore\n```", "r").text == DOCSTRING


def test_an_open_fence_is_taken_to_the_end_and_told() -> None:
    found = extract(f"Here:\n```python\n{CORRECT}", "r")
    assert found.text == CORRECT
    assert found.notes == ("the fence in line 2 is never closed: taken to the end",)


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        ("I cannot do that.", "CSP090", "no Python code"),
        ("<think>let me see: class ModelNew", "CSP090", "within its reasoning"),
        ("```python\nx = 1\n```", "CSP090", "no Python code"),
        (f"{FENCED}\n{FENCED.replace('__ldg(x + i)', 'x[i]')}", "CSP091", "1: lines 4 to "),
        (json.dumps([CORRECT, CORRECT + "x = 1\n"]), "CSP091", "$[0]"),
        (f"```python\n{CORRECT[: CORRECT.index('Scale.apply')]}(", "CSP092", "cut off"),
        (f"```python\n{CORRECT.replace('self.by)', 'self.by')}```", "CSP092", "not Python"),
        (
            "```cuda\n__global__ void k() {}\n```\n```python\n"
            + CORRECT[: CORRECT.index("cuda_src =")] + CORRECT[CORRECT.index("class Scale") :] + "```",
            "CSP093", "builds from cuda_src, which is not in it; CUDA text stands in the block of line 1",
        ),
    ],
)  # fmt: skip
def test_where_no_file_is_right_the_reason_is_told(reply: str, code: str, words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        extract(reply, "reply.txt")
    assert caught.value.code == code and words in caught.value.message
    assert caught.value.exit_code == 1 and caught.value.help


def test_one_of_several_can_be_named() -> None:
    other = edit(("__ldg(x + i)", "x[i]"))
    reply = f"{FENCED}\n```python\n{other}```\n"
    assert extract(reply, "r", block=2).text == other
    with pytest.raises(ProblemError) as caught:
        extract(reply, "r", block=3)
    assert caught.value.exit_code == 2
