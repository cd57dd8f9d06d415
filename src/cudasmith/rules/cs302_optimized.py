"""CS302."""

from __future__ import annotations

import ast
import re

from cudasmith.model.finding import Fix
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.literals import MappedText
from cudasmith.source.regions import BuildCall

_BRACKET = re.compile(r"(?:\s|#[^\n]*\n|\\\n)*\)")
_LISTS = ("extra_cflags", "extra_cuda_cflags", "extra_ldflags", "extra_include_paths")
FLAGS = ("extra_cflags", "extra_cuda_cflags")
_CFLAGS = '                extra_cflags=["-O3"],\n'
_CUDA_CFLAGS = '                extra_cuda_cflags=["-O3"],\n'
_CALL = "ModelNew._ext = load_inline(\n"
_MARKED = (_CALL, _CALL.replace("\n", "  # HERE\n"))


class Optimized(Rule):
    """Both compilers are told -O3: extra_cflags and extra_cuda_cflags.

    Without it the host compiler builds the wrapper with the distribution's default. nvcc optimises
    device code anyway, but not the host half of the CUDA source. A note outside strict mode. Flags are a list:
    torch adds it to its own, and a string stops the build, which is an error in every mode.
    """

    code = "CS302"
    name = "optimized"
    severity = severities("error", "info")
    BAD = (
        edit((_CFLAGS, ""), _MARKED),
        edit((_CUDA_CFLAGS, ""), _MARKED),
        edit((_CFLAGS, ""), (_CUDA_CFLAGS, ""), _MARKED),
        edit((_CFLAGS, '                extra_cflags=["-O0"],  # HERE\n')),
        edit((_CUDA_CFLAGS, '                extra_cuda_cflags="-O3",  # HERE\n')),
        edit((_CFLAGS, _CFLAGS + '                extra_ldflags="-lcublas -lm",  # HERE\n')),
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
            for keyword in _LISTS:
                value = build.values.get(keyword)
                if isinstance(value, MappedText):
                    span = build.keyword_span(keyword, subject.file.source)
                    message = f"{keyword} is a string, and torch takes a list"
                    fix = _list(subject, build.keywords[keyword], value.text)
                    yield self.found(subject, span, message, fix=fix, severity="error")
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


def _list(subject: Subject, node: ast.expr, text: str) -> Fix | None:
    """The words of the string as a list, where the string stands in the call itself."""
    if not isinstance(node, ast.Constant) or any(sign in text for sign in "\"'\\"):
        return None
    written = ", ".join(f'"{word}"' for word in text.split())
    return Fix(subject.file.source.node_span(node), f"[{written}]", safe=True)


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
