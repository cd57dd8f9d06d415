"""DG266."""

from __future__ import annotations

import difflib
import re

from cudasmith.diagnoses._compile import Q, flag_span
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = re.compile(
    rf"Unknown option {Q}(?P<nvcc>.*?){Q}|Value {Q}(?P<value>.*?){Q} is not defined for option {Q}(?P<option>.*?){Q}"
    rf"|unrecognized command[- ]line option {Q}(?P<gxx>.*?){Q}(?:; did you mean {Q}(?P<mean>.*?){Q})?"
)
_NVCC = (
    "--use_fast_math",
    "-lineinfo",
    "--ptxas-options",
    "--extended-lambda",
    "--expt-relaxed-constexpr",
    "--maxrregcount",
    "--expt-extended-lambda",
    "-gencode",
    "--generate-line-info",
)
_HOST = re.compile(r"-(?:march|mtune|mavx\w*|f[a-z-]+|W[a-z-]+|funroll\S*|fopenmp|pthread|g3|Ofast)")


class UnknownCompilerOption(Diagnosis):
    """A compiler does not know one of its options.

    nvcc and g++ have different options. Those of g++ (`-march=native`, `-Wall`, `-fopenmp`) reach it through nvcc only
    behind `-Xcompiler`; `--use_fast_math` is nvcc's alone. Words of one option must be separate entries of the list.

    Correct the spelling, move the option to extra_cflags or extra_cuda_cflags, or write `-Xcompiler` before it.
    """

    code = "DG266"
    name = "unknown-compiler-option"
    CASES = (
        Case("odd_openmp_to_nvcc", says="fopenmp", line=23),
        Case("bad_cuda_flag", says="--use_fastmath", line=11),
        Case("nvcc_host_option", says="-march=native", line=13),
        Case("nvcc_wall", says="-Wall", line=13),
        Case("nvcc_unknown_ptxas_option", says="-maxregs", line=13),
        Case("gxx_bad_flag", says="--use_fast_math", line=11),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(_SAID)
        if found is None or found[0].tool not in ("nvcc", "g++", "ptxas"):
            return None
        said, m = found
        if m["value"]:
            flag = f"-{m['option']}={m['value']}"
            span = flag_span(candidate, m["value"])
            help = "drop this option: load_inline passes what torch needs"
            return Hit(f"nvcc does not know {flag}", said.at, help, span=span)
        flag = m["nvcc"] or m["gxx"]
        span = flag_span(candidate, flag, "extra_cflags" if said.tool == "g++" else "extra_cuda_cflags")
        compiler = said.tool
        close = difflib.get_close_matches(flag, _NVCC, 1, 0.85) if said.tool == "nvcc" else []
        fix = None
        if m["gxx"] and flag.startswith(_NVCC):
            help = "this is an option of nvcc: put it into extra_cuda_cflags"
        elif close:
            help = f"write {close[0]}"
            fix = Fix(span, repr(close[0])) if span is not None else None
        elif said.tool == "nvcc" and _HOST.match(flag):
            help = f"this is an option of g++: write '-Xcompiler', '{flag}', or put it into extra_cflags"
            fix = Fix(span, f"'-Xcompiler', {flag!r}") if span is not None else None
        else:
            help = f"write {m['mean']}" if m["mean"] else "delete it, or correct its spelling"
        return Hit(f"{compiler} does not know the option {flag}", said.at, help, span=span, fix=fix)
