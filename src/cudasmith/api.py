"""The library entry."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import attrs

from cudasmith.model import Candidate, Finding, Report, Tier, VerdictStatus
from cudasmith.pipeline import Options, port_problem

if TYPE_CHECKING:
    import torch


@attrs.frozen
class Port:
    """A ported model: the file's text and the report that proves it."""

    report: Report

    @property
    def text(self) -> str:
        """The emitted file."""
        return self.report.candidate.text

    @property
    def verified(self) -> bool:
        """True when at least one verdict was reached and every one PASSED."""
        verdicts = self.report.verdicts
        return bool(verdicts) and all(v.status is VerdictStatus.PASSED for v in verdicts)

    def save(self, path: str | Path) -> Path:
        """Write the file; a reader never sees half of it."""
        from cudasmith.report.write import write_atomically

        return write_atomically(Path(path), self.text)


def port(
    model_or_path: str | Path | torch.nn.Module,
    example_inputs: tuple[Any, ...] | None = None,
    *,
    tier: Tier = "fast",
    strict: bool = False,
    executor: str = "auto",
    timeout_s: float = 120.0,
) -> Port:
    """Port a KernelBench-form file, or a live module with example inputs, and verify the result.

    A live module's file has a `ModelNew()` with the same state_dict entries, uninitialised: fill it
    with `load_state_dict(module.state_dict())`.

    Raises: CudasmithError for a wrong input or a missing compiler; its `code`, `where` and `help` say
    what to do. A failed verdict is not an exception: look at `Port.verified`.
    """
    from cudasmith.stages.read import from_module, read

    if isinstance(model_or_path, (str, Path)):
        problem = read(str(model_or_path))
    else:
        problem = from_module(model_or_path, tuple(example_inputs or ()))
    options = Options(tier=tier, strict=strict, executor=executor, timeout_s=timeout_s)
    return Port(port_problem(problem, options))


def load(library: str | Path) -> ModuleType:
    """The module in a file that `cudasmith build` has printed: its bound functions, callable.

    Raises: CudasmithError for another file, or when the cache has lost part of it; ImportError as `import` does.
    """
    from cudasmith.hostapi.load import load_built

    return load_built(Path(library))


def diagnose(text: str, candidate: str | Path | None = None, returncode: int | None = None) -> list[Finding]:
    """What the text of a failed build or run says, the earliest cause first; never empty.

    `candidate`: path of the Python file that was built or run; findings then stand at its lines. `returncode`: of the
    process. A failure that no diagnosis knows gives one finding with the code DG000.

    Raises: CudasmithError when the candidate cannot be read.
    """
    from cudasmith.stages.diagnose import diagnose as diagnosed
    from cudasmith.stages.read import file_text

    if candidate is None:
        return diagnosed(text, None, returncode)
    name = str(candidate)
    source = file_text(
        Path(name), name, form="`candidate` is the path of the Python file that was built or run"
    )
    return diagnosed(text, Candidate(source.replace("\r\n", "\n").replace("\r", "\n"), name), returncode)
