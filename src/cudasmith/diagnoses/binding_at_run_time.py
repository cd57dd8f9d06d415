"""DG423."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import RaisedFamily, Saying


class BindingAtRunTime(RaisedFamily):
    """pybind11 refuses a binding when the module is imported, or a value when a bound function runs.

    The module block is a program that runs at import, line by line: a class must be bound before functions
    that take or return it as a default, a base class before its derived one, and each C++ type once in the
    whole process. A result is copied, moved or referred to by the policy that the binding names; a class
    without a bound constructor cannot be made from Python.

    Bring the lines of the block into that order, give each type one py::class_ (py::module_local() where
    several modules bind it), and name the policy and constructor: py::return_value_policy::reference,
    .def(py::init<>()).
    """

    code = "DG423"
    name = "binding-at-run-time"
    CASES = (
        Case("bind_type_twice", line=1),
        Case("bind_default_unknown", line=1),
        Case("bind_base_unknown", line=1),
        Case("bind_overload_value", line=1),
        Case("bind_keep_alive", line=3),
        Case("bind_copy_deleted", line=3),
        Case("bind_cast", line=3),
        Case("bind_enum_init", line=3),
        Case("bind_setattr", line=3),
    )
    SAYINGS = (
        Saying(
            ("generic_type: type `t` is already registered",),
            "the C++ type behind {t} is bound twice",
            'delete one py::class_, or write py::class_<T>(m, "name", py::module_local()) where another module binds it too',
        ),
        Saying(
            (
                "arg(): could not convert default argument `a` in function `f`",
                "arg(): could not convert default argument",
            ),
            "a default value of {f} is of a type that is not bound yet: {a}",
            "bind its class above this m.def, include pybind11/stl.h for containers, or write py::arg_v with a text",
        ),
        Saying(
            ("generic_type: type `t` referenced unknown base type `b`",),
            "the base class {b} of {t} is not bound",
            "bind {b} above {t}, or leave it out of py::class_<{t}>",
        ),
        Saying(
            (
                "generic_type: type `t` has a non-default holder",
                "generic_type: type `t` does not have a non-default holder",
                "generic_type: cannot initialize type `t`",
            ),
            "the class {t} cannot be bound as it is written",
            "give the class and its base the same holder, and a name that is free",
        ),
        Saying(
            (
                "Cannot overload existing non-function object `f`",
                "overloading a method with both static",
            ),
            "the name {f} is taken by something that is no function",
            "give the function another name in m.def",
        ),
        Saying(
            ("Could not activate keep_alive",),
            "py::keep_alive names an argument that cannot be kept",
            "0 is the result, 1 the first argument; both must be objects of bound classes",
        ),
        Saying(
            (
                "return_value_policy = copy, but type",
                "return_value_policy = move, but type",
                "Cannot use reference",
            ),
            "a result is copied or moved that cannot be",
            "name the policy in m.def: py::return_value_policy::reference, or return a std::unique_ptr",
        ),
        Saying(
            (
                "Unable to cast Python instance of type ... to C++ type `t`",
                "Unable to cast Python instance",
                "Unable to cast from non-held",
                "Unable to load a custom holder",
            ),
            "a Python value is cast to the C++ type {t} that it is not",
            "check the value's type before .cast<>(), or declare the parameter with that type",
        ),
        Saying(
            ("... No constructor defined",),
            "the class has no constructor that Python may call",
            "write .def(py::init<...>()) behind its py::class_",
        ),
        Saying(
            (
                "property of `t` object has no setter",
                "can't set attribute",
            ),
            "a read-only member is written to",
            "bind it with def_readwrite instead of def_readonly",
        ),
        Saying(
            (
                "arg(): cannot specify an unnamed argument",
                "Mismatched args() and kw_only",
                "implicitly_convertible: Unable to find type",
            ),
            "the words of a binding do not go together",
            "name every argument behind py::kw_only() with py::arg",
        ),
    )
