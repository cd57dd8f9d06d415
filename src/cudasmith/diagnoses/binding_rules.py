"""DG420."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying


class BindingRules(Family):
    """A line of the module block gives pybind11 something that it cannot bind.

    `m.def("name", &function, py::arg("a"), "text")` takes a name, the address of one function, and then
    only arguments' names, a text, and other words of pybind11. The function is named, not called. Of an
    overloaded function one must be chosen, with py::overload_cast. Every argument and result needs a
    conversion: numbers, text, tensors (torch/extension.h), containers (pybind11/stl.h), and classes bound
    with py::class_.

    Write `&function` without brackets; include pybind11/stl.h for std::vector and std::optional; bind
    classes before the functions that take them.
    """

    code = "DG420"
    name = "binding-rules"
    home = False
    general = False
    header = r"pybind11/|torch/|cudasmith/"
    CASES = (
        Case("bound_call", says="no function", line=8),
        Case("bound_init_other_type", says="const char*", line=8),
    )
    SAYINGS = (
        Saying(
            (
                "`op` is not a member of `t`",
                "no type named `op` in",
                "no member named `op` in",
            ),
            "what is bound here is no function",
            "give the function's address, &name, and do not call it",
        ),
        Saying(
            (
                "invalid conversion from `a` to `b`",
                "cannot convert `a` to `b`",
                "cannot convert `v` from type `a` to type `b`",
                "could not convert `v` from `a` to `b`",
            ),
            "the line gives pybind11 a {a} where a {b} is needed",
            "compare the constructor or function that is bound with the types named in this line, such as py::init<...>",
        ),
        Saying(
            (
                "no matching function for call to `f`",
                "no match for",
            ),
            "no function of a library takes what this line gives it: {f}",
            "compare the arguments of this line with the library's documentation: number, order, and &function for functions",
        ),
        Saying(
            ("use of deleted function `f`",),
            "this line makes a library use what does not exist: {f}",
            "objects that cannot be copied are returned by std::unique_ptr, or with py::return_value_policy::reference",
        ),
        Saying(
            (
                "incomplete type `t` used",
                "invalid use of incomplete type `t`",
                "invalid application of",
            ),
            "this line gives a library a type that is only announced: {t}",
            "include the header that defines it",
        ),
    )
