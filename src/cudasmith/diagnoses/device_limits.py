"""DG292."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class DeviceLimits(Family):
    """Device code uses something of C++ or of the host compiler that the GPU does not have.

    Code for the GPU has no exceptions, no type information at run time, no long double, no coroutines, no
    thread_local and no vector extensions of GCC. Such types and operators are accepted in host functions
    only. Names of kernels, __device__ functions and __device__ variables are ASCII.

    Use what CUDA has instead: double for long double, float4 for vector extensions, assert or an error flag
    for exceptions.
    """

    code = "DG292"
    name = "device-limits"
    CASES = (
        Case("typeid_in_kernel", says="device code", line=6),
        Case("letters_of_kernel", says="outside of ASCII", line=4),
    )
    SAYINGS = (
        Saying(
            ("Universal character is not allowed in device",),
            "the name of a kernel, or of another thing that lies on the GPU, has letters outside of ASCII",
            "write its name with a-z, A-Z, 0-9 and _; parameters and local variables may have any letters",
        ),
        Saying(
            (
                "The operator `op` is not allowed in device code",
                "The operator",
                "device code does not support",
                "address of label extension",
                "operations on vector types are not supported",
            ),
            "this construct does not exist in device code",
            "compute it on the host, or write it in terms of plain types and loops",
        ),
        Saying(
            (
                "`t` ... is not supported in device code",
                "128-bit",
                "`t` is treated as",
                "alloca() is not supported",
                "Use of a virtual base",
                "zero-sized parameter",
                "zero-sized variable",
            ),
            "a type or function is used that device code does not have",
            "use a type of 8 to 64 bits, fixed arrays, and classes without virtual bases",
        ),
        Saying(
            ("execution space mismatch: overridden entity (~`a`)",),
            "{a} and the function that overrides it run on different processors",
            "mark both with the same of __host__ and __device__",
        ),
        Saying(
            (
                "atomic operations",
                "atomic CAS is valid",
                "atomic exchange is valid",
                "invalid memory order",
                "invalid thread scope",
                "first argument must be a pointer to integer",
                "synchronized operations are valid",
            ),
            "an atomic operation does not exist for these arguments",
            "check the type: 4 or 8 bytes as a rule, and pass a pointer that is not const",
        ),
        Saying(
            (
                "cannot use an entity undefined in device",
                "taking reference of texture",
                "cannot take address of texture",
                "a reference to texture",
                "indirection not allowed for accessing texture",
            ),
            "a texture or a host's entity is used in a way that device code cannot",
            "pass it to the kernel by value",
        ),
        Saying(
            (
                "calling a function pointer",
                "dynamic_cast",
                "this dynamic_cast cannot",
            ),
            "type information at run time does not exist in device code",
            "use templates or an enum instead",
        ),
    )
