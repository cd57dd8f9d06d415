"""CS303."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cudasmith.cuda.symbols import Call
from cudasmith.model.finding import Severity, Span
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject, Unit

_FLAGS = 'extra_cuda_cflags=["-O3"],'
_CFLAGS = 'extra_cflags=["-O3"],'
_FAST = ("-use_fast_math", "--use_fast_math")
# Names, severity, what fast math makes of them, remedy.
_INEXACT: tuple[tuple[tuple[str, ...], Severity, str, str], ...] = (
    (("pow", "powf"), "warning", "gives NaN for a negative base", "drop the flag, or multiply instead"),
    (("sinf", "cosf", "tanf", "sincosf"), "info", "is inexact far from zero", "drop the flag"),
)
_STANDARD = re.compile(r"(?:--?std|/std)[=:](?:c|gnu)\+\+(\w+)")
_OLD = ("98", "03", "0x", "11", "1y", "14")
_CODE = re.compile(r"(sm|compute|lto)_(\d+)([af]?)")
_STORE = "by;\n}"
_POW = (_STORE, "powf(x[i], by);\n}")


class Flags(Rule):
    """No flag stops the build, leaves GPUs out, or makes the kernel wrong or slow.

    An error: -std below C++17, which torch's headers refuse; -D_GLIBCXX_USE_CXX11_ABI=0, whose library cannot be
    imported; -rdc=true and -dc, for load_inline does no device link; -march among the CUDA flags without -Xcompiler.
    A warning: a list of architectures without PTX, for torch adds none of its own once a CUDA flag holds
    the letters "arch", and other GPUs then have "no kernel image"; -Xcompiler=-march=native, for
    the same reason; -G, which turns optimisation off; --use_fast_math with powf, which gives NaN for a
    negative base; -allow-unsupported-compiler. A note: -std=c++17, too old for torch 2.14;
    --use_fast_math with sinf or cosf, inexact far from zero.
    """

    code = "CS303"
    name = "flags"
    severity = severities("warning", "warning")
    BAD = (
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-std=c++14"],  # HERE')),
        edit((_CFLAGS, 'extra_cflags=["-O3",\n   "-std=c++11"],  # HERE')),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-gencode=arch=compute_80,code=sm_80"],  # HERE')),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-gencode", "arch=compute_80,code=sm_80"],  # HERE')),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-Xcompiler=-march=native"],  # HERE')),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-march=native"],  # HERE')),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "--use_fast_math"],  # HERE'), _POW),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-G"],  # HERE')),
        edit((_CFLAGS, 'extra_cflags=["-O3", "-D_GLIBCXX_USE_CXX11_ABI=0"],  # HERE')),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-rdc=true"],  # HERE')),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-std=c++20", "-lineinfo", "--ptxas-options=-v"],')),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "--use_fast_math"],')),
        edit(
            (_FLAGS, 'extra_cuda_cflags=["-O3", "--use_fast_math"],'),
            (_STORE, "powf(10000.f, by) * powf(fabsf(x[i]), by);\n}"),
        ),
        edit(_POW),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-arch=native"],')),
        edit((_FLAGS, 'extra_cuda_cflags=["-O3", "-arch=sm_80"],')),
        edit(
            (
                _FLAGS,
                'extra_cuda_cflags=["-O3", "-gencode=arch=compute_80,code=sm_80",\n'
                '   "-gencode=arch=compute_80,code=compute_80"],',
            )
        ),
        edit((_CFLAGS, 'extra_cflags=["-O3", "-march=native"],')),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            host = unit.build.words("extra_cflags", subject.file.source)
            device = unit.build.words("extra_cuda_cflags", subject.file.source)
            for word, span in (*host, *device):
                yield from self._any(subject, word, span)
            before = ""
            for word, span in device:
                yield from self._device(subject, unit, word, before, span)
                before = word
            yield from self._architectures(subject, device)

    def _any(self, subject: Subject, word: str, span: Span) -> Verdicts:
        standard = _STANDARD.fullmatch(word)
        help = "remove it: torch adds the standard that it needs"
        if standard and standard[1] in _OLD:
            message = f"torch's headers need a newer C++ than {word}"
            yield self.found(subject, span, message, help=help, severity="error")
        elif standard and standard[1] in ("17", "1z"):
            message = f"{word} is too old for torch 2.14 and later"
            yield self.found(subject, span, message, help=help, severity="info")
        elif word == "-D_GLIBCXX_USE_CXX11_ABI=0":
            message = "the old ABI of std::string is not the one torch is built with"
            yield self.found(subject, span, message, help="remove it: torch passes its own", severity="error")

    def _device(self, subject: Subject, unit: Unit, word: str, before: str, span: Span) -> Verdicts:
        if word in ("-G", "--device-debug"):
            help = "use -lineinfo, which keeps the lines and optimises"
            yield self.found(subject, span, f"{word} turns the optimisation of kernels off", help=help)
        elif word in ("-dc", "-rdc=true", "--relocatable-device-code=true"):
            message = f"{word} needs a device link, which load_inline does not do"
            yield self.found(subject, span, message, help="remove it", severity="error")
        elif word.endswith("-allow-unsupported-compiler"):
            message = f"{word} hides that the host compiler is too new for nvcc"
            yield self.found(subject, span, message, help="choose an older host compiler with CXX or -ccbin")
        elif word in _FAST:
            yield from self._fast_math(subject, unit, word, span)
        elif word.startswith("-march") and before not in ("-Xcompiler", "--compiler-options"):
            message = f"{word} is an option of the host compiler, which nvcc does not know"
            yield self.found(subject, span, message, help="move it to extra_cflags", severity="error")
        elif "-march" in word:
            message = f"{word} holds the letters 'arch', so torch adds no -gencode for the GPU"
            yield self.found(subject, span, message, help="move it to extra_cflags")

    def _fast_math(self, subject: Subject, unit: Unit, word: str, span: Span) -> Verdicts:
        used = [
            (part.span(call.start, call.end), call)
            for part in unit.parts
            for function in part.symbols.functions
            if not function.is_host
            for call in function.calls
        ]
        for names, severity, fact, help in _INEXACT:
            found = [(at, c) for at, c in used if c.receiver is None and c.name in names and not _positive(c)]
            if found:
                at, call = found[0]
                yield self.found(
                    subject,
                    span,
                    f"with {word} {call.name} {fact}",
                    notes=(f"it is called in line {at.line}",),
                    help=help,
                    severity=severity,
                    confidence="medium",
                )

    def _architectures(self, subject: Subject, words: Sequence[tuple[str, Span]]) -> Verdicts:
        """All lists together: real architectures without any PTX that newer GPUs could compile."""
        listed = [(w, s) for w, s in words if "code=" in w]
        codes = [m for w, _ in listed for m in _CODE.finditer(w.rpartition("code=")[2])]
        if not codes or any(m[1] == "compute" for m in codes):
            return
        majors = sorted({int(m[2][:-1]) for m in codes})
        message = f"the kernels run only on GPUs of architecture {', '.join(f'{m}.x' for m in majors)}"
        notes = ("torch adds no architecture of its own once a CUDA flag holds the letters 'arch'",)
        help = "drop the flag, or add code=compute_.. so that other GPUs can compile the kernels"
        yield self.found(subject, listed[0][1], message, notes=notes, help=help)


def _positive(call: Call) -> bool:
    """Whether the base is a positive number or an absolute value, as far as its text shows."""
    base = call.arguments[0].strip("( ") if call.arguments else ""
    return bool(re.match(r"(?:\d|\.\d|M_E\b|fabsf?\(|abs\(|expf?\(|sqrtf?\(|fmaxf?\()", base))
