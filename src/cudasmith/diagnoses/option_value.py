"""DG268."""

from __future__ import annotations

from cudasmith.diagnoses._compile import flag_span
from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying
from cudasmith.diagnoses._log import Log, Said
from cudasmith.model import Candidate
from cudasmith.model.finding import Span


class OptionValue(Family):
    """A compiler knows an option, but not the value that is given with it, or not together with another one.

    Options and their values are checked before the source is read, so nothing was compiled. The value may be misspelt, known to
    newer compilers only, or belong to the other compiler: `-march` to g++, `-arch` to nvcc. Two flags in one text of the list
    arrive as one option with a blank in it.

    Correct the value where the flag is given: extra_cflags for g++, extra_cuda_cflags for nvcc, one text for each flag. The
    compiler's own list of values is often printed under the error.
    """

    code = "DG268"
    name = "option-value"
    CASES = (
        Case("gxx_march_misspelt", says="natve", line=5),
        Case("gxx_optimisation_level", says="-O", line=5),
        Case("nvcc_generate_code", says="arch-compute_90", line=5),
    )
    SAYINGS = (
        Saying(
            ("bad value `value` for `option` switch", "unknown value `value` for `option`"),
            "the value {value} of the option {option} is unknown",
            "correct {value}: the values that {option} takes stand below the error",
        ),
        Saying(
            (
                "argument to `option` should be",
                "unrecognized argument in option `option`",
                "unrecognized argument to `option`",
                "invalid value for argument of option `option`",
                "invalid argument `value` to `option`",
                "unrecognized debug output level `option`",
                "missing argument to `option`",
                "missing path after `option`",
                "missing filename after `option`",
                "argument to `option` is missing",
            ),
            "the option {option} has no value, or one that the compiler does not know",
            "write the option's value behind it, in the same text of the list",
        ),
        Saying(
            ("`value` is not in «keyword=value» format",),
            "nvcc does not understand {value}",
            'write keyword=value: "-gencode=arch=compute_90,code=sm_90"',
        ),
        Saying(
            (
                "Value `value` is not",
                "Option `option` requires",
                "Argument for `option` must",
                "option `option` requires",
                "redefinition of argument `option`",
                "argument expected after",
                "Option `option` is",
            ),
            "nvcc does not take this value or use of an option: {option}",
            "compare the flag with `nvcc --help`; give it once, and its value in the same text",
        ),
        Saying(
            (
                "`value` is not compatible with `other`",
                "`value` does not support option `other`",
                "Cannot use `value` with",
            ),
            "two flags of nvcc do not go together: {value}",
            "keep one of them",
        ),
        Saying(
            (
                "Don't know what to do with `value`",
                "No input files specified",
                "A single input file is required",
            ),
            "nvcc takes {value} for the name of a file",
            "a flag begins with a dash; several flags in one text of the list arrive as one",
        ),
    )

    def errors(self, log: Log) -> tuple[Said, ...]:
        return tuple(s for s in log.said if s.tool in ("nvcc", "g++") and s.file is None)

    def place(self, log: Log, said: Said, words: dict[str, str], candidate: Candidate | None) -> Span | None:
        """The text in the list of flags."""
        spans = (flag_span(candidate, word) for word in (words.get("value"), words.get("option")) if word)
        return next((s for s in spans if s is not None), None)
