"""extract: which text of a reply is the file, and why there is none."""

from __future__ import annotations

import html
import json

import pytest

from cudasmith.model import ProblemError
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.stages.extract import extract

FENCED = f"Here is the kernel.\n\n```python\n{CORRECT}```\n\nIt is fast."
DOCSTRING = '"""How to use it:\n\n```\nmodel(x)\n```\n"""\n' + CORRECT


MODEL = CORRECT[CORRECT.index("class ModelNew") :]
FORWARD = "        return Scale.apply(self.ext, x, self.by)"
STORE = "  if (i < n) out[i] = __ldg(x + i) * by;"
EXCERPT = "```python\nclass ModelNew(nn.Module):\n    def forward(self, x):\n        ...\n```\n"
DOC = '"""'
TAGS = 'OPEN = "<think>"\nCLOSE = "</think>"\n'
PATCH = "--- /dev/null\n+++ b/f.py\n@@ -0,0 +1,69 @@\n" + "".join(
    f"+{line}\n" for line in CORRECT.splitlines()
)


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
        f"{FENCED}\n```python\nfrom f import ModelNew\nModelNew(2.0)\n```\n",
        f"The class:\n```python\n{MODEL}```\nThe file:\n{FENCED}",
        f"{FENCED}\nOnly this matters:\n{EXCERPT}",
        json.dumps({"code": f"```python\n{CORRECT}```"}),
        f"```json\n{json.dumps({'code': CORRECT}, indent=1)}\n```\n",
        f"Sure: {json.dumps({'code': CORRECT})}",
        json.dumps([{"role": "user", "content": EXCERPT}, {"role": "assistant", "content": FENCED}]),
        json.dumps({"reasoning_content": "a class ModelNew, then", "content": FENCED}),
        "\n".join(json.dumps({"role": r, "content": c}) for r, c in (("user", "Hi"), ("assistant", FENCED))),
        f"I try\n```python\nclass ModelNew:\n    pass\n```\nno.\n</think>\n{FENCED}",
        f"No.</think>{FENCED}",
        f"```python {CORRECT}```\n",
        f"```{CORRECT}```\n",
        f"- ```python\n{indented(CORRECT, '  ')}  ```\n",
        "".join(f"> {line}\n" for line in FENCED.split("\n")),
        f"````markdown\n{FENCED}\n````\n",
        f"```markdown\n{FENCED}\n```\n",
        "\ufeff" + FENCED,
        FENCED.replace("import torch\n", "\ufeffimport torch\n", 1),
        f"```diff\n{PATCH}```\n",
        html.escape(FENCED),
        html.escape(CORRECT, quote=False),
        f'<pre><code class="language-python">{html.escape(CORRECT)}</code></pre>',
    ],
)
def test_the_file_is_taken_out_of_what_stands_around_it(reply: str) -> None:
    assert extract(reply, "reply.txt").text == CORRECT


@pytest.mark.parametrize(
    "code", [CORRECT + TAGS, f"{CORRECT}X = {DOC}\n<think>\n{DOC}\n", f"{CORRECT}X = '</think>'\n"]
)
def test_tags_within_the_code_are_no_thoughts(code: str) -> None:
    assert extract(code, "r").text == code
    assert extract(f"<think>hm</think>\nHere:\n```python\n{code}```\n", "r").text == code


@pytest.mark.parametrize(
    "said",
    [
        "the elements x[0], x[1], ..., x[n - 1]",
        "TODO: a version that reads float4 would be faster",
        "the rest of the row is read by the other threads",
        "existing values are kept",
    ],
)
def test_remarks_are_no_gaps(said: str) -> None:
    code = edit(
        (STORE, f"  // {said}\n{STORE}"), (FORWARD, f"        # {said}\n        x = x[..., :]\n{FORWARD}")
    )
    assert extract(f"```python\n{code}```", "r").text == code


def test_a_variable_called_lt_makes_no_html() -> None:
    code = edit((STORE, f"  const float* q = &lt;\n{STORE}"))
    assert extract(code, "r").text == code


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (FORWARD, "        # ... rest of the code\n        pass"),
        (FORWARD, "        ..."),
        (FORWARD, "        pass"),
        (FORWARD, "        raise NotImplementedError"),
        (FORWARD, "        # Your code here\n        return x"),
        (STORE, "  // TODO: implement"),
        (STORE, "  // ... existing code ..."),
        (STORE, "  // ..."),
        (STORE, "  ..."),
        (STORE, "  /* the rest of the kernel is unchanged */"),
        (STORE, "  <your kernel here>"),
    ],
)
def test_a_file_with_a_gap_is_refused_at_its_line(old: str, new: str) -> None:
    code = edit((old, new))
    line = CORRECT[: CORRECT.index(old)].count("\n") + 1
    for reply, above in ((code, 0), (f"Here:\n```python\n{code}```", 2), (f"Here:\n```python {code}```", 1)):
        with pytest.raises(ProblemError) as caught:
            extract(reply, "r")
        assert caught.value.code == "CSP094" and "not whole" in caught.value.message
        assert caught.value.where in (
            f"r:{above + line}",
            f"r:{above + line - 1}",
        )  # a bare body is told at its def


def test_a_gap_on_a_line_that_python_cannot_read_is_told_as_a_gap() -> None:
    with pytest.raises(ProblemError, match="<your forward here>"):
        extract(f"```python\n{edit((FORWARD, '        <your forward here>'))}```", "r")


def test_a_file_without_forward_is_not_whole() -> None:
    with pytest.raises(ProblemError, match="no forward"):
        extract(f"```python\n{CORRECT[: CORRECT.index('    def forward(self, x)')]}", "r")


def test_an_excerpt_that_says_more_than_the_file_is_a_second_candidate() -> None:
    newer = EXCERPT.replace("x):", "x, y):")
    with pytest.raises(ProblemError, match="1: lines 4 to 72; 2: lines 78 to 80"):
        extract(f"{FENCED}\n\n{newer}", "r")


def test_a_fence_inside_a_string_does_not_end_the_block() -> None:
    assert extract(DOCSTRING, "r").text == DOCSTRING
    assert extract(f"Here:\n```python\n{DOCSTRING}```\nBye.\n```\nmore\n```", "r").text == DOCSTRING


def test_an_open_fence_is_taken_to_the_end_and_told() -> None:
    found = extract(f"Here:\n```python\n{CORRECT}", "r")
    assert found.text == CORRECT
    assert found.notes == (
        "the fence in line 2 is never closed, as where a reply is cut off: taken to the end",
    )


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        ("I cannot do that.", "CSP090", "no Python code"),
        ("<think>let me see: class ModelNew", "CSP090", "within its reasoning"),
        ("```python\nx = 1\n```", "CSP090", "no Python code"),
        ("Here:\n```python\nimport torch\n", "CSP090", "line 2 is never closed: the reply was cut off"),
        (f"```diff\n{PATCH.replace('-0,0', '-9,3')}```\n", "CSP096", "patch"),
        (f"```diff\n{PATCH.replace('+import torch', ' import torch', 1)}```\n", "CSP096", "patch"),
        (PATCH.replace("+import torch", "-import os", 1), "CSP096", "patch"),
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
