"""CS503."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cudasmith.cuda.statements import Expr, Stmt
from cudasmith.cuda.symbols import Function
from cudasmith.cuda.threads import base
from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Part, Subject
from cudasmith.source.filemodel import FileModel
from cudasmith.source.names import Function as PythonFunction
from cudasmith.source.names import ancestors, walk

_RETURN = "        return Scale.apply(self.ext, x, self.by)\n"
_CACHE = "    _ext = None\n"
_ALLOC = "  torch::Tensor out = torch::empty(x.sizes(), x.options());\n"
_CACHES = ("functools.lru_cache", "functools.cache")


class NoResultCache(Rule):
    """Each call computes its result anew from what it is given.

    A result kept by the tensor's address, its id or its shape is wrong as soon as the same memory holds other
    values, which is what every training loop and every allocator does. Built modules, sizes, tables made
    of constants and scratch memory may be kept.

    Bad:  `if x.data_ptr() not in self.cache: self.cache[x.data_ptr()] = ext.op(x)`
    Good: `return ext.op(x)`
    """

    code = "CS503"
    name = "no-result-cache"
    severity = severities("error", "error")
    BAD = (
        edit(
            (_CACHE, _CACHE + "    cache = {}\n"),
            (
                _RETURN,
                "        key = (x.data_ptr(), x.shape)\n        if key not in self.cache:\n"
                "            self.cache[key] = Scale.apply(self.ext, x, 1)  # HERE\n        return self.cache[key]\n",
            ),
        ),
        edit(
            (
                _RETURN,
                "        if getattr(self, 'kept', None) is None:\n            y = self.ext.scale(x, 1)\n"
                "            self.kept = y  # HERE\n        return self.kept\n",
            )
        ),
        edit(
            ("class Scale", "_SEEN = {}\n\n\nclass Scale"),
            (
                _RETURN,
                "        if id(x) in _SEEN:\n            return _SEEN[id(x)]\n        out = Scale.apply(self.ext, x, 1)\n"
                "        _SEEN[id(x)] = out  # HERE\n        return out\n",
            ),
        ),
        edit(
            ("import torch\n", "import functools\n\nimport torch\n"),
            (
                "class Scale",
                "@functools.lru_cache\ndef run(ext, x):  # HERE\n    return ext.scale(x, 2)\n\n\nclass Scale",
            ),
            (_RETURN, "        return run(self.ext, x)\n"),
        ),
        edit(
            (
                _RETURN,
                "        return self.cache.setdefault(x.shape, Scale.apply(self.ext, x, 1))  # HERE\n",
            )
        ),
        edit(
            (
                _RETURN,
                "        try:\n            return self.cache[x.shape]\n        except KeyError:\n            pass\n"
                "        out = Scale.apply(self.ext, x, 1)\n        self.cache.update({x.shape: out})  # HERE\n"
                "        return out\n",
            )
        ),
        edit(
            (
                _ALLOC,
                "  static std::unordered_map<void*, torch::Tensor> kept;\n"
                "  if (kept.count(x.data_ptr())) return kept[x.data_ptr()];  // HERE\n" + _ALLOC,
            )
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit((_RETURN, "        self.last = Scale.apply(self.ext, x, self.by)\n        return self.last\n")),
        edit(
            (
                _RETURN,
                "        if self.room is None:\n            self.room = torch.empty_like(x)\n"
                "        return Scale.apply(self.ext, x, self.by)\n",
            )
        ),
        edit(
            (
                _RETURN,
                "        if self.state is None:\n            self.state = self.ext.scale(x, 1)\n"
                "        return Scale.apply(self.ext, x, self.state)\n",
            )
        ),
        edit(
            (
                _RETURN,
                "        if x.dim() == 2:\n            self.state = self.ext.add(x, self.state)\n"
                "            return self.state\n        raise ValueError(x.dim())\n",
            )
        ),
        edit(
            ("import torch\n", "import functools\n\nimport torch\n"),
            (
                "class Scale",
                "@functools.lru_cache\ndef blocks(n):\n    return (n + 255) // 256\n\n\nclass Scale",
            ),
            (_RETURN, "        return Scale.apply(self.ext, x, blocks(x.numel()))\n"),
        ),
        edit(
            (
                _ALLOC,
                "  static torch::Tensor room;\n  if (!room.defined()) room = torch::empty({4}, x.options());\n"
                + _ALLOC,
            )
        ),
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        help = "compute it in every call; keep modules, sizes and scratch memory only"
        for function in file.reach.forward:
            if _kept_by_decorator(file, function):
                message = f"results of {function.name} are kept between calls, by the identity of its tensors"
                yield self.found(subject, file.source.node_span(function), message, help=help)
            for store, place in _stores(file, function):
                if _read_back(file, function, store, place):
                    message = f"a result is kept in {place} and given again in a later call"
                    yield self.found(subject, file.source.node_span(store), message, help=help)
        for _, part in subject.parts():
            for host in part.symbols.functions:
                if host.is_host and host.body is not None:
                    yield from self._host(subject, part, host, help)

    def _host(self, subject: Subject, part: Part, host: Function, help: str) -> Verdicts:
        assert host.body is not None
        declared = [*part.symbols.globals, *(d for s in host.body.walk() for d in s.declared if d.static)]
        kept = {d.name for d in declared if "Tensor" in d.type and "Options" not in d.type}
        for returned in _early_returns(host.body, max((x.start for x in host.launches), default=0)):
            name = base(_container(returned.exprs[0])) if returned.exprs else ""
            if name in kept:
                message = f"a result is kept in {name} and given again in a later call"
                yield self.found(subject, part.span(returned.start, returned.end), message, help=help)


def _container(expr: Expr) -> Expr:
    """`cache.at(key)` -> cache."""
    return expr.parts[0] if expr.kind == "method" and expr.op in ("at", "value", "clone") else expr


def _early_returns(body: Stmt, last_launch: int) -> Iterator[Stmt]:
    """Returns before the last launch: what they give is not of this call."""
    return (s for s in body.walk() if s.kind == "return" and s.start < last_launch)


def _kept_by_decorator(file: FileModel, function: PythonFunction) -> bool:
    names = [d.func if isinstance(d, ast.Call) else d for d in function.decorator_list]
    return any(file.dotted(n) in _CACHES for n in names) and any(_computes(file, n) for n in walk(function))


def _computes(file: FileModel, node: ast.AST) -> bool:
    """A call of the extension, directly or through an autograd Function."""
    if not isinstance(node, ast.Call):
        return False
    called = any(c.call is node for c in file.handles.calls)
    classes = {c.name for c in file.classes}
    applies = isinstance(node.func, ast.Attribute) and node.func.attr == "apply"
    return called or (applies and getattr(node.func.value, "id", "") in classes)  # type: ignore[attr-defined]


def _stores(file: FileModel, function: PythonFunction) -> Iterator[tuple[ast.Assign | ast.Call, str]]:
    """Where a result goes to an attribute, a dictionary or a global; the place as written."""
    shared = {n for s in walk(function) if isinstance(s, ast.Global) for n in s.names}
    names = [n for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    local = {n.id for n in names} - shared
    for node in walk(function):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign) and _is_result(file, function, node.value):
            targets = [t.value if isinstance(t, ast.Subscript) else t for t in node.targets]
        elif isinstance(node, ast.Call) and _keeps(file, function, node):
            assert isinstance(node.func, ast.Attribute)
            targets = [node.func.value]
        for place in targets:
            assert isinstance(node, (ast.Assign, ast.Call))
            if isinstance(place, ast.Attribute) and getattr(place.value, "id", "") != "ctx":
                yield node, ast.unparse(place)
            elif isinstance(place, ast.Name) and place.id not in local:
                yield node, place.id


def _keeps(file: FileModel, function: PythonFunction, call: ast.Call) -> bool:
    """`cache.setdefault(key, result)` and `cache.update({key: result})`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("setdefault", "update"):
        return False
    values = [v for a in call.args for v in (a.values if isinstance(a, ast.Dict) else (a,))]
    return any(_is_result(file, function, v) for v in values)


def _is_result(file: FileModel, function: PythonFunction, value: ast.expr) -> bool:
    """Computed from the arguments of the function."""
    if isinstance(value, ast.Name):
        values = [v for v in file.bound.get(value.id, ()) if file.enclosing(v) is function]
        return any(not isinstance(v, ast.Name) and _is_result(file, function, v) for v in values)
    calls = [n for n in walk(value) if _computes(file, n)]
    given = {a.arg for a in function.args.args[1:]} | {a.arg for a in function.args.kwonlyargs}
    names = {n.id for c in calls for n in walk(c) if isinstance(n, ast.Name)}
    made = {n for n in names if any(file.enclosing(v) is function for v in file.bound.get(n, ()))}
    return bool(calls) and bool(names & given or made)


def _read_back(file: FileModel, function: PythonFunction, store: ast.Assign | ast.Call, place: str) -> bool:
    """Whether a condition decides between storing and reading the place."""
    name = place.rsplit(".", 1)[-1]
    if isinstance(store, ast.Assign) and any(ast.unparse(n) == place for n in walk(store.value)):
        return False  # a state that goes on: each call computes it from the one before
    if isinstance(store, ast.Call) and getattr(store.func, "attr", "") == "setdefault":
        return not isinstance(file.parent.get(store), ast.Expr)
    guards = [
        n for n in ancestors(store, file.parent) if isinstance(n, (ast.If, ast.Try)) and _inside(n, function)
    ]
    earlier = [
        n
        for n in walk(function)
        if isinstance(n, (ast.If, ast.Try)) and n.lineno < store.lineno and _returns_place(n, name)
    ]
    if not earlier and not guards:
        return False
    reads = [
        n
        for n in walk(function)
        if isinstance(n, (ast.Name, ast.Attribute))
        and getattr(n, "attr", getattr(n, "id", "")) == name
        and isinstance(n.ctx, ast.Load)
        and not any(a is store for a in ancestors(n, file.parent))
        and not _in_test(file, n)
        and not _handed_on(file, n)
    ]
    return bool(reads)


def _handed_on(file: FileModel, node: ast.AST) -> bool:
    """Whether it is an argument of a call: state of the model, and no answer."""
    child = node
    for holder in ancestors(node, file.parent):
        if isinstance(holder, ast.Call) and child is not holder.func:
            return True
        if isinstance(holder, ast.stmt):
            return False
        child = holder
    return False


def _inside(node: ast.AST, function: PythonFunction) -> bool:
    return any(n is node for n in walk(function))


def _in_test(file: FileModel, node: ast.AST) -> bool:
    child = node
    for holder in ancestors(node, file.parent):
        if isinstance(holder, (ast.If, ast.While)):
            return child is holder.test
        if isinstance(holder, ast.stmt):
            return False
        child = holder
    return False


def _returns_place(node: ast.If | ast.Try, name: str) -> bool:
    returns = [n for b in node.body for n in walk(b) if isinstance(n, ast.Return) and n.value is not None]
    return any(
        getattr(n, "attr", getattr(n, "id", "")) == name for r in returns if r.value for n in walk(r.value)
    )
