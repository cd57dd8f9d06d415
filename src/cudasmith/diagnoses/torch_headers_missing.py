"""DG811."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine, missing_header


class TorchHeadersMissing(ToldLine):
    """The compiler does not find the headers of torch.

    load_inline names their folders to the compiler. Whoever calls nvcc or g++ by hand, or writes a build of their own, must do
    the same. A name that changed between versions of torch looks alike.

    Add the folders that torch.utils.cpp_extension.include_paths() lists with -I, or build with load_inline.
    """

    code = "DG811"
    name = "torch-headers-missing"
    hides = (
        "DG220",
        "DG221",
    )
    placed = True
    told = missing_header(r"(?:torch|ATen|c10|pybind11)/(?!cuda/impl/)[\w/.-]+")
    fact = "the compiler does not find {header}"
    remedy = "add the folders of torch.utils.cpp_extension.include_paths() with -I, or build with load_inline; check that this torch has {header}"
    CASES = (Case("torch_header_missing", says="torch/extension.h"),)
