"""What a rule cannot follow is said to be undecided, never passed over."""

from __future__ import annotations

import pytest

from cudasmith.model import Candidate
from cudasmith.model.undecided import Undecided
from cudasmith.rules._cases import edit
from cudasmith.rules._rule import all_rules
from cudasmith.rules._subject import subject
from cudasmith.source.filemodel import parse_file

_RETURN = "        return Scale.apply(self.ext, x, self.by)\n"
CASES = [
    ("CS502", edit((_RETURN, "        y = getattr(torch, self.op)(x)  # HERE\n" + _RETURN))),
    ("CS502", edit((_RETURN, "        f = getattr(x, self.op)\n        y = f()  # HERE\n" + _RETURN))),
    ("CS502", edit((_RETURN, '        y = vars(torch)["relu"](x)  # HERE\n' + _RETURN))),
]


@pytest.mark.parametrize(("code", "text"), CASES)
def test_what_is_not_followed_is_undecided_on_its_line(code: str, text: str) -> None:
    rule = next(r for r in all_rules() if r.code == code)
    found = list(rule.check(subject(parse_file(Candidate(text)), "strict")))
    here = [i for i, line in enumerate(text.split("\n"), 1) if "HERE" in line]
    assert [v.span.line for v in found if isinstance(v, Undecided) and v.span] == here
