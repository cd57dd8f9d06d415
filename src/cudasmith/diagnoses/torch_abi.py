"""DG825."""

from __future__ import annotations

import re

from cudasmith.cuda.demangle import demangle
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SYMBOL = re.compile(
    r"undefined symbol: (?P<symbol>_ZN[KV]?(?:3c10|2at|5torch|5caffe2)\w+|_Z\w*(?:3c10|2at6Tensor|5torch)\w*Ss\w*)"
)
_OLD_STRING = re.compile(r"Ss|NSs|KSs")  # std::string before gcc 5, in a mangled name


class TorchAbi(Diagnosis):
    """The extension calls a function of torch that the loaded torch does not have in this form.

    It was compiled for another torch: an upgrade left an old library in the folder of extensions, whose path does not
    name the version, or a package was built in another environment. Or the flag _GLIBCXX_USE_CXX11_ABI was set by hand: then every function
    that takes a std::string gets another name.

    Delete the extension's folder and build again with the torch that runs it; leave the ABI flag to torch. A package is
    built in place with `pip install --no-build-isolation`.
    """

    code = "DG825"
    name = "torch-abi"
    hides = ("DG401",)
    CASES = (
        Case("public_old_string_abi"),
        Case("torch_symbol"),
        Case("public_other_torch"),
        Case("abi_mismatch", says="torchCheckFail"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_SYMBOL)
        if found is None:
            return None
        at, match = found
        symbol = match["symbol"]
        notes: tuple[str, ...] = (f"mangled: {symbol}",)
        if _OLD_STRING.search(symbol):
            notes += ("its std::string is the old one: it was compiled with -D_GLIBCXX_USE_CXX11_ABI=0",)
        return Hit(
            f"the loaded torch has no {demangle(symbol) or symbol}: the extension was built for another one",
            at,
            "delete the extension's folder and build it with this torch; set no -D_GLIBCXX_USE_CXX11_ABI flag",
            notes=notes,
        )
