"""What can go wrong in the emulator, as exceptions."""

from __future__ import annotations

from cudasmith.model.finding import Finding

Coordinates = tuple[int, int, int]

_HELP = {
    "EM101": "Guard the index against the tensor's size before the access.",
    "EM102": "The kernel wrote beside the tensor; check the last index of each block.",
    "EM103": "Check the divisor; on a GPU the quotient would be undefined.",
    "EM104": "Use fewer or smaller local arrays.",
    "EM105": "The kernel stops itself there; look at the condition.",
    "EM106": "The kernel's own assertion; look at the values it names.",
    "EM108": "wmma reads whole 16-byte groups: align the pointer and the leading dimension.",
    "EM107": "Take the address of a __shared__ array.",
    "EM203": "Every thread that the barrier counts must arrive.",
    "EM201": "Every thread of the block must reach the same __syncthreads(); do not return before it.",
    "EM202": "Call it where all lanes that the mask names still run, or name fewer lanes.",
    "EM301": "Check grid and block sizes, and raise the dynamic shared limit with cudaFuncSetAttribute.",
    "EM302": "Use dynamic shared memory, which cudaFuncSetAttribute raises up to the device's limit.",
}


class EmulatorFault(RuntimeError):
    """A fault of a kernel or a launch, found while it ran. `finding` says what and where."""

    def __init__(self, finding: Finding) -> None:
        super().__init__("\n".join([finding.message, *finding.notes]))
        self.finding = finding


class EmulatorBuildError(RuntimeError):
    """The source was refused. `line` counts in the string `source` of load_inline's arguments, if known.

    `unsupported` names what the emulator lacks, where that is the reason: then nothing is proven of the source.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        log: str = "",
        unsupported: str = "",
    ) -> None:
        place = f"{source}:{line}: " if source is not None and line is not None else ""
        super().__init__(place + message)
        self.source = source
        self.line = line
        self.log = log
        self.unsupported = unsupported


def make_fault(
    code: str, message: str, kernel: str, line: int, block: Coordinates | None, thread: Coordinates | None
) -> EmulatorFault:
    """The exception for a fault that the runtime reports."""
    notes = []
    if kernel:
        notes.append(f"kernel {kernel}" + (f", launched in line {line} of the CUDA text" if line else ""))
    if block is not None and thread is not None:
        notes.append(f"block {block}, thread {thread}")
    finding = Finding(code=code, severity="error", message=message, notes=tuple(notes), help=_HELP.get(code))
    return EmulatorFault(finding)
