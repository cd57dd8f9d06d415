"""DG826."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class LoadedBeforeTorch(ToldLine):
    """A library of a torch extension was loaded into a Python that has not imported torch.

    The extension uses functions of torch's own libraries, which come into the process with `import torch`. Without it,
    they are missing.

    Write `import torch` before the import of the extension.
    """

    code = "DG826"
    name = "loaded-before-torch"
    hides = ("DG401",)
    told = (
        r"undefined symbol: (?P<symbol>THP\w+|_ZN?K?\d*THP\w+)"
        r"|^ImportError: (?P<library>lib(?:c10|torch)\w*\.so): cannot open shared object file"
    )
    fact = "the extension needs torch in the process, and it was not imported: {symbol}{library} is missing"
    remedy = "write `import torch` before the extension is imported"
    CASES = (
        Case("import_before_torch"),
        Case("torch_libraries_not_loaded", says="libc10.so"),
        Case("torch_not_imported_first", says="THPVariableClass"),
    )
