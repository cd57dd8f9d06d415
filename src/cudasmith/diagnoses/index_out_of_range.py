"""DG524."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class IndexOutOfRange(RaisedError):
    """An index is outside the tensor or table.

    Indices go from 0 to size - 1; token ids may exceed the embedding's rows.

    Check the largest index against the size, before the kernel: on the GPU the same error shows as a
    device assert.
    """

    code = "DG524"
    name = "index-out-of-range"
    types = r"IndexError"
    pattern = r"^(?:index (?P<index>-?\d+) is out of bounds for dimension (?P<dim>\d+) with size (?P<size>\d+)|index out of range in self)"
    fact = "an index {index} is out of range"
    remedy = "compare the index with the size of the dimension it indexes"
    CASES = (
        Case("run_index_bounds", says="7 is out of range", line=4),
        Case("run_index_bounds_list", says="7", line=4),
        Case("run_embedding_index", says="out of range", line=4),
    )
