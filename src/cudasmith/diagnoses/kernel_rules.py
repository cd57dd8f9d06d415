"""DG289."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class KernelRules(Family):
    """A kernel is declared in a way that CUDA does not allow.

    A kernel is launched through a table of the driver: it returns void, stands at namespace scope, and
    takes parameters that can be copied byte by byte to the GPU. References to what may move, parameter
    lists of open length, `constexpr`, exception specifications and friends do not go with that.
    `__launch_bounds__`, `__grid_constant__` and cluster sizes have rules of their own: they belong to
    kernels, and their numbers are constants.

    Declare a plain function `__global__ void name(const float* x, float* y, int n)` and pass what it needs
    by value. Put helpers that need more freedom into `__device__` functions that the kernel calls.
    """

    code = "DG289"
    name = "kernel-rules"
    CASES = (
        Case("grid_constant_pointer", says="__grid_constant__", line=4),
        Case("launch_bounds_at_device_function", says="belongs to kernels", line=4),
        Case("kernel_with_rvalue_reference", says="parameter", line=4),
        Case("kernel_constexpr", says="may not have", line=4),
        Case("redeclared_without_global", says="twice", line=5),
    )
    SAYINGS = (
        Saying(
            ("a __global__ function must not have a deduced return type",),
            "a kernel's return type is left open",
            "write void",
        ),
        Saying(
            (
                "a __global__ function cannot have a parameter with rvalue reference",
                "a __global__ function cannot have a parameter with __restrict__ qualified reference",
                "a __global__ function or function template cannot have a parameter with type std::initializer_list",
                "A __global__ function or function template cannot have a parameter with va_list",
            ),
            "a kernel has a parameter of a type that it cannot take",
            "pass values, pointers or small structs by value",
        ),
        Saying(
            (
                "A __global__ function or function template cannot be marked",
                "An exception specification is not allowed for a __global__",
                "A __global__ function or function template cannot be defined in a friend",
                "An operator function cannot be a __global__",
                "A __global__ function or function template cannot be declared within",
                "a function main cannot",
                "function main cannot be marked",
            ),
            "a kernel carries a word that kernels may not have",
            "leave out constexpr, noexcept, friend or operator; make it a plain function __global__ void name(...)",
        ),
        Saying(
            (
                "Pack template parameter must be the last",
                "Multiple pack parameters",
            ),
            "the template parameters of a variadic kernel stand in the wrong order",
            "one pack, and at the end",
        ),
        Saying(
            (
                "a __global__ function(~`f`) redeclared",
                "a __device__ function(~`f`) redeclared",
                "a __host__ function(~`f`) redeclared",
                "a __host__ __device__ function(~`f`) redeclared",
            ),
            "{f} is declared twice, with different words of __global__, __device__ and __host__",
            "write the same words in both declarations",
        ),
        Saying(
            (
                "__launch_bounds__ is only allowed",
                "... is only allowed on a __global__ function",
                "... is only allowed on a non-member function",
                "__grid_constant__ annotation is only",
                "__cluster_dims__ is only",
                "__block_size__ is only",
                "__maxnreg__ is only",
                "__nv_register_params__ is not allowed",
            ),
            "this word belongs to kernels, and stands at something else",
            "move it to the kernel (__grid_constant__: to a parameter of the kernel), or delete it",
        ),
        Saying(
            (
                "incorrect value for launch bounds",
                "__launch_bounds__ arguments must",
                "__cluster_dims__ arguments must",
                "cluster dimension value is too large",
                "max blocks per cluster",
                "total number of blocks in cluster",
                "The maximum number of registers",
                "block size value is too large",
                "cannot specify max blocks per cluster",
                "__cluster_dims__ is not supported",
            ),
            "a number of __launch_bounds__, __cluster_dims__ or __maxnreg__ is not possible",
            "at most 1024 threads a block and 8 blocks a cluster, positive constants; clusters need sm_90",
        ),
        Saying(
            (
                "a parameter annotated with __grid_constant__",
                "incompatible __grid_constant__",
                "__grid_constant__ annotation is only allowed for",
            ),
            "a __grid_constant__ parameter is not const, is a reference, or differs between declarations",
            "write const __grid_constant__ T p with a struct T that is passed by value; a pointer needs none of it",
        ),
        Saying(
            (
                "The ... qualifiers cannot be applied to the same kernel",
                "Multiple ... specifiers are not allowed",
                '"__inline_hint__" and',
            ),
            "two words at one function exclude each other",
            "delete one of them",
        ),
        Saying(
            (
                "A type local to a function",
                "A type defined inside a __host__ function",
                "An unnamed type",
                "A type that is defined inside a class and has private",
                "A template that is defined inside a class and has private",
                "A non-type template argument of a",
                "a local type",
            ),
            "a kernel's template argument is a type that is local to a function, private or without a name",
            "move that type to namespace scope and make it public",
        ),
        Saying(
            (
                "An extended ... lambda",
                "The enclosing parent function (`f`) for an extended",
                "An extended",
                "The ... specifier is not allowed for an extended",
                "A type that is a private or protected class member",
                "A template that is a private or protected class member",
                "__host__ __device__ extended lambdas",
                "init-captures are not allowed for extended",
                "If an extended",
                "For this host platform/dialect, an extended lambda",
                "The operator() function for a lambda",
                "Unless enabled by language dialect, *this",
            ),
            "a __device__ lambda stands or captures in a way that CUDA does not allow",
            "capture by value, write it in a named public function that is no lambda itself; or use a struct with a __device__ operator()",
        ),
        Saying(
            (
                "calling a __device__ function",
                "calling a __host__ function(...) from a __host__ __device__",
                "calling a __host__ function from a __host__ __device__",
                "calling a constexpr __host__ function",
                "calling a constexpr __device__ function",
            ),
            "a function calls one that exists on the other processor only",
            "mark the called function __host__ __device__, or pass --expt-relaxed-constexpr where it is constexpr",
        ),
        Saying(
            (
                "kernel launch from __device__",
                "device-side kernel launch could not",
                "cannot pass an argument with a user-provided",
            ),
            "a kernel is launched from a kernel",
            "call a __device__ function instead, or launch both kernels from the host, one after the other",
        ),
    )
