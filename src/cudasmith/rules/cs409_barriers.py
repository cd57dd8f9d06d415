"""CS409."""

from __future__ import annotations

from cudasmith.cuda.symbols import Function
from cudasmith.cuda.threads import Fault, faults
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject, Unit

_STORE = "  if (i < n) out[i] = __ldg(x + i) * by;\n"
_RED = "  __shared__ float s[256];\n"
_SUM = (
    "    s[threadIdx.x] = x[r];\n    __syncthreads();\n    for (int k = 128; k > 0; k >>= 1) {\n"
    "      if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];\n      __syncthreads();\n    }\n"
)
_ROWS = "  for (int64_t r = blockIdx.x; r < n; r += gridDim.x) {\n"
_TILE = (
    "  __shared__ float a[16][16];\n  float sum = 0;\n  for (int t = 0; t < n; t += 16) {\n"
    "    a[threadIdx.y][threadIdx.x] = x[t];\n    __syncthreads();\n"
    "    for (int k = 0; k < 16; ++k) sum += a[threadIdx.y][k];\n"
)


def _body(text: str) -> str:
    return edit((_STORE, text))


class Barriers(Rule):
    """Every thread of a block reaches every barrier, and shared memory is not written while others still read it.

    `__syncthreads()` in a branch that only some threads take, or below a `return` that some took, is
    undefined: a deadlock, or a tail block that sums slots nobody set. A shared buffer that is used
    again, in the next pass of a loop or for a second reduction, needs a second barrier after it was
    read. Conditions that are equal for a whole block are no branches in this sense: blockIdx, kernel
    parameters, constants, and values made of them.

    Bad:  `if (i >= n) return;  s[threadIdx.x] = x[i];  __syncthreads();`
    Good: `s[threadIdx.x] = i < n ? x[i] : 0.f;  __syncthreads();`
    """

    code = "CS409"
    name = "barriers"
    severity = severities("warning", "warning")
    BAD = (
        _body("  if (i < n) {\n    out[i] = by;\n    __syncthreads();  // HERE\n  }\n"),
        _body(
            _RED
            + "  if (i >= n) return;  // HERE\n  s[threadIdx.x] = x[i];\n  __syncthreads();\n  out[i] = s[0];\n"
        ),
        _body(
            "  for (int64_t k = threadIdx.x; k < n; k += blockDim.x) {\n    __syncthreads();  // HERE\n  }\n"
        ),
        _body(
            "  int s = threadIdx.x;\n  for (int s = 16; s > 0; s >>= 1) out[s] = by;\n"
            "  if (s > 4) {\n    __syncthreads();  // HERE\n  }\n"
        ),
        _body("  while (true) {\n    if (i >= n) break;  // HERE\n    __syncthreads();\n  }\n"),
        _body(
            _RED + _ROWS + _SUM.replace("= x[r];", "= x[r];  // HERE") + "    out[r] = x[r] - s[0];\n  }\n"
        ),
        _body(
            _RED
            + "  int r = 0;\n"
            + _SUM
            + "  float m = s[0];\n  s[threadIdx.x] = m * i;  // HERE\n  __syncthreads();\n"
        ),
        _body(_TILE.replace("= x[t];", "= x[t];  // HERE") + "  }\n"),
        edit(
            (_STORE, "  if (threadIdx.x < 32) out[i] = total(by);  // HERE\n"),
            ("__global__", "__device__ float total(float v) { __syncthreads(); return v; }\n__global__"),
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        _body(
            _RED + "  if (n > 1) {\n    s[threadIdx.x] = by;\n    __syncthreads();\n    out[i] = s[0];\n  }\n"
        ),
        _body("  if (i >= n) return;\n" + _STORE),
        _body(
            "  if (blockIdx.x >= n) return;\n  const int row = blockIdx.x;\n  if (row > 4) return;\n  __syncthreads();\n"
        ),
        _body(_RED + _ROWS + _SUM + "    out[r] = x[r] - s[0];\n    __syncthreads();\n  }\n"),
        _body(_TILE + "    __syncthreads();\n  }\n"),
        _body(_RED + "  int r = 0;\n" + _SUM + "  if (threadIdx.x == 0) out[blockIdx.x] = s[0];\n"),
        _body(
            "  __shared__ float s[2][256];\n  for (int t = 0; t < n; ++t) {\n    s[t & 1][threadIdx.x] = x[t];\n"
            "    __syncthreads();\n    out[t] = s[t & 1][255 - threadIdx.x];\n  }\n"
        ),
        _body(
            _RED
            + "  for (int k = threadIdx.x; k < 256; k += 32) s[k] = x[k];\n  __syncthreads();\n  out[i] = s[0];\n"
        ),
        _body(
            _RED
            + "  int r = 0;\n"
            + _SUM
            + "  float m = s[0];\n  bar.arrive_and_wait();\n  s[threadIdx.x] = m;\n"
        ),
        _body(
            _RED + "  s[threadIdx.x / 32] = by;\n  __syncthreads();\n"
            "  float v = threadIdx.x < 8 ? s[threadIdx.x & 31] : 0;\n  if (threadIdx.x == 0) s[0] = v;\n"
        ),
        _body(  # one name, two variables
            "  for (int s = threadIdx.x; s < n; s += 32) out[s] = by;\n"
            "  for (int s = 16; s > 0; s >>= 1) {\n    __syncthreads();\n  }\n"
        ),
        _body("  bool any = __syncthreads_or(i < n);\n  if (any) { __syncthreads(); }\n" + _STORE),
    )

    def check(self, subject: Subject) -> Verdicts:
        for unit in subject.units:
            helpers = {
                f.name: f for p in unit.parts for f in p.symbols.functions if f.is_device and f.is_definition
            }
            for part in unit.parts:
                for function in part.symbols.functions:
                    if not function.is_host:
                        yield from self._function(subject, unit, part, function, helpers)

    def _function(
        self, subject: Subject, unit: Unit, part: Part, function: Function, helpers: dict[str, Function]
    ) -> Verdicts:
        for fault in faults(function, helpers):
            message, help = _told(part, fault)
            span = part.span(fault.start, fault.end)
            yield self.found(subject, span, message, help=help, confidence="medium")


def _told(part: Part, fault: Fault) -> tuple[str, str]:
    line = part.span(*fault.other).line
    if fault.kind == "divergent":
        message = f"only threads for which ({fault.what}) holds reach this barrier"
        return message, "move the barrier out of the branch, and let the branch do the work only"
    if fault.kind == "exit":
        message = f"threads leave here by ({fault.what}), and the others wait for them at the barrier in line {line}"
        return message, "let every thread run to the barrier, and mask the work: i < n ? x[i] : 0"
    message = f"{fault.what} is written again while other threads may still read it in line {line}"
    return message, "put a __syncthreads() between that read and this write"
