"""DG625."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class StreamCapture(CudaError):
    """A CUDA graph was being recorded, and a call was made that cannot be recorded.

    Not recordable: anything that waits (cudaDeviceSynchronize, .item(), .cpu()), plain cudaMalloc and
    cudaMemcpy, and a launch on the legacy default stream, which is what <<<grid, block>>> without a
    stream means. The graph is lost; error 901 at the end of the capture is its echo.

    Launch on at::cuda::getCurrentCUDAStream(), allocate with torch, take synchronisation out of the host
    function, and warm up once before the capture.
    """

    code = "DG625"
    name = "stream-capture"
    names = (
        "cudaErrorStreamCaptureUnsupported",
        "cudaErrorStreamCaptureImplicit",
        "cudaErrorStreamCaptureInvalidated",
        "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
    )
    text = "operation not permitted when stream is capturing"
    also = (
        "operation failed due to a previous error during capture",
        "operation would make the legacy stream depend on a capturing blocking stream",
    )
    number = 900
    fact = "a call was made that cannot be recorded into a CUDA graph"
    remedy = (
        "launch on at::cuda::getCurrentCUDAStream(), with no synchronisation, cudaMalloc or copy to the host in "
        "the host function"
    )
    CASES = (Case("public_stream_capture"),)  # the wording comes from public reports
