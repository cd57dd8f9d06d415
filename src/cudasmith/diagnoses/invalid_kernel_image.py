"""DG638."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class InvalidKernelImage(CudaError):
    """The driver could not read the device code of the library at all.

    A file that was cut off while it was written, a mix of objects of two toolkits, or code of a newer
    major CUDA version than the driver has.

    Build again in an empty folder with the toolkit of torch.version.cuda.
    """

    code = "DG638"
    name = "invalid-kernel-image"
    names = ("cudaErrorInvalidKernelImage", "CUDA_ERROR_INVALID_IMAGE")
    text = "device kernel image is invalid"
    number = 200
    fact = "the device code in the library is broken or of a toolkit that the driver does not know"
    remedy = "remove the build folder and build again; use a toolkit not newer than the driver"
    CASES = (Case("public_invalid_kernel_image"),)  # the wording comes from public reports
