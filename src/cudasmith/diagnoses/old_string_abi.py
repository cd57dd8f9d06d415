"""DG410."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import undefined
from cudasmith.model import Candidate


class OldStringAbi(Diagnosis):
    """The extension calls a function of PyTorch with the old layout of std::string, and PyTorch has only the
    new.

    libstdc++ has two, told apart by _GLIBCXX_USE_CXX11_ABI. A flag -D_GLIBCXX_USE_CXX11_ABI=0, or an
    extension built for an older PyTorch, asks for the old; wheels since 2.6 are built with the new.

    Remove the flag and build again with the torch that is installed; take its own setting from
    torch.compiled_with_cxx11_abi().
    """

    code = "DG410"
    name = "old-string-abi"
    CASES = (
        Case("public_old_string_abi", says="old std::string"),
        Case("abi_mismatch", says="torchCheckFail"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        seen = undefined(log, candidate, "old string")
        if seen is None:
            return None
        return Hit(
            f"{seen.name} is asked for with the old std::string: the extension was built for another ABI than torch",
            seen.at,
            "remove -D_GLIBCXX_USE_CXX11_ABI=0 and build the extension again with the installed torch",
            span=None,
            notes=seen.notes,
        )
