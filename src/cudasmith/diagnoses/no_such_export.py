"""DG514."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class NoSuchExport(RaisedError):
    """The built module has no function of that name.

    Only what m.def or `functions=` names is exported, under the name given there. A misspelt name, or a
    library built before the function was added, gives this error.

    Use the exported name, or add m.def("name", &name); if it is there already, delete the old build.
    """

    code = "DG514"
    name = "no-such-export"
    types = r"AttributeError"
    pattern = r"^module '(?!(?:torch|numpy|triton|builtins|sys|os|math|time|re)\b)(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'(?:\. Did you mean: '(?P<near>\w+)'\?)?"
    fact = "{module} exports no {name}"
    remedy = (
        'use an exported name (dir({module}) lists them), or add m.def("{name}", &{name}) and build again'
    )
    CASES = (
        Case("rt_wrong_attr", says="rt exports no forward"),
        Case("call_wrong_name", says="exports no forward", line=5),
        Case("call_near_name", says="exports no rowsum", line=5),
    )
