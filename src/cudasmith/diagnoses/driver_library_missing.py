"""DG807."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class DriverLibraryMissing(ToldLine):
    """The program needs libcuda.so.1, the library of the NVIDIA driver, and the machine has none.

    That library comes with the driver, not with the toolkit. Machines without a GPU, and containers that were started without access to
    it, do not have it. Kernels made with torch.cuda._compile_kernel or through the driver API need it even to load.

    Run on a machine with a driver (containers: --gpus all). Building with load_inline works without it.
    """

    code = "DG807"
    name = "driver-library-missing"
    told = r"libcuda\.so(?:\.1)?: cannot open shared object file"
    fact = "the driver's library libcuda.so.1 is not on this machine"
    remedy = "run where `nvidia-smi` works (containers: --gpus all); a build alone does not need the driver"
    CASES = (
        Case("torch_compile_kernel_no_gpu"),
        Case("libcuda_missing"),
    )
