"""nvcc's own steps, its host half beside its device half.

nvcc runs them one after the other, although they depend on each other only at the end: preprocess and split the host
part (cudafe++); preprocess, compile and assemble the device part (cicc, ptxas, fatbinary); compile the host part with
the fat binary inside. `nvcc --dryrun` prints the commands; where their form is not the known one, nvcc itself runs.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import attrs

_ASSIGNMENT = re.compile(r"^([A-Z_]+)=(.*)$")
_NEEDED = ("PATH", "LD_LIBRARY_PATH", "CICC_PATH", "NVVMIR_LIBRARY_DIR", "TOP")
_MODULE_ID = re.compile(r'--gen_module_id_file --module_id_file_name "([^"]+)"')
DONE = {"device": "device.done", "host": "host.done"}  # files that tell, after a stop, how far it came


def working(folder: Path) -> str:
    """Which half was still at work in a script that was stopped in `folder`."""
    halves = [half for half, file in DONE.items() if not (folder / file).exists()]
    return f"{' and '.join(halves) or 'host'} code"


@attrs.frozen
class Phases:
    """Commands for a shell: `host` and `device` may run at once, `last` after both."""

    environment: tuple[tuple[str, str], ...]
    module_id_file: str
    host: tuple[str, ...]
    device: tuple[str, ...]
    last: tuple[str, ...]

    def script(self, module_id: str) -> str:
        """A shell script that runs them; it writes errors of the host half only where it failed, since the device
        half's are the same."""
        exports = "\n".join(f"export {k}={shlex.quote(v)}" for k, v in self.environment)
        return f"""{exports}
printf %s {module_id} > {shlex.quote(self.module_id_file)}
{{ {" && ".join(self.device)} && : > {DONE["device"]} ; }} > device.log 2>&1 &
device=$!
{{ {" && ".join(self.host)} && : > {DONE["host"]} ; }} > host.log 2>&1
if [ $? -ne 0 ]; then cat host.log; exit 1; fi
wait $device
code=$?
cat host.log device.log
[ $code -eq 0 ] || exit $code
{" && ".join(self.last)}
"""


def parse(dryrun: str) -> Phases | None:
    """The phases in the text of `nvcc --dryrun -c`, or None where it does not look as known."""
    lines = [line[3:].strip() for line in dryrun.splitlines() if line.startswith("#$ ")]
    assigned = [m for line in lines if (m := _ASSIGNMENT.match(line))]
    commands = [line for line in lines if not _ASSIGNMENT.match(line) and not line.startswith("rm ")]
    split = [i for i, c in enumerate(commands) if c.startswith("cudafe++ ")]
    binary = [i for i, c in enumerate(commands) if c.startswith("fatbinary ")]
    if (
        split != [1]
        or binary != [len(commands) - 2]
        or " -E " not in commands[0]
        or " -c " not in commands[-1]
    ):
        return None
    device = commands[2 : binary[0] + 1]
    module_id = _MODULE_ID.search(commands[1])
    if module_id is None or not all(_is_device_step(c) for c in device):
        return None
    return Phases(
        environment=tuple((m[1], m[2].strip()) for m in assigned if m[1] in _NEEDED),
        module_id_file=module_id[1],
        host=(commands[0], commands[1].replace(" --gen_module_id_file", "")),
        device=tuple(device),
        last=(commands[-1],),
    )


def _is_device_step(command: str) -> bool:
    return " -E " in command or command.startswith(('"$CICC_PATH/cicc"', "ptxas ", "fatbinary "))
