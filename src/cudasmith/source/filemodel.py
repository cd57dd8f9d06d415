"""FileModel: everything that rules may know about a candidate's Python side."""

from __future__ import annotations

import ast
import bisect
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property

import attrs

from cudasmith.model.candidate import Candidate
from cudasmith.model.errors import CudasmithError
from cudasmith.model.finding import Span
from cudasmith.source import names
from cudasmith.source.evaluate import Evaluator, NotConstant
from cudasmith.source.handles import Handles, find_handles
from cudasmith.source.ignores import Ignore, find_ignores
from cudasmith.source.literals import Token, tokens
from cudasmith.source.prose import fences, looks_like_prose
from cudasmith.source.reach import Reach, reach
from cudasmith.source.regions import BuildCall, build_calls
from cudasmith.source.text import SourceText


@attrs.frozen
class SyntaxFault:
    """Why Python does not read the file."""

    message: str
    span: Span


@attrs.frozen(eq=False)
class FileModel:
    """A parsed candidate. With a `fault`, `tree` is empty and so is all that derives from it."""

    candidate: Candidate
    source: SourceText
    tree: ast.Module
    fault: SyntaxFault | None
    fences: tuple[Span, ...]  # in files that do not parse, and inside the regions
    prose: tuple[Span, ...]
    imported: Mapping[str, str]
    bound: Mapping[str, Sequence[ast.expr]]
    parent: Mapping[ast.AST, ast.AST]
    classes: tuple[ast.ClassDef, ...]
    builds: tuple[BuildCall, ...]
    handles: Handles
    reach: Reach
    ignores: tuple[Ignore, ...]
    kinds: dict[tuple[names.Function | None, str], str] = attrs.field(factory=dict)  # rules' memo, by name
    asked: dict[tuple[names.Function | None, str], str] = attrs.field(
        factory=dict
    )  # for the question asked now
    _local: dict[str, dict[names.Function | None, list[ast.expr]]] = attrs.field(factory=dict)

    def named(self, name: str) -> tuple[ast.ClassDef, ...]:
        """The top-level classes of that name."""
        return tuple(c for c in self.classes if c.name == name)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree, outer ones first: rules look through all of them again and again."""
        return tuple(names.walk(self.tree))

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Names that the file itself gives a meaning."""
        defined = {n.name for n in self.nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        return frozenset(defined.union(self.bound, self.imported))

    @cached_property
    def _strings(self) -> tuple[tuple[int, int], ...]:
        """Bounds of the string literals, none within another, in the order of the file."""
        kinds = (ast.JoinedStr, ast.Constant)
        literals = [
            n for n in self.nodes if isinstance(n, kinds) and isinstance(getattr(n, "value", ""), str)
        ]
        bounds = sorted((self.source.bounds(n) for n in literals), key=lambda b: (b[0], -b[1]))
        found: list[tuple[int, int]] = []
        for start, end in bounds:
            if not found or start >= found[-1][1]:
                found.append((start, end))
        return tuple(found)

    @cached_property
    def model(self) -> ast.ClassDef | None:
        """The last ModelNew, which is the one Python keeps."""
        found = self.named("ModelNew")
        return found[-1] if found else None

    @property
    def forward(self) -> names.Function | None:
        return names.methods(self.model).get("forward") if self.model else None

    def dotted(self, node: ast.expr) -> str | None:
        """Full name of a chain of attributes that starts at an import."""
        return names.dotted(node, self.imported)

    def enclosing(self, node: ast.AST) -> names.Function | None:
        """The innermost function that holds a node."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return next((a for a in names.ancestors(node, self.parent) if isinstance(a, kinds)), None)

    def constant_text(self, node: ast.expr) -> str | None:
        """The string that an expression always is: `"soft" + "max"`; None for every other."""
        try:
            return Evaluator(self.source, self.bound).text(node).text
        except NotConstant:
            return None

    def assigned(self, function: names.Function | None, name: str) -> Sequence[ast.expr]:
        """What one function, or the module for None, assigns to a name."""
        if name not in self._local:
            groups: dict[names.Function | None, list[ast.expr]] = {}
            for value in self.bound.get(name, ()):
                groups.setdefault(self.enclosing(value), []).append(value)
            self._local[name] = groups
        return self._local[name].get(function, ())

    def literal_at(self, offset: int) -> Token | None:
        """The string token whose body holds a character of the file."""
        before = bisect.bisect_right(self._strings, offset, key=lambda bounds: bounds[0])
        if before == 0 or offset >= self._strings[before - 1][1]:
            return None
        found = tokens(self.source.text, *self._strings[before - 1])
        return next((t for t in found if t.start <= offset <= t.end), None)

    def beside_model(self, node: ast.AST) -> bool:
        """Whether a node stands in the reference, in the inputs or in the script part of the file."""
        for holder in names.ancestors(node, self.parent):
            if isinstance(holder, (ast.FunctionDef, ast.ClassDef)):
                if holder.name in ("Model", "get_inputs", "get_init_inputs", "main", "test"):
                    return True
            elif isinstance(holder, ast.If) and "__name__" in ast.unparse(holder.test):
                return True
        return False


def parse_file(candidate: Candidate) -> FileModel:
    """The model of a candidate's text. Never fails: a text that is no Python has a `fault`."""
    source = SourceText.of(candidate.text, candidate.files)
    tree, fault = _parse(source)
    imported, bound, parent = names.imports(tree), names.bindings(tree), names.parents(tree)
    path = "" if candidate.path.startswith("<") else candidate.path
    builds = build_calls(tree, source, imported, bound, parent, path)
    classes = tuple(n for n in tree.body if isinstance(n, ast.ClassDef))
    model = FileModel(
        candidate=candidate,
        source=source,
        tree=tree,
        fault=fault,
        fences=_fences(source, fault, builds),
        prose=_prose(source, fault),
        imported=imported,
        bound=bound,
        parent=parent,
        classes=classes,
        builds=builds,
        handles=find_handles(tree, builds, bound, parent),
        reach=Reach((), ()),
        ignores=find_ignores(source, builds),
    )
    start = model.forward
    return attrs.evolve(model, reach=reach(start, tree, imported, bound, parent)) if start else model


def readable(candidate: Candidate) -> FileModel:
    """The model of a text that is Python. Raises: CudasmithError."""
    model = parse_file(candidate)
    if model.fault is not None:
        raise CudasmithError(
            "CSB020",
            f"Python cannot read the file: {model.fault.message}",
            where=f"{candidate.path}:{model.fault.span.line}",
            help="mend the syntax first; `cudasmith check` shows the line",
        )
    return model


def _parse(source: SourceText) -> tuple[ast.Module, SyntaxFault | None]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a plain string is the file's affair
            return names.lambdas_as_methods(ast.parse(source.text)), None
    except (SyntaxError, ValueError) as error:
        return ast.Module([], []), SyntaxFault(_message(error), _fault_span(source, error))
    except (RecursionError, MemoryError):  # both are what Python's parser says of nesting
        return ast.Module([], []), SyntaxFault("it nests deeper than Python's parser goes", Span(1))


def _message(error: SyntaxError | ValueError) -> str:
    return error.msg if isinstance(error, SyntaxError) else str(error)


def _fault_span(source: SourceText, error: SyntaxError | ValueError) -> Span:
    null = source.text.find("\0")
    if null >= 0:  # Python says this without a line; it is a ValueError before 3.11.4
        return source.span(null, null + 1)
    line = getattr(error, "lineno", None) or 1
    return Span(min(max(line, 1), len(source.starts)), max(getattr(error, "offset", None) or 1, 1))


def _fences(source: SourceText, fault: SyntaxFault | None, builds: Sequence[BuildCall]) -> tuple[Span, ...]:
    if fault:
        return tuple(source.span(*f) for f in fences(source.text))
    inside = [r.span(*f) or b.span for b in builds for r in b.regions() for f in fences(r.text)]
    return tuple(dict.fromkeys(inside))


def _prose(source: SourceText, fault: SyntaxFault | None) -> tuple[Span, ...]:
    """Sentences at the place of the fault, and at both ends of the file."""
    if not fault:
        return ()
    lines = source.lines()
    filled = [i for i, line in enumerate(lines, 1) if line.strip()]
    suspects = sorted({fault.span.line, *filled[:1], *filled[-1:]})
    return tuple(Span(i, 1, i, len(lines[i - 1]) + 1) for i in suspects if looks_like_prose(lines[i - 1]))
