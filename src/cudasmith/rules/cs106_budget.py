"""CS106."""

from __future__ import annotations

import ast
import re

from cudasmith.cuda.tokens import tokenize
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.lines import code_lines
from cudasmith.source.names import ancestors

MAX_LINES = 80
_FORWARD = "        return Scale.apply(self.ext, x, self.by)\n"
_STORE = "  if (i < n) out[i] = __ldg(x + i) * by;\n"
_KERNEL = "__global__ void scale_thread_per_element("
_CLASS = "class ModelNew(nn.Module):"


class Budget(Rule):
    """The model's Python code and each kernel have at most 80 lines; the file keeps the budget given for it.

    A long answer is cut off before its end when the tokens are used up, and a kernel of many lines is
    where index mistakes hide. Counted is what ModelNew runs, and each `__global__` function by itself,
    without empty lines and comments. `--token-budget N` limits the whole file; tokens are words,
    numbers and signs here, so the count is about right for any tokenizer. Never more than a note.
    """

    code = "CS106"
    name = "budget"
    severity = severities("info", "info")
    BAD = (
        edit((_FORWARD, "        y = 1\n" * 81 + _FORWARD), (_CLASS, _CLASS + "  # HERE")),
        edit(
            (_FORWARD, "        return run(self, x)\n"),
            (_CLASS, "def run(self, x):\n" + "    y = 1\n" * 70 + "    return 1\n\n\n" + _CLASS + "  # HERE"),
        ),
        edit((_STORE, _STORE * 81), (_KERNEL, _KERNEL + "  // HERE\n    ")),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_FORWARD, "\n        # a comment\n" * 81 + _FORWARD)),
        edit((_STORE, _STORE + "  // a comment\n\n" * 81)),
        edit(("class ModelNew", "def unused():\n" + "    y = 1\n" * 81 + "\n\nclass ModelNew")),
        edit((_FORWARD, '        text = """' + "word\n" * 81 + '"""\n' + _FORWARD)),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        if file.model is not None:
            lines = code_lines(file.source.text, _model_code(subject, file.model))
            if lines > MAX_LINES:
                message = f"the model's Python code has {lines} lines, more than {MAX_LINES}"
                yield self.found(subject, file.source.node_span(file.model), message)
        for _, part in subject.parts():
            for kernel in part.symbols.kernels:
                lines = _cuda_lines(part.region.text[kernel.start : kernel.end])
                if lines > MAX_LINES:
                    message = f"kernel {kernel.name} has {lines} lines, more than {MAX_LINES}"
                    yield self.found(subject, part.name_span(kernel), message)
        if subject.token_budget is None:
            return
        tokens = len(re.findall(r"\w+|[^\w\s]", file.source.text))
        if tokens > subject.token_budget:
            message = f"the file has about {tokens} tokens, more than {subject.token_budget}"
            yield self.found(subject, None, message)


def _model_code(subject: Subject, model: ast.ClassDef) -> set[ast.stmt]:
    """ModelNew and the statements of the file that hold what its forward runs."""
    file = subject.file
    reached = (*file.reach.forward, *file.reach.backward)
    tops = [[n, *ancestors(n, file.parent)][-2] for n in reached]
    return {model, *(n for n in tops if isinstance(n, ast.stmt))}


def _cuda_lines(text: str) -> int:
    """How many lines hold code; 0 where there cannot be too many."""
    if text.count("\n") < MAX_LINES:
        return 0
    starts, line, at = set(), 0, 0
    for token in tokenize(text):
        line, at = line + text.count("\n", at, token.start), token.start
        starts.add(line)
    return len(starts)
