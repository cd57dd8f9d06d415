"""DG212."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import sound_errors
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import of_another_text, spot
from cudasmith.diagnoses._slips import slip, spoiled
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

# What a slip of syntax makes a compiler say; with other errors the text is not searched for one.
_SYNTAX = re.compile(
    r"expected|unrecognized token|.*is undefined$|.*not (?:allowed|expected)|.*lvalue|expression must|operand|a class or namespace"
    r"|invalid combination|this declaration|.*declaration|explicit type|label|.*storage|type name|stray|extended character"
    r"|.*(?:does not name|was not declared|has not been declared|internal linkage|no suffix|user-defined literal|array bound)"
    r"|.*(?:cannot be assigned|must be a|could not be|already been declared|template|too many|invalid)|else without"
)


class SlipOfSyntax(Diagnosis):
    """A word or sign in the text means something else in C++ than was meant, or a small sign is missing.

    `//` begins a comment and does not divide; `=` in a condition assigns; `[a, b]` is one index, not two; words like
    `new` and `default` cannot be names; a type's definition ends with `;`; a macro of several lines needs a backslash
    on each but the last. Forms of Python (`a if c else b`, slices, `# comments`) are read as broken C++. A compiler
    reports the place where it could no longer read on, which may be lines later, and says nothing of the reason.

    Correct what is named here first, and build again: further errors of the same text are mostly its consequences.
    """

    code = "DG212"
    name = "slip-of-syntax"
    proves = True
    hides = (
        *("DG201", "DG205", "DG208", "DG210", "DG211", "DG214", "DG215", "DG229", "DG240", "DG248", "DG250", "DG251"),
        *("DG254", "DG256", "DG257", "DG272", "DG277", "DG280", "DG281", "DG283", "DG284", "DG290", "DG295", "DG297", "DG298"),
    )  # fmt: skip
    CASES = (
        Case("field_in_brackets", says="{BLOCK} is a field that was never filled in", line=9),
        Case("field_launch", says="{BLOCK} is a field", line=7),
        Case("check_without_quotes", says="has no quotes: expected a 3-D tensor", line=15),
        Case("odd_comma_ends_statement", says=",", line=6),
        Case("odd_struct_before_inline", says="missing behind", line=10),
        Case("odd_tile_with_comma", says="two indices", line=8),
        Case("odd_if_ended_by_semicolon", says="ends the if", line=10),
        Case("odd_array_java", says="behind its name", line=6),
        Case("odd_colon_scope", says="one colon", line=7),
        Case("odd_extern_brackets", says="empty brackets", line=6),
        Case("odd_array_comma", says="two indices", line=6),
        Case("odd_macro_space", says="SQ", line=5),
        Case("odd_macro_backslash_two", says="LOAD", line=6),
        Case("odd_macro_backslash", says="CHECK", line=8),
        Case("odd_else_semicolon_twice", says="ends the if", line=6),
        Case("odd_semi_if", says="ends the if", line=6),
        Case("odd_stray_at", says="@", line=6),
        Case("odd_uni_cyrillic", says="U+0441", line=7),
        Case("odd_uni_zero_width", says="U+200B", line=6),
        Case("odd_jinja", says="never filled in", line=6),
        Case("odd_fstring_const", says="never filled in", line=5),
        Case("odd_py_slice", says="slice", line=6),
        Case("odd_py_if_colon", says="colon", line=7),
        Case("odd_py_comment_end", says="comment", line=6),
        Case("odd_py_ternary", says="choice", line=7),
        Case("odd_assign_cmp_expr", says="==", line=7),
        Case("odd_paren_extra", says="closes nothing", line=7),
        Case("odd_brace_extra", says="closes nothing", line=10),
        Case("odd_brace_open_missing_for", says="{", line=7),
        Case("odd_template_no_close", says="parameters of the template", line=5),
        Case("odd_semi_using", says="missing", line=5),
        Case("odd_class_semi", says="missing behind", line=9),
        Case("odd_keyword_param", says="default", line=5),
        Case("odd_floor_div_index", says="//", line=7),
        Case("odd_floor_div_if", says="//", line=7),
        Case("struct_without_semicolon", says="missing behind", line=5),
        Case("reserved_word_as_name", says='"new"', line=7),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        said = next(iter(sound_errors(log)), None)
        if said is None or said.moved or not _SYNTAX.match(said.text):
            return None
        if of_another_text(log, said.at, candidate):
            return None  # what stands there now was not what was built
        place = spot(log, said, candidate)
        found = slip(spoiled(log, said, place)) if place is not None else None
        if found is None or place is None:
            return None
        span = place.region.span(found.start, found.end)
        if span is None:
            return None
        fix = Fix(span, found.text) if found.text is not None else None
        return hit_at(said, found.message, found.help, span=span, fix=fix)
