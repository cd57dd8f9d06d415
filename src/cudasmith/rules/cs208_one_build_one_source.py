"""CS208."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from cudasmith.model.finding import Fix
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.filemodel import FileModel
from cudasmith.source.names import Function, ancestors, walk
from cudasmith.source.regions import BuildCall

_SRC = 'SRC = ["torch::Tensor scale(torch::Tensor x, double by);"]\n'
_LIST = 'cpp_sources=["torch::Tensor scale(torch::Tensor x, double by);"]'
_FIRST = 'debug = load_inline("debug", SRC, [cuda_src], functions=["scale"])\n'
_SHARED = edit(
    (_LIST, "cpp_sources=SRC"), ("class ModelNew", _SRC + _FIRST + "\n\nclass ModelNew"), text=DECLARED
)
_BUILD = (
    "def build(expr):\n"
    '    return load_inline("one", [], [cuda_src.replace("by;", expr)], functions=["scale"])\n'
)
_TWO = 'a = build("by;")\nb = build("2;")\n'
_SECOND = 'other = load_inline("scale_ext", [], [cuda_src + "// changed"])\n'


class OneBuildOneSource(Rule):
    """No list of sources goes into two builds, and each name stands for one source.

    load_inline writes into the list it is given: with `functions=` the binding is appended to
    cpp_sources, so that a second build with the same list has it twice. A name is the folder that is built
    in. Two sources under one name rebuild each other each time the program runs, and two processes that
    run at once may load each other's kernels: put something of the source into the name, such as a
    part of its hash. Outside strict mode two sources under one name are a warning.
    """

    code = "CS208"
    name = "one-build-one-source"
    severity = severities("error", "warning")
    BAD = (
        edit(("cpp_sources=SRC,", "cpp_sources=SRC,  # HERE"), text=_SHARED),
        edit(
            ("class ModelNew", _SECOND + "\n\nclass ModelNew"),
            ('name="scale_ext",', 'name="scale_ext",  # HERE'),
        ),
        edit(
            ("class ModelNew", _BUILD + _TWO + "\n\nclass ModelNew"),
            ("scale_ext", "x"),
        ).replace('functions=["scale"])\n', 'functions=["scale"])  # HERE\n'),
        edit(
            (
                "class ModelNew",
                _BUILD.replace('["scale"])', '["scale"])  # HERE')
                + 'all = [build(e) for e in ("by;", "2;")]\n\n\nclass ModelNew',
            )
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit(
            ("cpp_sources=SRC", "cpp_sources=list(SRC)"), ('debug", SRC', 'debug", list(SRC)'), text=_SHARED
        ),
        edit((', functions=["scale"])\n\n', ")\n\n"), text=_SHARED),
        edit(("class ModelNew", _BUILD + 'one = build("by;")\n\n\nclass ModelNew')),
        edit(
            (
                "class ModelNew",
                _BUILD.replace('"one"', 'f"one_{abs(hash(expr))}"') + _TWO + "\n\nclass ModelNew",
            )
        ),
        edit(("class ModelNew", _SECOND.replace("scale_ext", "other") + "\n\nclass ModelNew")),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        for first, second in combinations(file.builds, 2):
            if not _exclusive(first, second):
                yield from self._same_list(subject, first, second)
                yield from self._same_name(subject, first, second)
        for build in file.builds:
            yield from self._many_sources(subject, build)

    def _same_list(self, subject: Subject, first: BuildCall, second: BuildCall) -> Verdicts:
        file = subject.file
        one, other = (b.keywords.get("cpp_sources") for b in (first, second))
        if not isinstance(one, ast.Name) or not isinstance(other, ast.Name) or one.id != other.id:
            return
        lists = file.bound.get(one.id, ())
        if len(lists) != 1 or not isinstance(lists[0], ast.List) or "functions" not in first.keywords:
            return
        message = f"the list {one.id} goes into a second build: the first one has appended its binding to it"
        fix = Fix(file.source.node_span(one), f"list({one.id})", safe=True)
        span = file.source.node_span(other)
        yield self.found(
            subject, span, message, help=f"pass list({one.id}) to each build", fix=fix, severity="error"
        )

    def _same_name(self, subject: Subject, first: BuildCall, second: BuildCall) -> Verdicts:
        if first.name is None or first.name != second.name:
            return
        texts = [tuple(r.text for r in b.regions()) for b in (first, second)]
        if texts[0] == texts[1] or (first.unresolved | second.unresolved) & {
            "cpp_sources",
            "cuda_sources",
            "**",
        }:
            return
        span = second.keyword_span("name", subject.file.source)
        message = f"the name {second.name!r} stands for two different sources"
        yield self.found(subject, span, message, help="give each source a name of its own")

    def _many_sources(self, subject: Subject, build: BuildCall) -> Verdicts:
        """One call with a fixed name whose source is what its function is given."""
        function = subject.file.enclosing(build.call)
        if build.name is None or function is None:
            return
        unread = [build.keywords[k] for k in ("cpp_sources", "cuda_sources") if k in build.unresolved]
        given = {name for node in unread for name in _parameters(subject.file, function, node)}
        if given and _called_often(subject.file, function):
            span = build.keyword_span("name", subject.file.source)
            message = f"the source depends on {min(given)}, and the name {build.name!r} does not"
            yield self.found(
                subject,
                span,
                message,
                confidence="medium",
                help="put a part of the source's hash into the name",
            )


def _exclusive(first: BuildCall, second: BuildCall) -> bool:
    """Whether the two stand in the two branches of one `if`."""
    for holder in set(first.holders) & set(second.holders):
        if isinstance(holder, ast.If):
            sides = [any(b in walk(s) for s in holder.body) for b in (first.call, second.call)]
            if sides[0] != sides[1]:
                return True
    return False


def _parameters(file: FileModel, function: Function, node: ast.expr, depth: int = 0) -> Iterator[str]:
    """Parameters of the function that an expression in it depends on, also through local names."""
    params = {a.arg for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
    for part in walk(node):
        if not isinstance(part, ast.Name) or depth > 4:
            continue
        if part.id in params - {"self", "cls"}:
            yield part.id
        for value in file.bound.get(part.id, ()):
            if file.enclosing(value) is function:
                yield from _parameters(file, function, value, depth + 1)


def _called_often(file: FileModel, function: Function) -> bool:
    """Whether it may run with more than one value: called at two places or in a loop, or handed on."""
    uses = [n for n in file.nodes if _names(n, function.name)]
    calls = [file.parent.get(n) for n in uses]
    direct = [c for n, c in zip(uses, calls, strict=True) if isinstance(c, ast.Call) and c.func is n]
    if len(direct) != len(uses) or len(direct) > 1:
        return bool(uses)
    loops = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)
    return any(isinstance(a, loops) for c in direct for a in ancestors(c, file.parent))


def _names(node: ast.AST, name: str) -> bool:
    return (isinstance(node, ast.Name) and node.id == name) or (
        isinstance(node, ast.Attribute) and node.attr == name
    )
