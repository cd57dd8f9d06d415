"""DG118."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class LoadInlineArgumentMissing(PythonError):
    """load_inline was called without an argument that it cannot do without.

    `name` and `cpp_sources` are required, the latter even when all code is in `cuda_sources`.

    Give `name="..."`, and `cpp_sources` with one declaration for each function that `functions=` names
    (`torch::Tensor relu(torch::Tensor x);`), or `cpp_sources=""` where PYBIND11_MODULE stands in the CUDA text.
    """

    code = "DG118"
    name = "load-inline-argument-missing"
    type = "TypeError"
    told = r"^load_inline\(\) missing \d+ required positional arguments?: (?P<names>.*)"
    fact = "load_inline was called without {names}"
    remedy = "give {names}; cpp_sources holds the declarations of the functions in `functions=`"
    CASES = (
        Case("cpp_sources_omitted", says="cpp_sources", line=3),
        Case("name_missing", says="name", line=4),
    )
