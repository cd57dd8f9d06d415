"""DG618."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class PeerAccess(CudaError):
    """One card may use the memory of another only where hardware and driver allow it.

    Consumer cards, cards behind different bridges and many virtual machines do not allow it. In an
    operator the reason is mostly a tensor on cuda:1 given to a kernel that runs on cuda:0.

    Check in the host function that all tensors have the same device. Where access between cards is
    wanted, ask cudaDeviceCanAccessPeer first and copy through the host otherwise.
    """

    code = "DG618"
    name = "peer-access"
    names = ("cudaErrorPeerAccessUnsupported", "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED")
    text = "peer access is not supported between these two devices"
    number = 217
    fact = "a GPU was to read the memory of another one, and the two cannot"
    remedy = (
        "keep every tensor of a launch on one device: move inputs with .to(x.device) and put "
        "c10::cuda::CUDAGuard guard(x.device()) first in the host function"
    )
    CASES = (Case("public_peer_access"),)  # the wording comes from public reports
