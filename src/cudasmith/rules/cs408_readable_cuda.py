"""CS408."""

from __future__ import annotations

from cudasmith.cuda.indices import without_parentheses
from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject

_STORE = "  if (i < n) out[i] = __ldg(x + i) * by;\n"


class ReadableCuda(Rule):
    """Brackets balance and every statement of the CUDA and C++ text can be read.

    A bracket that is never closed, or a missing semicolon, is a certain compile error. Where the
    grammar gives up although brackets balance, the finding has medium confidence: a macro may hide
    what the compiler sees. Long index expressions are where brackets get lost: a note tells of an index over
    three or more dimensions that mixes + and * without parentheses. Put them, or name the parts.

    Bad:  `x[((b * C + c) * H + h * W + w]`
    Good: `const int64_t row = (((b * C) + c) * H) + h;  x[(row * W) + w]`
    """

    code = "CS408"
    name = "readable-cuda"
    severity = severities("error", "error")
    answers = "balanced-index"
    BAD = (
        edit((_STORE, "  if (i < n) out[i] = __ldg((x + i) * by;  // HERE\n")),
        edit((_STORE, "  if (i < n) out[((i)] = x[i];  // HERE\n")),
        edit((_STORE, "  if (i < n) { out[i] = by  // HERE\n  }\n")),
        edit(("  if (n == 0) return out;", "  if (n == 0) return out }  // HERE")),
        edit((_STORE, "  out[i * n * n + i * n + i] = by;  // HERE\n")),
    )
    GOOD = (
        CORRECT,
        edit(
            (
                "__global__ void",
                '// a ( in a comment, "a [ in a string"\n__global__ void __launch_bounds__(256)',
            )
        ),
        edit(
            (
                _STORE,
                "  __shared__ __align__(16) float s[4];\n#pragma unroll\n  for (;;) { break; }\n" + _STORE,
            )
        ),
        edit((_STORE, "  auto f = [=] __device__ (float v) { return v < 1 ? v : 1.f; };\n" + _STORE)),
        edit((_STORE, "  if (i < n) printf(\"%c (\", '(');\n" + _STORE)),
        edit((_STORE, "  out[(i * n * n) + (i * n) + i] = x[((i * n) + i) * n + i] + x[i * n + 1];\n")),
    )

    def check(self, subject: Subject) -> Verdicts:
        for _, part in subject.parts():
            for fault in part.symbols.faults:
                yield self.found(
                    subject,
                    part.span(fault.start, fault.end),
                    fault.message,
                    confidence="high" if fault.sure else "medium",
                )
            for index in (i for f in part.symbols.functions for i in without_parentheses(f)):
                message = "an index over three or more dimensions mixes + and * without parentheses"
                help = "put parentheses around each product, or name the parts"
                span = part.span(index.start, index.end)
                yield self.found(subject, span, message, help=help, severity="info")
