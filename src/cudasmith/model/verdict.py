"""Verdict: does the candidate compute what the reference computes, case by case."""

from __future__ import annotations

import enum

import attrs

from cudasmith.model.finding import Finding


class CaseStatus(str, enum.Enum):
    PASSED = "PASSED"
    WRONG_VALUE = "WRONG_VALUE"
    WRONG_SHAPE = "WRONG_SHAPE"
    WRONG_DTYPE = "WRONG_DTYPE"
    WRONG_TYPE = "WRONG_TYPE"  # not a tensor where the reference gives one, other structure
    WRONG_NAN = "WRONG_NAN"  # NaN or Inf where the reference has none, or the reverse
    INPUT_MUTATED = "INPUT_MUTATED"
    NON_DISCRIMINATING = "NON_DISCRIMINATING"  # a trivial output would pass too: proves nothing
    REFERENCE_FAILED = "REFERENCE_FAILED"  # the reference itself refuses this case: not counted
    NO_LAUNCH = "NO_LAUNCH"  # right, but none of the candidate's kernels ran
    REFUSED = "REFUSED"  # candidate raised a clean error
    CRASHED = "CRASHED"
    CUDA_FAULT = "CUDA_FAULT"  # out of bounds, barrier divergence, launch error
    TIMEOUT = "TIMEOUT"
    NOT_RUN = "NOT_RUN"


class VerdictStatus(str, enum.Enum):
    PASSED = "PASSED"
    FAILED = "FAILED"
    NOT_RUN = "NOT_RUN"  # nothing was proven: no executor, or no case counted


@attrs.frozen
class InputCase:
    """How to make one tensor input: shape, dtype, value distribution, layout."""

    shape: tuple[int, ...]
    dtype: str
    distribution: str  # "problem" uses the file's own get_inputs
    layout: str = "contiguous"  # or "transposed", "sliced", "expanded"
    strides: tuple[int, ...] = ()


@attrs.frozen
class Case:
    """One call of reference and candidate."""

    name: str  # says the danger: "one_row", "prime_sizes", "empty_batch"
    sizes: tuple[tuple[str, int], ...]  # free size -> value
    inputs: tuple[InputCase, ...]
    training: bool
    seed: int
    full: bool = False  # the problem's own shapes


@attrs.frozen
class CaseResult:
    """What happened in one case. `error_ratio` is the largest error over the error allowed there."""

    case: Case
    status: CaseStatus
    error_ratio: float | None = None
    max_abs_error: float | None = None
    torch_ratio: float | None = None  # same measure for same-dtype PyTorch
    output: str = ""  # which output is worst: "0", "1.indices"
    worst_index: tuple[int, ...] | None = None
    got: float | None = None
    expected: float | None = None
    launches: int | None = None
    message: str = ""
    seconds: float = 0.0
    findings: tuple[Finding, ...] = ()


@attrs.frozen
class Verdict:
    """All cases of one candidate on one executor. PASSED needs every counted case PASSED and at least one."""

    sha256: str
    executor: str  # "emulator" or "gpu"
    device: str  # "CPU emulator (g++ 12.2)", "NVIDIA H200"
    status: VerdictStatus
    cases: tuple[CaseResult, ...]
    rule: str  # the tolerance in words
    reason: str = ""
    seconds: float = 0.0
    build_seconds: float = 0.0
    control: str = ""  # on the emulator: what one case gave with no kernel at work
    findings: tuple[Finding, ...] = ()  # of the control
