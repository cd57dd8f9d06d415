"""DG844."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class PtxasOlder(ToldLine):
    """ptxas got a text of a later PTX version than it understands.

    nvcc's programs are of two versions: another ptxas stands first on PATH, or in the folder that was put together from packages. A
    .ptx file or an inline module may also come from a newer toolkit.

    Use the programs of one toolkit; take foreign bin folders off PATH.
    """

    code = "DG844"
    name = "ptxas-older-than-cicc"
    told = r"ptxas .*: Unsupported \.version (?P<asked>[\d.]+); current version is '(?P<known>[\d.]+)'"
    fact = "ptxas understands PTX up to {known} and got {asked}"
    remedy = "use nvcc and ptxas of one toolkit, at least as new as what made the PTX"
    CASES = (
        Case("ptxas_version"),
        Case("ptxas_older", says="9.9"),
    )
