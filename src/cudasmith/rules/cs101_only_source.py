"""CS101."""

from __future__ import annotations

from cudasmith.model.finding import Finding, Fix, Span
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject
from cudasmith.source.prose import FENCE, looks_like_prose


class OnlySource(Rule):
    """The file is source and nothing else: no Markdown fence, no sentence around or inside the code.

    A fence line makes Python stop with a SyntaxError; inside a CUDA string it reaches nvcc as text.
    Both happen when an answer meant for a chat window is saved as a file.

    Bad:  ```python at the top, "Here is the kernel:" before the first import.
    Good: the first character of the file is code or a comment.
    """

    code = "CS101"
    name = "only-source"
    severity = severities("error", "error")
    answers = "pure-source"
    BAD = (
        "```python\n" + CORRECT + "```\n",
        "Here is the optimized model you asked for:\n\n" + CORRECT,
        CORRECT + "\nThis kernel is faster because each element is read once.\n",
        edit(('r"""\n#include <torch/types.h>', 'r"""\n```cuda\n#include <torch/types.h>')),
        edit(
            ('cuda_src = r"""\n', 'cuda_src = r"""\nHere is the optimized CUDA kernel: // HERE\n'),
        ),
    )
    GOOD = (
        CORRECT,
        "# Here is the kernel that was asked for.\n" + CORRECT,
        '"""A docstring may hold a fence.\n\n```\ncode\n```\n"""\n' + CORRECT,
        edit(("__global__ void", "// Each thread scales one element of the input.\n__global__ void")),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        for span in file.fences:
            line = file.source.lines()[span.line - 1]
            whole = Fix(Span(span.line, 1, span.line + 1, 1), "", safe=True)
            fix = whole if FENCE.fullmatch(line) else None  # not where "```\\n" is a part of a literal
            yield self.found(
                subject, span, "a Markdown fence stands in the file", help="remove this line", fix=fix
            )
        for span in file.prose:
            yield self._prose(subject, span)
        for _, part in subject.parts():
            yield from self._in_cuda(subject, part)

    def _in_cuda(self, subject: Subject, part: Part) -> Verdicts:
        at = 0
        for line in part.region.text.split("\n"):
            broken = any(f.start < at + len(line) and f.end > at for f in part.symbols.faults)
            if broken and not FENCE.fullmatch(line) and looks_like_prose(line):
                yield self._prose(subject, part.span(at, at + len(line)))
            at += len(line) + 1

    def _prose(self, subject: Subject, span: Span) -> Finding:
        return self.found(
            subject,
            span,
            "a sentence stands where code should be",
            confidence="medium",
            help="remove it, or make it a comment",
        )
