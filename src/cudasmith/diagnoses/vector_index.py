"""DG545."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class VectorIndex(RaisedError):
    """A checked access of a C++ container in the extension went past its end.

    std::vector::at throws where [] would read foreign memory; the exception reaches Python as
    IndexError.

    Compare the index with the length of the list that was passed.
    """

    code = "DG545"
    name = "vector-index"
    types = r"IndexError"
    pattern = r"^vector::_M_range_check: __n \(which is (?P<index>\d+)\) >= this->size\(\) \(which is (?P<size>\d+)\)"
    fact = "the C++ code took element {index} of a vector of {size}"
    remedy = "pass a list that is long enough, or mend the index in the C++ code"
    CASES = (Case("call_vector_at", says="element 5 of a vector of 2", line=5),)
