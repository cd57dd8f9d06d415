"""CS302."""

from __future__ import annotations

import re

from cudasmith.model.finding import Fix
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.regions import BuildCall

_BRACKET = re.compile(r"(?:\s|#[^\n]*\n|\\\n)*\)")
FLAGS = ("extra_cflags", "extra_cuda_cflags")
_CFLAGS = '                extra_cflags=["-O3"],\n'
_CUDA_CFLAGS = '                extra_cuda_cflags=["-O3"],\n'
_CALL = "ModelNew._ext = load_inline(\n"
_MARKED = (_CALL, _CALL.replace("\n", "  # HERE\n"))


class Optimized(Rule):
    """Both compilers are told -O3: extra_cflags and extra_cuda_cflags.

    Without it the host compiler builds the wrapper with the distribution's default. nvcc optimises
    device code anyway, but not the host half of the CUDA source. A note outside strict mode.
    """

    code = "CS302"
    name = "optimized"
    severity = severities("error", "info")
    BAD = (
        edit((_CFLAGS, ""), _MARKED),
        edit((_CUDA_CFLAGS, ""), _MARKED),
        edit((_CFLAGS, ""), (_CUDA_CFLAGS, ""), _MARKED),
        edit((_CFLAGS, '                extra_cflags=["-O0"],  # HERE\n')),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_CUDA_CFLAGS, '                extra_cuda_cflags=["-lineinfo", "-O3", "-Xptxas=-v"],\n')),
        edit(
            ("class ModelNew", 'FLAGS = ["-O3"]\n\n\nclass ModelNew'),
            (_CUDA_CFLAGS, "                extra_cuda_cflags=FLAGS,\n"),
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            build = unit.build
            unknown = build.unresolved & {*FLAGS, "**"}
            if unknown:
                yield self.undecided(build.span, f"{min(unknown)} cannot be read statically")
                continue
            missing = [f for f in FLAGS if not _has_o3(build, f)]
            absent = tuple(f for f in missing if f not in build.keywords)
            for given in (f for f in missing if f in build.keywords):
                span = build.keyword_span(given, subject.file.source)
                yield self.found(subject, span, f"-O3 is missing in {given}")
            if absent:
                message = f"-O3 is missing: no {' and no '.join(absent)}"
                yield self.found(subject, build.span, message, fix=_add(subject, build, absent))


def _has_o3(build: BuildCall, keyword: str) -> bool:
    words = [w for flag in build.flags.get(keyword, ()) for w in flag.split()]
    return any(w in ("-O3", "--optimize=3", "/O2", "-Ofast") for w in words)


def _add(subject: Subject, build: BuildCall, keywords: tuple[str, ...]) -> Fix | None:
    """Behind the call's last argument."""
    source = subject.file.source
    given = [*build.call.args, *(k.value for k in build.call.keywords)]
    if not given:
        return None
    last = max(source.bounds(node)[1] for node in given)
    while (bracket := _BRACKET.match(source.text, last)) and bracket.end() < source.bounds(build.call)[1]:
        last = bracket.end()  # the argument stands in brackets of its own
    text = "".join(f', {k}=["-O3"]' for k in keywords)
    return Fix(source.span(last, last), text, safe=True)
