"""Lists and dicts under a name: whether the file may change them after it has made them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from cudasmith.source.names import walk

_ONLY_READ = frozenset(
    {"print", "len", "list", "tuple", "sorted", "set", "str", "repr", "any", "all", "enumerate"}
)
_COPIES = frozenset({"copy", "index", "count"})
_TAKES_ITEMS = frozenset({"join", "extend"})
_READERS = (ast.BinOp, ast.Compare, ast.UnaryOp, ast.FormattedValue, ast.Starred, ast.AugAssign, ast.Expr)
_TESTS = (ast.If, ast.While, ast.Assert, ast.IfExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)


class Lists:
    """`parent` as of names.py; `takers`: calls that read the lists they are given."""

    def __init__(
        self, tree: ast.Module, parent: Mapping[ast.AST, ast.AST], takers: Collection[ast.Call]
    ) -> None:
        self._parent = parent
        self._takers = takers
        self._uses: dict[str, list[ast.expr]] = {}
        for node in walk(tree):
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                self._uses.setdefault(node.id if isinstance(node, ast.Name) else node.attr, []).append(node)
        self._kept: dict[str, bool] = {}

    def kept(self, name: str) -> bool:
        """Whether the list under this name, of a variable or a field, certainly stays as it was made."""
        if name not in self._kept:
            self._kept[name] = True  # names that are given to each other in a circle
            self._kept[name] = all(self._only_reads(use) for use in self._uses.get(name, ()))
        return self._kept[name]

    def kept_but_grown(self, name: str) -> bool:
        """The same, apart from statements that append to it or extend it."""
        uses = self._uses.get(name, ())
        return all(self._only_reads(use) or grown(self._statement(use)) is use for use in uses)

    def _statement(self, owner: ast.expr) -> ast.AST | None:
        """Of `owner.method()`."""
        call = self._parent.get(self._parent.get(owner, owner))
        return self._parent.get(call) if call is not None else None

    def _only_reads(self, use: ast.expr) -> bool:
        """Whether one mention of a list neither changes it nor hands it to what might. False where that is not known."""
        holder = self._parent.get(use)
        if isinstance(holder, ast.Subscript):
            return holder.slice is use or isinstance(holder.ctx, ast.Load)
        if isinstance(holder, ast.Attribute):
            return holder.attr in _COPIES
        if isinstance(holder, _TESTS):
            return holder.test is use
        if isinstance(holder, _LOOPS):
            return holder.iter is use
        if isinstance(holder, (ast.Assign, ast.AnnAssign)):
            return self._other_name(holder)
        if isinstance(holder, ast.Dict):
            return self._only_spread(holder)
        if isinstance(holder, ast.keyword):
            return holder.arg is None or self._taken(self._parent[holder])
        return isinstance(holder, _READERS) or self._taken(holder)

    def _taken(self, call: ast.AST | None) -> bool:
        if not isinstance(call, ast.Call):
            return False
        function = call.func
        if call in self._takers or (isinstance(function, ast.Name) and function.id in _ONLY_READ):
            return True
        if isinstance(function, ast.Name) and function.id == "dict":
            return self._only_spread(call)
        return isinstance(function, ast.Attribute) and function.attr in _TAKES_ITEMS

    def _other_name(self, given: ast.Assign | ast.AnnAssign) -> bool:
        """`also = flags`: kept under that name too."""
        targets = given.targets if isinstance(given, ast.Assign) else [given.target]
        return all(
            isinstance(t, (ast.Name, ast.Attribute))
            and self.kept(t.id if isinstance(t, ast.Name) else t.attr)
            for t in targets
        )

    def _only_spread(self, options: ast.expr) -> bool:
        """A dict that is written in `**`, or under a name that is read there only."""
        holder = self._parent.get(options)
        if isinstance(holder, ast.keyword):
            return holder.arg is None
        if not isinstance(holder, ast.Assign) or not all(isinstance(t, ast.Name) for t in holder.targets):
            return False
        names = [t.id for t in holder.targets if isinstance(t, ast.Name)]
        spread = [self._parent.get(use) for name in names for use in self._uses.get(name, ())]
        return all(isinstance(s, ast.keyword) and s.arg is None for s in spread)


def grown(statement: ast.AST | None) -> ast.Name | None:
    """The name in `name.append(x)` and `name.extend(x)`, as a statement."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    plain = len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
    owner = call.func.value
    return owner if plain and call.func.attr in ("append", "extend") and isinstance(owner, ast.Name) else None
