"""DG834."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class SharedLibraryMissing(ToldLine):
    """A library loads only together with another one, and that one is not found.

    The extension was linked to it by a flag, or another CUDA version made it: libcudart.so.12 is wanted where only 13 is
    installed. The linker found it in a folder that the loader does not search.

    Add the folder at link time: extra_ldflags=["-L/folder", "-lNAME", "-Wl,-rpath,/folder"], or put it on LD_LIBRARY_PATH. For
    a library of another CUDA version build again, with the present torch.
    """

    code = "DG834"
    name = "shared-library-missing"
    told = r"^(?:ImportError|OSError): (?P<library>lib(?!cuda\.so|c10|torch)[\w.+-]+\.so[\w.]*): cannot open shared object file"
    fact = "{library} is needed and not found"
    remedy = "add -Wl,-rpath,FOLDER with the folder of {library} to extra_ldflags, or rebuild for the libraries that are installed"
    CASES = (
        Case("public_cudart_missing"),
        Case("missing_dependency", says="librelu_kernels.so"),
    )
