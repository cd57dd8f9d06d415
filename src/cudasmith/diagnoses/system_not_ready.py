"""DG634."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class SystemNotReady(CudaError):
    """On machines with NVSwitch a service has to connect the cards before CUDA works.

    nvidia-fabricmanager is not installed, not running, or of another version than the driver. Containers
    on such hosts show the same error.

    `systemctl status nvidia-fabricmanager` on the host tells which.
    """

    code = "DG634"
    name = "system-not-ready"
    names = ("cudaErrorSystemNotReady", "CUDA_ERROR_SYSTEM_NOT_READY")
    text = "system not yet initialized"
    number = 802
    fact = "the machine's NVLink switches are not set up, so no GPU can be used"
    remedy = (
        "the administrator has to start nvidia-fabricmanager in the version of the driver; nothing in the "
        "file is wrong"
    )
    CASES = (Case("public_system_not_ready"),)  # the wording comes from public reports
