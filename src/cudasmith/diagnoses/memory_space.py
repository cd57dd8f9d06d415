"""DG290."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class MemorySpace(Family):
    """A variable has a memory space that does not fit the place where it is declared.

    `__constant__` and `__device__` variables live as long as the program and stand outside of functions.
    `__shared__` ones belong to a block and stand in kernels and `__device__` functions, without a start
    value. Parameters, members of structs and variables of host functions have no memory space: a pointer
    may point to any.

    Move `__constant__` and `__device__` variables to namespace scope. Drop the word from parameters and
    members: `float* s` is right for a pointer to shared memory.
    """

    code = "DG290"
    name = "memory-space"
    CASES = (
        Case("constant_in_kernel", says="__constant__", line=5),
        Case("global_and_device", says="exclude", line=4),
    )
    SAYINGS = (
        Saying(
            ("illegal combination of memory qualifiers",),
            "two words for memory or for the place of a function exclude each other",
            "keep one: __global__ stands alone; a variable is __shared__, __constant__ or __device__",
        ),
        Saying(
            ("memory qualifier on parameter is not allowed",),
            "a parameter has a memory space",
            "delete the word: pointers point into any memory",
        ),
        Saying(
            ("memory qualifier on data member",),
            "a member of a class has a memory space",
            "delete the word; the variable of that class gets it",
        ),
        Saying(
            (
                "~`space` variable declaration is not allowed inside a device function body",
                "an automatic `space` variable declaration is not allowed inside a device",
            ),
            "a {space} variable is declared in a kernel or __device__ function",
            "move it outside of every function; it keeps its name there",
        ),
        Saying(
            (
                "~`space` variable declaration is not allowed inside a host function body",
                "an automatic `space` variable declaration is not allowed inside a host",
            ),
            "a {space} variable is declared in a host function",
            "move __constant__ and __device__ outside of every function, __shared__ into the kernel",
        ),
        Saying(
            (
                "function-scope static variable within a __device__",
                "dynamic initialization is not supported for a function-scope static",
                "dynamic initialization is not supported for a",
            ),
            "a variable of the GPU has a start value that is computed at run time",
            "give it a constant, or set it in the kernel or with cudaMemcpyToSymbol",
        ),
        Saying(
            ("initializer not allowed for",),
            "a __shared__ variable has a start value",
            "let one thread write it, then __syncthreads()",
        ),
        Saying(
            (
                "__shared__ variables cannot have external linkage",
                "An inline __device__",
                "a ... variable(`v`) redeclared",
            ),
            "a variable of the GPU is declared twice with different words, or extern",
            "declare it once, with one memory space; only extern __shared__ arrays without a size are extern",
        ),
        Saying(
            (
                "a host ~`v` cannot be directly read in a device",
                "a host ~`v` cannot be directly written in a device",
                "address of a host ~`v` cannot",
            ),
            "{v} is a variable of the host and is used on the GPU",
            "pass it to the kernel as a parameter, or mark it constexpr or __constant__",
        ),
        Saying(
            (
                "a __shared__ ~`v` cannot",
                "a __constant__ ~`v` cannot",
                "a __device__ ~`v` cannot",
                "address of a __constant__ ~`v` cannot",
                "address of a __shared__ ~`v` cannot",
                "address of a __device__ ~`v` cannot",
            ),
            "{v} is a variable of the GPU and is used on the host",
            "read and write it with cudaMemcpyFromSymbol and cudaMemcpyToSymbol",
        ),
        Saying(
            (
                "cannot use thread_local specifier",
                "`v` and thread_local",
            ),
            "a variable of the GPU is thread_local",
            "plain local variables belong to one thread already",
        ),
        Saying(
            (
                "a __managed__ variable",
                "__managed__ variables",
            ),
            "a __managed__ variable is declared in a way that it cannot be",
            "no const, no reference, no other memory space; a tensor is simpler",
        ),
        Saying(
            (
                "cannot take address of builtin variable",
                "Variable type qualifier ... is not allowed in",
            ),
            "threadIdx and the like have no address",
            "copy the value into a variable",
        ),
    )
