"""DG538."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class CannotPickleModule(RaisedError):
    """A model that holds a built module or its functions was copied or sent to another process.

    deepcopy, torch.save of the whole model, DataLoader workers with spawn, and DataParallel's copies
    take every attribute along; a module cannot be pickled.

    Keep the built module in a global variable, not in self; save state_dict() instead of the model.
    """

    code = "DG538"
    name = "cannot-pickle-module"
    types = r"TypeError"
    pattern = r"^cannot pickle '(?P<type>module|PyCapsule|builtin_function_or_method)' object"
    fact = "an object that is copied or saved holds a {type}, which cannot be pickled"
    remedy = "keep the built module in a global variable instead of self, or save state_dict() only"
    CASES = (Case("run_pickle_module", says="holds a module", line=14),)
