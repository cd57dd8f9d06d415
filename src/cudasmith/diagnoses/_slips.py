"""Slips of syntax that the text itself shows, whatever the compiler made of them."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator

import attrs

from cudasmith.cuda.tokens import Token, tokenize
from cudasmith.diagnoses._braces import brace_fault
from cudasmith.diagnoses._compile import at_caret
from cudasmith.diagnoses._log import Log, Said
from cudasmith.diagnoses._place import Spot

_TYPE = (
    r"(?:int|float|double|bool|char|long|short|unsigned|size_t|auto|u?int(?:8|16|32|64)_t|scalar_t|T|half|__half|dim3"
    r"|float[234]|int[234]|(?:torch|at)::Tensor)"
)
_KEYWORDS = (
    "new|delete|default|this|class|operator|template|union|switch|case|private|public|protected|friend|namespace|goto|"
    "export|typename|using|mutable|explicit|virtual|throw|try|catch|do|for|if|else|while|return|break|continue|struct|"
    "enum|extern|sizeof|asm|typeid|inline|true|false|nullptr|and|or|not|xor|const_cast|static_cast|concept|requires"
)
_NAMED = re.compile(
    rf"(?<![\w.]){_TYPE}\s*(?:const\s*)?[*&]*\s*(?:__restrict__\s+|const\s+)?\b(?P<word>{_KEYWORDS})\s*(?=[,;)\[]|=(?![=(]))"
)
_FLOOR = re.compile(r"(?<=[\w)\]])\s*(?P<at>//)\s*(?:\w+|\([^()]*\))\s*(?:[;)\]{,*+<>-])")
_PAIR = re.compile(r"(?P<name>\b(?!auto\b|delete\b|return\b)\w+)\s*\[(?P<inner>[^\[\]]*)\]")
_SAYS = re.compile(
    r"\b(?P<name>TORCH_CHECK\w*|TORCH_INTERNAL_ASSERT|TORCH_WARN\w*|AT_ASSERTM|AT_ERROR|printf|std::\w+_(?:error|argument))\s*\("
)
_BESIDE = frozenset(
    [
        "and",
        "or",
        "not",
        "xor",
        "new",
        "sizeof",
        "const",
        "unsigned",
        "signed",
        "long",
        "int",
        "short",
        "char",
        "throw",
        "delete",
        "struct",
    ]
)
_STARTERS = {
    "__global__",
    "__device__",
    "__host__",
    "template",
    "struct",
    "class",
    "typedef",
    "using",
    "namespace",
    "static",
}
_QUALIFIERS = {
    "extern",
    "static",
    "inline",
    "constexpr",
    "__global__",
    "__device__",
    "__host__",
    "__forceinline__",
    "const",
}
_NEXT = 200  # characters behind the line in error that are read to the next declaration
_DECLARES = re.compile(
    r"(?:using|typedef|namespace|const|constexpr|static|extern|__constant__|__device__|\w+\s+\w+\s*[=;])"
)
_LOOK_ALIKE = dict(zip("аеорсухіјѕАВЕКМНОРСТХ", "aeopcyxijsABEKMHOPCTX", strict=True))
_ASCII = {"；": ";", "，": ",", "（": "(", "）": ")", "：": ":", "＝": "=", "＋": "+", "｛": "{", "｝": "}", "＜": "<", "＞": ">",
          "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "\u2060": "", "\u00a0": " ", "\u3000": " ", "\u202f": " "}  # fmt: skip


@attrs.frozen
class Slip:
    """What is wrong between two offsets of the text, what to do, and what to write there, if that is certain."""

    message: str
    help: str
    start: int
    end: int
    text: str | None = None


@attrs.frozen
class Spoiled:
    """A text that a compiler refused. `start` to `end`: its first line in error. `at`: the caret, or the line's start."""

    text: str
    start: int
    end: int
    at: int
    said: str
    word: str  # at the caret

    @property
    def line(self) -> str:
        return self.text[self.start : self.end]

    def lines(self) -> Iterator[tuple[int, str]]:
        """The line in error, and the line of code before it, each with its offset."""
        yield self.start, self.line
        before = self.text[: self.start].rstrip()
        start = before.rfind("\n") + 1
        if before[start:].strip():
            yield start, before[start:]


def spoiled(log: Log, said: Said, place: Spot) -> Spoiled:
    """The text around an error, as the search for slips wants it."""
    at = place.caret if place.caret is not None else place.start
    word = re.match(r"\w+", place.region.text[at:] if place.caret is not None else at_caret(log, said))
    return Spoiled(place.region.text, place.start, place.end, at, said.text, word[0] if word else "")


def slip(s: Spoiled) -> Slip | None:
    """The slip that explains an error, the most certain kind first."""
    return next((found for look in _LOOKS if (found := look(s)) is not None), None)


def _division(s: Spoiled) -> Slip | None:
    for start, line in s.lines():
        m = _FLOOR.search(line)
        if m and not re.search(r"[;{}]\s*$", line[: m.start("at")]) and not _in_string(line, m.start("at")):
            at = start + m.start("at")
            return Slip(
                "// begins a comment in C++: the line ends before it",
                "write / : the division of whole numbers rounds towards zero already",
                at,
                at + 2,
                "/",
            )
    return None


def _keyword(s: Spoiled) -> Slip | None:
    if (m := _NAMED.search(_bare(s.line))) is None:
        return None
    word, at = m["word"], s.start + m.start("word")
    help = f"give it another name, such as {word}_, here and wherever it is used"
    return Slip(f'"{word}" is a word of C++ and cannot be a name', help, at, at + len(word))


def _comma_index(s: Spoiled) -> Slip | None:
    """`tile[32, 33]`: on the line itself, or where the variable at the caret is declared."""
    declared = rf"\b{re.escape(s.word)}\s*\[[^\[\];]*,[^\[\];]*\]" if s.word else r"(?!)"
    above = list(re.finditer(declared, s.text[: s.start]))
    first = above[-1].start() if above and "pointer" in s.said else s.start
    text = s.text[first : s.end].partition("\n")[0]
    for m in _PAIR.finditer(_bare(text)):
        cut = _top_comma(m["inner"])
        if cut is None or not m["inner"].strip():
            continue
        at = first + m.start("inner") + cut
        shown = re.sub(r"\s+", " ", s.text[first + m.start() : first + m.end()])
        blank = len(m["inner"][cut + 1 :]) - len(m["inner"][cut + 1 :].lstrip())
        help = "write each index in brackets of its own: [a][b]"
        return Slip(f"{shown}: a comma in brackets does not make two indices", help, at, at + 1 + blank, "][")
    return None


def _shared_without_brackets(s: Spoiled) -> Slip | None:
    m = (
        re.search(rf"extern\s+__shared__\s+[\w ]+?\b(?P<name>{re.escape(s.word)})\s*;", s.text)
        if s.word
        else None
    )
    if m is None or "pointer" not in s.said:
        return None
    message = f"{s.word} is declared as one value: an extern __shared__ array has empty brackets"
    return Slip(message, f"write {s.word}[]", *m.span("name"), f"{s.word}[]")


def _assignment(s: Spoiled) -> Slip | None:
    if not re.search("lvalue|assign|modifiable", s.said):
        return None
    m = re.search(r"\b(?:if|while)\s*(?P<condition>\(.*)", s.line)
    condition = _bracketed(m["condition"]) if m else ""
    sign = re.search(r"(?<![=!<>+\-*/%&|^])=(?!=)", condition)
    if m is None or sign is None:
        return None
    at = s.start + m.start("condition") + sign.start()
    return Slip("= assigns: a comparison is written ==", "write ==", at, at + 1, "==")


_PYTHON: tuple[tuple[str, str, str], ...] = (  # pattern with a group "at", what it is, what to write
    (r"\b(?P<at>torch\.(?:float(?:16|32|64)?|double|half|bfloat16|int(?:8|16|32|64)?|long|bool|uint8))\b(?!\s*\()",
     "{at} is the name of a dtype in Python", "write the one of C++: torch::kFloat32, torch::kHalf, torch::kInt64, ..."),
    (r",\s*(?P<at>(?:dtype|device|dim|keepdim|requires_grad)\s*=)(?!=)", "{at} names an argument as Python does: C++ has no such arguments",
     "give the value at its place; dtype and device belong into x.options() or torch::dtype(...).device(...)"),
    (r"=\s*(?P<at>[^=;]+\sif\s.+\selse\s[^;]+)", "a choice of Python's kind", "write condition ? a : b"),
    (r"\b(?P<at>AND|OR|NOT)\b", "{at} is no word of C++", "write && for AND, || for OR, ! for NOT"),
    (r"[(&|]\s*[\w.\[\]]+\s+(?P<at>is(?: not)?)\s+\w", "{at} is no word of C++", "write == or !="),
    (r"^\s*(?:if|while|for)\s*\(.*\)(?P<at>\s*:)\s*$|^\s*else(?P<at2>\s*:)\s*$", "a block of C++ does not begin with a colon",
     "put the statements in { ... } and drop the colon"),
    (r"[;{})]\s*(?P<at>#(?!#).*)$", "# begins no comment in C++", "comments begin with // in CUDA C++"),
    (r'(?P<at>""")', "a docstring of Python stands in the code", "write it as a comment: // ..."),
    (r"\w\s*(?P<at>:=)", ":= is no operator of C++", "write = , with the type before the name"),
    (r"\w\s*(?P<at>\[[^\[\]:?]*(?<!:):(?!:)[^\[\]:?]*\])", "{at} is a slice of Python's kind",
     "C++ has none: use a pointer to its begin, p + start, and a length"),
    (r"=\s*(?P<at>\[[^\[\]&=]*\])\s*;", "{at} is a list of Python's kind", "declare an array: float a[] = {...};"),
    (r"\b(?P<at>elseif|elsif)\b", "{at} is no word of C++", "write else if"),
    (r"\)\s*(?P<at>then)\b", "then is no word of C++", "delete it: if (...) { ... }"),
    (r"\belse\s*(?P<at>\([^;]*\))\s*\{", "an else has no condition", "write else if (...)"),
    (r"\b(?P<at>(?:std|torch|at|cg|wmma)(?<!:):)(?!:)\w+", "one colon stands where two belong: {at}", "write ::"),
    (rf"(?<![\w.]){_TYPE}\s*(?P<at>\[\w*\])\s+\w+\s*[;=]", "the brackets of an array stand behind its name, not behind the type",
     "write float a[16];"),
    (r"(?<![\w)])(?P<at>\{\{\s*\w+\s*\}\}|\$\{?\w+\}?|%\(\w+\)[sdif])", "{at} is a field that was never filled in",
     "fill it in before load_inline gets the text: an f-string, .replace(...) or a -D flag"),
    (r"(?<=[=(*+/,<-])\s*(?P<at>\{\s*[A-Za-z_]\w*\s*\})\s*[*+/-]", "{at} is a field that was never filled in: the string is no f-string",
     "fill it in with .replace(...), an f-string or a -D flag"),
)  # fmt: skip


def _python(s: Spoiled) -> Slip | None:
    for start, line in s.lines():
        code = line.partition("//")[0]
        if start != s.start and not code.rstrip().endswith(":"):
            continue  # of the line before only a colon at its end is noticed late
        for pattern, message, help in _PYTHON:
            m = re.search(pattern, code)
            if m is None:
                continue
            group = "at" if m["at"] is not None else "at2"
            if _in_string(code, m.start(group)) or re.search(
                rf"#\s*define\s+{re.escape(m[group])}\b", s.text
            ):
                continue
            at = start + m.start(group)
            shown = m[group].strip()
            return Slip(message.replace("{at}", shown), help, at, at + len(m[group]))
    return None


def _field_of_macro(s: Spoiled) -> Slip | None:
    for word in set(re.findall(r"[A-Za-z_]\w*", s.line)):
        m = re.search(
            rf"^[ \t]*#\s*define\s+{word}\s+(?P<field>\{{\s*\w+\s*\}}|\$\{{?\w+\}}?)\s*$",
            s.text,
            re.MULTILINE,
        )
        if m:
            message = f"{m['field']} is a field that was never filled in: the string is no f-string"
            return Slip(message, "fill it in with .replace(...), an f-string or a -D flag", *m.span("field"))
    return None


def _field(s: Spoiled) -> Slip | None:
    """`[{BLOCK}]`, `= {BLOCK};`: a name that stands nowhere in the text but between braces."""
    for m in re.finditer(
        r"(?:[\[(,<=]|\breturn)\s*(?P<at>\{\s*(?P<name>[A-Za-z_]\w*)\s*\})\s*(?=[\]),;>])", _bare(s.line)
    ):
        name, at = m["name"], s.start + m.start("at")
        known = re.search(
            rf"(?<!\w){name}(?!\w)", re.sub(rf"\{{\s*{name}\s*\}}", "", _without_comments(s.text))
        )
        if known is None and not _in_string(s.line, m.start("at")):
            message = f"{{{name}}} is a field that was never filled in: the string is no f-string"
            help = "fill it in with .replace(...), an f-string or a -D flag"
            return Slip(message, help, at, at + len(m["at"]))
    return None


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def _unquoted_message(s: Spoiled) -> Slip | None:
    """`TORCH_CHECK(x.dim() == 3, expected a 3-D tensor)`: two names side by side where a text belongs."""
    begin = max(s.text.rfind(c, 0, s.start) for c in ";{}") + 1
    statement = s.text[begin : s.end] + s.text[s.end :].partition(";")[0]
    for call in _SAYS.finditer(statement):
        code = [t for t in tokenize(statement) if t.start >= call.end()]
        words = _sentence(code)
        if not words:
            continue
        start, end = words[0].start, _end_of_call(code, words[-1])
        said = statement[start:end]
        text = f'"{said}"' if re.fullmatch(r"[^,\"\n]*", said) else None
        return Slip(
            f"the text of {call['name']} has no quotes: {' '.join(said.split())}",
            f"write {text}" if text else 'put its text in quotes: "..."',
            begin + start,
            begin + end,
            text,
        )
    return None


def _sentence(code: list[Token]) -> list[Token]:
    """The first words of the argument of a call that no C++ can be, as two names stand side by side; none if all may be."""
    depth = 0
    words: list[Token] = []
    for token in code:
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth < 0 or token.text == ";":
            return []
        words = [] if token.text == "," and depth == 0 else [*words, token]
        if (
            len(words) > 1
            and depth == 0
            and all(t.kind == "name" and t.text not in _BESIDE for t in words[-2:])
        ):
            return words
    return []


def _end_of_call(code: list[Token], inside: Token) -> int:
    """Where the argument ends that a token is in: at the bracket that closes the call, or at the line's last token."""
    depth = 0
    behind = [t for t in code if t.start >= inside.start]
    for before, token in itertools.pairwise(behind):
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth < 0:
            return before.end
    return behind[-1].end


def _character(s: Spoiled) -> Slip | None:
    if s.line.lstrip().startswith("```") or s.said.startswith(("extended character", "stray")):
        return None
    for token in tokenize(s.line):
        char = token.text[0] if token.kind == "op" else next((c for c in token.text if c in _LOOK_ALIKE), "")
        if token.kind == "string" or not char or (char.isascii() and char not in "@`$\\"):
            continue
        at = s.start + token.start + token.text.index(char)
        plain = _ASCII.get(char, _LOOK_ALIKE.get(char))
        if char.isascii() and not re.match("unrecognized token|stray|expected", s.said):
            continue
        if (
            plain is None
            and not char.isascii()
            and char.isalpha()
            and "undefined" not in s.said
            and "expected" not in s.said
        ):
            continue
        shown = char if char.isprintable() and not char.isspace() else ""
        called = (
            "" if char.isascii() else f" (U+{ord(char):04X}, {unicodedata.name(char, 'unnamed').lower()})"
        )
        help = "write it in ASCII, or delete it"
        if plain is not None:
            help = f"write {plain}, of the keyboard" if plain.strip() else "delete it: it cannot be seen"
        return Slip(
            f"the character {shown}{called} is not part of C++".replace("  ", " "), help, at, at + 1, plain
        )
    return None


def _else(s: Spoiled) -> Slip | None:
    """An `if` that a `;` ended, told at its else."""
    m = re.match(r"\s*\}?\s*(?P<at>else)\b", s.line)
    if m is None or re.match('expected a ";"|identifier', s.said):
        return None
    tokens = [t for t in tokenize(s.text) if t.end <= s.start + m.start("at")]
    if len(tokens) > 2 and tokens[-1].text == ";" and tokens[-2].text in (";", "}"):
        return Slip(
            'this ";" ends the if: the else behind it has none',
            "delete it",
            tokens[-1].start,
            tokens[-1].end,
            "",
        )
    if not tokens or tokens[-1].text != "}":
        return None
    opening = _opening(tokens, len(tokens) - 1)
    if opening is None or opening < 2 or tokens[opening - 1].text != ";" or tokens[opening - 2].text != ")":
        return None
    head = _opening(tokens, opening - 2)
    if head is None or head < 1 or tokens[head - 1].text != "if":
        return None
    end = tokens[opening - 1]
    return Slip(
        'this ";" ends the if, and its block always runs',
        'delete the ";" behind the condition',
        end.start,
        end.end,
        "",
    )


def _surplus(s: Spoiled) -> Slip | None:
    """A `)` or `]` at the caret that nothing in its statement opens."""
    if s.at >= len(s.text) or s.text[s.at] not in ")]":
        return None
    close = s.text[s.at]
    if unclosed(s, "(") is not None or unclosed(s, "[") is not None:
        return None
    return Slip(f'this "{close}" closes nothing', f'delete it, or write the "{ {")": "(", "]": "["}[close]}" that it lacks',
                s.at, s.at + 1, "")  # fmt: skip


def _head_unfinished(s: Spoiled) -> Slip | None:
    """A struct without its `;`, or a declaration that runs on into the next."""
    tokens = [
        t for t in tokenize(s.text) if t.start <= max(s.at, s.start + len(s.line) - len(s.line.lstrip()))
    ]
    first = len(tokens)
    while first > 0 and tokens[first - 1].text not in (";", "{", "}"):
        first -= 1
    if first > 0 and tokens[first - 1].text == "}" and _closes_type(tokens, first - 1):
        end = tokens[first - 1].end
        if "\n" in s.text[end : tokens[first].start if first < len(tokens) else len(s.text)]:
            return Slip(
                'a ";" is missing behind this "}"',
                'write "};": the definition of a type ends with it',
                end - 1,
                end,
                "};",
            )
    tokens = [t for t in tokenize(s.text) if t.start < s.end + _NEXT]
    for before, token in zip(tokens[first:], tokens[first + 1 :], strict=False):
        if token.text in (";", "{", "}"):
            break
        if token.text not in _STARTERS or "\n" not in s.text[before.end : token.start]:
            continue
        head = s.text[tokens[first].start : before.end]
        if tokens[first].text == "template" and head.count("<") > head.count(">"):
            return Slip('a ">" is missing: the parameters of the template do not end', 'write ">" at the end of this line',
                        before.end - 1, before.end, s.text[before.end - 1] + ">")  # fmt: skip
        ends = before.kind in ("name", "number") or before.text == "]"
        if ends and before.text not in _QUALIFIERS and _DECLARES.match(head):
            help = 'write ";" at the end of this line; the compiler noticed only at the next one'
            return Slip('a ";" is missing', help, before.end - 1, before.end, s.text[before.end - 1] + ";")
    return None


def _comma_at_end(s: Spoiled) -> Slip | None:
    """A declaration that ends with a comma: the next statement is read as its next name."""
    start, line = list(s.lines())[-1]
    code = _bare(line).rstrip()
    declares = re.match(rf"\s*(?:const\s+)?{_TYPE}\s*[*&]*\s*\w+\s*=", code)
    if start == s.start or not declares or not code.endswith(",") or code.count("(") != code.count(")"):
        return None
    if not re.search("already been declared|redeclar|redefin|conflicting|expected", s.said):
        return None
    at = start + len(code) - 1
    return Slip('a "," stands where a ";" ends the statement', 'write ";"', at, at + 1, ";")


def _closes_type(tokens: list[Token], closing: int) -> bool:
    opening = _opening(tokens, closing)
    if opening is None:
        return False
    head = []
    for token in reversed(tokens[:opening]):
        if token.text in (";", "{", "}", ")"):
            break
        head.append(token.text)
    return any(word in head for word in ("struct", "class", "union", "enum")) and "=" not in head


def _macro(s: Spoiled) -> Slip | None:
    """A `#define` of several lines that lost a backslash, or one whose parameters stand behind a blank."""
    for m in re.finditer(
        r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<rest>(?:[^\n]*\\\n)*[^\n]*)$", s.text, re.MULTILINE
    ):
        if m.end() >= s.end:
            return None
        rest, behind = m["rest"], s.text[m.end() + 1 :].partition("\n")[0]
        blank = re.match(r"[ \t]+\(\s*\w+(?:\s*,\s*\w+)*\s*\)[ \t]+\(", rest)
        if blank and re.search(rf"\b{m['name']}\s*\(", s.line):
            at = m.end("name")
            message = f"a blank before the bracket makes {m['name']} a macro without parameters"
            return Slip(message, f"write #define {m['name']}(...) without the blank", at, at + 1, "")
        params = re.match(r"\((?P<names>[^()]*)\)", rest)
        if "\\\n" not in rest and params is None:
            continue
        body = rest[params.end() :] if params else rest
        open_ = any(body.count(a) > body.count(b) for a, b in ("{}", "()"))
        used = params is not None and any(
            re.search(rf"\b{n.strip()}\b", behind) for n in params["names"].split(",") if n.strip()
        )
        if "\\\n" in rest and (open_ or used) and re.match(r"[ \t]+\S", behind):
            start = s.text.rfind("\n", 0, m.end()) + 1
            first = start + len(s.text[start : m.end()]) - len(s.text[start : m.end()].lstrip())
            message = f"the macro {m['name']} ends with this line, and the next goes on"
            return Slip(message, "write a backslash at its end, with nothing behind it", first, m.end())
    return None


def _brace(s: Spoiled) -> Slip | None:
    fault = brace_fault(s.text)
    if fault is None or fault.kind == "unclosed" or fault.at > s.end:
        return None
    if fault.kind == "surplus" and s.start <= fault.at < s.end:
        return None  # told as what it is by the compiler
    if fault.kind == "surplus":
        return Slip('a "}" closes nothing', 'delete it, or write the "{" that is missing in the function above',
                    fault.at, fault.at + 1)  # fmt: skip
    line = s.text[fault.at :].partition("\n")[0]
    first = fault.at + len(line) - len(line.lstrip())
    return Slip('a "{" is missing at the end of this line', 'write it; the "}" of this block closes the one around it now',
                first, fault.at + len(line.rstrip()))  # fmt: skip


def unclosed(s: Spoiled, kind: str) -> int | None:
    """Where the innermost bracket stands that is open at the caret; None where there is none of that kind."""
    stack: list[Token] = []
    for token in tokenize(s.text):
        if token.start >= s.at:
            break
        if token.text in ("(", "[", "{"):
            stack.append(token)
        elif token.text in (")", "]", "}") and stack:
            stack.pop()
    return stack[-1].start if stack and stack[-1].text == kind else None


def _bracketed(text: str) -> str:
    """A text that begins with a bracket, up to the one that closes it; all of it where none does."""
    depth = 0
    for token in tokenize(text):
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth == 0:
            return text[: token.end]
    return text


def _opening(tokens: list[Token], closing: int) -> int | None:
    depth = 0
    for i in range(closing, -1, -1):
        depth += (tokens[i].text in (")", "]", "}")) - (tokens[i].text in ("(", "[", "{"))
        if depth == 0:
            return i
    return None


def _top_comma(text: str) -> int | None:
    """Offset of the first comma outside of brackets; None also where < and > may hold it."""
    depth = 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            return None if "<" in text[:i] and ">" in text[i:] else i
    return None


def _in_string(line: str, at: int) -> bool:
    return any(t.kind == "string" and t.start <= at < t.end for t in tokenize(line))


def _bare(line: str) -> str:
    """A line without its comment."""
    at = line.find("//")
    return line if at < 0 or _in_string(line, at) else line[:at]


_LOOKS: tuple[Callable[[Spoiled], Slip | None], ...] = (
    _macro,
    _division,
    _character,
    _head_unfinished,
    _brace,
    _comma_at_end,
    _keyword,
    _comma_index,
    _shared_without_brackets,
    _assignment,
    _field_of_macro,
    _field,
    _unquoted_message,
    _else,
    _python,
    _surplus,
)
