"""DG280."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying
from cudasmith.diagnoses._log import Log, Said
from cudasmith.diagnoses._place import end_before
from cudasmith.model import Candidate
from cudasmith.model.finding import Span

_NOTICED_LATE = re.compile(
    r"expected (?:a declaration|initializer|.* or .* before|a \":\"|a \"\{\"|\"while\")"
)  # extended


class UnexpectedText(Family):
    """The compiler reads text that cannot begin or continue anything at its place.

    Grammar says what may follow: outside functions only declarations, in an expression only values and
    operators, behind a type a name. The compiler names what it would have taken and stops at the first word
    that is none of it. That word is often right, and something before it is missing or too much: a `;`, a
    brace, a type, a comma.

    Look at the word at the caret and at the end of the line before. If statements stand outside of every
    function, a `}` above closed the function too early. A word of the language (`new`, `class`, `register`,
    `default`) cannot be a name: rename it.
    """

    header = r"cudasmith/|torch/|pybind11/"
    code = "DG280"
    name = "unexpected-text"
    CASES = (
        Case("statement_outside_function", says="outside of every function", line=8),
        Case("ternary_without_colon", says=": is missing", line=6),
        Case("gxx_declaration_unfinished", says="not finished", line=4),
    )
    SAYINGS = (
        Saying(
            (
                "expected a declaration",
                "this declaration has no storage class or type specifier",
                "expected declaration before `tok`",
                "expected unqualified-id before `tok` token",
                "expected unqualified-id before",
            ),
            "{at} stands outside of every function, where only declarations may stand",
            "if it belongs to the function above, that one was closed too early: delete a }} above; else write what the declaration lacks, such as its type",
        ),
        Saying(
            (
                "expected an identifier",
                "expected identifier before",
                "expected unqualified-id before `kind` `word`",
            ),
            "a name is expected, and {at} is none",
            "a word of the language cannot be a name: rename it; otherwise write the name, and look for a comma or bracket too many",
        ),
        Saying(
            (
                "expected initializer before `tok`",
                "expected `a`, `b`, `c`, `d` or `e` before `tok`",
                "expected `a`, `b`, `c` or `d` before `tok`",
                "expected `a`, `b` or `c` before",
            ),
            "the declaration before {at} is not finished",
            "write the ; or the = that is missing before it",
        ),
        Saying(
            (
                'expected a ":"',
                "expected «:» before",
            ),
            "a : is missing before {at}",
            "a ? b : c needs both values; case and default labels end in a colon",
        ),
        Saying(
            (
                'expected a "{"',
                'expected a "(" or a "{"',
                "expected «{» before",
            ),
            "an opening bracket is missing before {at}",
            "write the bracket that the construct needs: the body of a function, class or lambda stands in braces",
        ),
        Saying(
            (
                'expected a "<"',
                'expected a "," or ">"',
                "expected «>» before",
            ),
            "a list in angle brackets is not finished before {at}",
            "template <typename T, int N> and name<T, N> need every type, comma and bracket",
        ),
        Saying(
            (
                "expected a type specifier",
                "expected type-specifier",
                "expected class-name before",
                "expected nested-name-specifier",
                "expected template-parameter",
                "expected a type name",
                "expected an identifier or",
            ),
            "a type is expected before {at}",
            "write the type; new, casts and sizeof need one",
        ),
        Saying(
            (
                "expected a member name",
                "expected a field name",
            ),
            "behind . or -> the name of a member is expected",
            "write the member's name",
        ),
        Saying(
            (
                'expected "while"',
                'expected a "while"',
            ),
            "a do {{ ... }} has no while behind it",
            "write while (condition); behind the closing brace",
        ),
        Saying(
            (
                'expected a "["',
                'expected an "="',
                "expected a string literal",
                "expected an integer constant",
                "expected an operator",
                "expected `a` or `b` before",
                'expected a ","',
            ),
            "something is missing before {at}",
            "compare the line with a correct one of its kind; the text before the caret was understood",
        ),
        Saying(
            (
                "expected constructor, destructor, or type conversion",
                "expected asm-qualifier",
                "expected class-key",
                "expected catch clause",
            ),
            "the text before {at} is no declaration",
            "statements stand inside functions; a declaration begins with its type",
        ),
        Saying(
            (
                "invalid hexadecimal number",
                "invalid octal digit",
                "invalid binary number",
                "integer constant is too large",
                "invalid floating constant",
                "extra text after expected end of number",
                "floating constant is out of range",
                "invalid digit `d` in octal",
                "unable to find numeric literal operator `o`",
                "invalid suffix `s` on",
                "too many decimal points",
                "exponent has no digits",
                "hexadecimal floating constant",
                "invalid suffix on integral",
            ),
            "a number is written wrongly",
            "write 2.f or 2.0f, 1e-5f, 0xff, 100000LL; a leading 0 makes an octal number",
        ),
        Saying(
            (
                "too many characters in character constant",
                "quoted string should contain at least",
                "empty character constant",
                "character constant too long",
            ),
            "single quotes hold one character",
            "write a text in double quotes",
        ),
    )

    def place(self, log: Log, said: Said, words: dict[str, str], candidate: Candidate | None) -> Span | None:
        """The end of the line before, for what is missing there; the brace that closed the function too early."""
        before = end_before(log, said, candidate)
        if before is None or not _NOTICED_LATE.match(said.text):
            return None
        region, end = before
        return region.span(end - 1, end)
