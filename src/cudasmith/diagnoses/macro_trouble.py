"""DG282."""

from __future__ import annotations

from cudasmith.cuda.tokens import Token, tokenize
from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import Family, Saying
from cudasmith.diagnoses._log import Log, Said
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import parse_file


class MacroTrouble(Family):
    """The preprocessor cannot expand or define a macro as it is written.

    A macro's call ends at its closing bracket; where that is missing, everything to the end of the file is
    taken for arguments. A definition takes one line, or several that end in a backslash with nothing behind
    it. `#` and `##` need what they work on.

    Close the call's bracket: AT_DISPATCH_...(type, "name", [&] { ... }); ends in `});`. For a definition,
    repair what the message names, or write an inline function instead of a macro.
    """

    code = "DG282"
    name = "macro-trouble"
    CASES = (
        Case("macro_redefined", says="condition of an #if", line=6),
        Case("define_with_hashes", says="#define", line=5),
    )
    SAYINGS = (
        Saying(
            (
                "unterminated argument list invoking macro `macro`",
                "improperly terminated macro invocation",
                "unterminated macro `macro`",
            ),
            "the call of the macro {macro} is never closed",
            "write the ) that closes it; a lambda in its arguments ends in }});",
        ),
        Saying(
            (
                "incompatible redefinition of macro `macro`",
                "`macro` redefined",
            ),
            "the macro {macro} is defined twice, with different texts",
            "delete one, or #undef {macro} between them",
        ),
        Saying(
            (
                '"##" may not',
                "`op` cannot appear at either end",
                "`op` is not followed by a macro parameter",
                "expected a macro parameter name",
                "duplicate macro parameter",
                "expected parameter name",
                "missing closing parenthesis in macro",
                "missing `paren` in macro parameter",
                "macro parameters must be comma-separated",
                "expected `comma` or `paren`",
            ),
            "a #define is written wrongly",
            "#define NAME(a, b) text: names between commas, ## only between two words, # only before a parameter",
        ),
        Saying(
            (
                "extra text after expected end of preprocessing",
                "extra tokens at end of #",
            ),
            "a line with # goes on behind its end",
            "delete the rest of the line, or make it a // comment",
        ),
        Saying(
            (
                "directive is not allowed -- an #else",
                "#else after #else",
                "#elif after #else",
            ),
            "an #if has two #else",
            "delete one; #elif comes before #else",
        ),
        Saying(
            (
                "missing binary operator before token",
                "operator `op` has no",
                "missing `paren` in expression",
                "this operator is not allowed in a preprocessing expression",
                "expected value in expression",
                "#if with no expression",
                "missing expression between",
                "token `tok` is not valid in preprocessor",
                "floating constant in preprocessor",
            ),
            "the condition of an #if cannot be computed",
            "it takes whole numbers, defined(NAME) and operators; names that are no macros count as 0",
        ),
        Saying(
            (
                "the #pragma unroll must precede a loop",
                "the #pragma nvopt must precede",
            ),
            "#pragma unroll stands before something that is no loop",
            "put it on the line directly before for, while or do",
        ),
        Saying(
            (
                "invalid preprocessing directive",
                "unrecognized preprocessing directive",
            ),
            "this line begins with # and is no directive",
            "comments begin with //",
        ),
        Saying(
            (
                "macro names must be identifiers",
                "no macro name given",
                "invalid macro definition",
            ),
            "a macro's name is missing or is no name",
            "#define NAME text; a flag defines with -DNAME=text",
        ),
        Saying(
            (
                "the #if for this directive is missing",
                "the #endif for this directive is missing",
                "unterminated #",
                "#else without #if",
                "#endif without #if",
                "#elif without #if",
            ),
            "an #if and its #endif do not belong together",
            "each #if, #ifdef and #ifndef has one #endif",
        ),
        Saying(
            (
                "too few arguments in invocation of",
                "too many arguments in invocation of",
                "macro `macro` requires",
                "macro `macro` passed",
            ),
            "a macro is given too few or too many arguments",
            "compare them with its #define; a comma outside of ( ) separates arguments, also that of a<b, c>",
        ),
    )

    def place(self, log: Log, said: Said, words: dict[str, str], candidate: Candidate | None) -> Span | None:
        """The call of the macro that is never closed: it is noticed only where the file ends."""
        builds = parse_file(candidate).builds if candidate is not None and "macro" in words else ()
        for region in (r for build in builds for r in build.regions()):
            tokens = tokenize(region.text)
            for i, token in enumerate(tokens[:-1]):
                if token.text == words["macro"] and tokens[i + 1].text == "(" and _open(tokens, i + 1):
                    return region.span(token.start, token.end)
        return None


def _open(tokens: list[Token], bracket: int) -> bool:
    """Whether only a bracket of the same kind is counted and the one here stays open."""
    depth = 0
    for token in tokens[bracket:]:
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            return False
    return True
