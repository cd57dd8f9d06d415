"""What can go wrong in the emulator, as exceptions."""

from __future__ import annotations

from typing import Any

from cudasmith.model.finding import Finding

Coordinates = tuple[int, int, int]

HELP = {
    "EM101": "Guard the index against the tensor's size before the access.",
    "EM102": "The kernel wrote beside the tensor; check the last index of each block.",
    "EM103": "Check the divisor; on a GPU the quotient would be undefined.",
    "EM104": "Use fewer or smaller local arrays.",
    "EM105": "Check the index against the array's declared size.",
    "EM106": "A vector type needs an address that is a multiple of its size: check it, or load element by element.",
    "EM107": "Check what the host passes: an empty or undefined tensor has no memory.",
    "EM108": "Keep the tensor in a variable until the kernel has run.",
    "EM109": "wmma reads whole 16-byte groups: align the pointer and the leading dimension.",
    "EM110": "The kernel stops itself there; look at the condition.",
    "EM111": "The kernel's own assertion; look at the values it names.",
    "EM112": "Take the address of a __shared__ array.",
    "EM113": "Give the kernel a tensor on the GPU: .cuda(), device=x.device or x.options() where it is made, register_buffer for a "
    "constant of a module; copy a std::vector with cudaMemcpy.",
    "EM114": "The kind says from where to where: cudaMemcpy(target, source, bytes, kind).",
    "EM115": "A loop that does not end, or a thread that waits for what nobody writes. Give more time with --timeout.",
    "EM201": "Every thread of the block must reach the same __syncthreads(); do not return before it.",
    "EM202": "Call it where all lanes that the mask names still run, or name fewer lanes.",
    "EM203": "Put a __syncthreads() between the two accesses, or __syncwarp() within one warp.",
    "EM204": "Give each element to one thread, use atomics, or split the kernel in two.",
    "EM205": "Every thread that the barrier counts must arrive.",
    "EM206": "Give the collective the block size of the launch, in each dimension.",
    "EM207": "Launch it with cudaLaunchCooperativeKernel, with no more blocks than run at once.",
    "EM208": "Launch no more blocks than run at once (cudaOccupancyMaxActiveBlocksPerMultiprocessor times the multiprocessors), take a "
    "block's number from an atomic counter where it waits for those before it, and reset flags and counters before each launch. "
    "A kernel that waits for the host or for another stream cannot be emulated: launches run one after another.",
    "EM301": "Launch within the limit that is named; no block ran.",
    "EM302": "Use dynamic shared memory, which cudaFuncSetAttribute raises up to the device's limit.",
    "EM401": "Write every element of the shared array before it is read.",
    "EM402": "Make the tensor with torch::zeros, or write every element before it is read.",
    "EM403": "Check grid size and bounds: every element of the output needs a thread that writes it.",
    "EM404": "Give the variable a value where it is declared. In checked mode it holds 0xFE in every byte until it is written.",
    "EM501": "Compute the index in int64_t: convert before the multiplication.",
    "EM901": "This is a limit of the emulator: of the kernel nothing is shown, right or wrong.",
}


class EmulatorFault(RuntimeError):
    """A fault of a kernel or a launch, found while it ran. `finding` says what and where.

    `detected` is the same as a value of checked mode (`emulator.Detected`); None in fast mode. `described` is such a
    value in either mode, in fast mode without the line of the access.
    """

    def __init__(self, finding: Finding, detected: Any = None, described: Any = None) -> None:
        super().__init__("\n".join([finding.message, *finding.notes]))
        self.finding = finding
        self.detected = detected
        self.described = detected if described is None else described


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
