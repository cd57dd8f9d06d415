"""DG245."""

from __future__ import annotations

from cudasmith.diagnoses._compile import detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class LdgWrongType(Diagnosis):
    """`__ldg` does not exist for that type.

    It loads built-in numbers and their vectors (float, float4, half2 and so on), no structs and no types of torch.

    Declare the pointer `const T* __restrict__` and read it plainly: the compiler uses the same load by itself. Or read the
    members of the struct one by one.
    """

    code = "DG245"
    name = "ldg-wrong-type"
    CASES = (Case("ldg_wrong_type", says="Pair", line=8),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, r'no instance of overloaded function "__ldg" matches')
        if found is None:
            return None
        said = found[0]
        types = detail(log, said, r"argument types are: \((?P<types>.*)\)")
        given = types["types"] if types else "this type"
        return hit_at(
            said,
            f"__ldg does not take ({given})",
            "declare the pointer const T* __restrict__ and read it plainly",
        )
