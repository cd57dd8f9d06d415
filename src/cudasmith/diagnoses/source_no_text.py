"""DG137."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class SourceNoText(PythonError):
    """One of the sources given to load_inline is no text.

    The list was meant to hold strings and holds a number, None, a Path or another list.

    Give texts only; `Path.read_text()` makes one of a file.
    """

    code = "DG137"
    name = "source-no-text"
    type = "TypeError"
    told = r"^sequence item (?P<number>\d+): expected str instance, (?P<kind>\w+) found"
    within = "_maybe_write"
    fact = "a source of load_inline is of type {kind}, not a text"
    remedy = "give cpp_sources and cuda_sources as texts; read files with Path(...).read_text()"
    CASES = (Case("source_of_int", says="int", line=15),)
