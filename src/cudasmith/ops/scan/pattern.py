"""Recognises scans: plain, reverse (between two flips), exclusive (one identity in front, the last dropped).

A chain of nodes from the tensor that is read to the root is spelled as letters, in scan order:
`C` the scan, `L` an identity element put in front, `S` the last element dropped, `K` leading slices kept.
A flip turns the direction that the following letters are seen in; at the end it must be turned back.
"""

from __future__ import annotations

import re

import attrs

from cudasmith.model import Graph, Node, Ref, Value
from cudasmith.ops._families.patterns import argument, only_used_by, wrap_dim

SCANS = {
    "aten.cumsum.default": "sum",
    "aten.cumprod.default": "prod",
    "aten.logcumsumexp.default": "logsumexp",
    "aten.cummax.default": "max",
    "aten.cummin.default": "min",
}
_IDENTITY = {"sum": 0.0, "prod": 1.0, "logsumexp": float("-inf")}
_INCLUSIVE = frozenset(("C",))
_EXCLUSIVE = frozenset(("CLS", "CSL", "SCL", "LCS", "LSC", "SLC"))
_ONE_LONGER = frozenset(("CL", "LC", "LKC", "LCK", "CLK"))
_SLICES = ("aten.slice.Tensor", "aten.narrow.default")
_FILLED = {"zeros": 0.0, "zeros_like": 0.0, "new_zeros": 0.0, "ones": 1.0, "ones_like": 1.0, "new_ones": 1.0}
_FILL_AT = {"full": 1, "full_like": 1, "new_full": 2}
_SIZES = ("aten.sym_size.int", "operator.", "aten.select.int", "aten.unsqueeze.default", *_SLICES)
_FOREVER = 2**63 - 1


@attrs.frozen
class Scan:
    """A scan of `main` along `dim`, computed by `nodes`. `extra`: outputs beyond the inputs along dim;
    `cut`: how many sizes along dimension 0 the output has less than `main`."""

    node: Node
    nodes: tuple[str, ...]
    main: Value
    op: str
    dim: int
    reverse: bool = False
    exclusive: bool = False
    extra: int = 0
    cut: int = 0


@attrs.frozen
class _Link:
    """One node of the chain, what it reads, and its letter: "F" a flip, "-" nothing at all; `front`: which
    end of the dimension it works on, as it is laid out; `fill`: what an `L` puts there."""

    node: Node
    source: str
    letter: str
    front: bool = True
    fill: float | None = None
    extra_nodes: tuple[str, ...] = ()


def find(graph: Graph, root: Node) -> Scan | None:
    """The scan that ends in `root`, with as much around it as belongs to it."""
    chain, scan_node = _down_to_scan(graph, root)
    if scan_node is None:
        return None
    op, dim = SCANS[scan_node.target], scan_dim(graph, scan_node)
    best = None
    while True:
        found = _read(graph, chain, scan_node, op, dim)
        best = found or best
        below = _link(graph, graph.node(chain[-1].source), dim) if op in _IDENTITY else None
        if below is None or below.letter == "C" or len(chain) > 12:
            return best
        chain = [*chain, below]


def scan_dim(graph: Graph, node: Node) -> int:
    """The dimension of a scan node, counted from the front."""
    source = graph.value(node.args[0].name) if isinstance(node.args[0], Ref) else None
    dim = argument(node, 1, "dim")
    assert source is not None and isinstance(dim, int)
    return wrap_dim(dim, len(source.shape))


def _down_to_scan(graph: Graph, root: Node) -> tuple[list[_Link], Node | None]:
    """The links from the root to the scan, nearest the root first, with the scan last."""
    nodes = [root]
    while nodes[-1].target not in SCANS:
        above = _candidate_source(graph, nodes[-1])
        if above is None or len(nodes) > 12:
            return [], None
        nodes.append(above)
    dim = scan_dim(graph, nodes[-1])
    chain, at = [], root
    while True:
        link = _link(graph, at, dim)
        if link is None:
            return [], None
        chain.append(link)
        if link.letter == "C":
            return chain, at
        below = graph.node(link.source)
        if below is None or (SCANS.get(below.target) not in _IDENTITY and below.target in SCANS):
            return [], None
        at = below


def _candidate_source(graph: Graph, node: Node) -> Node | None:
    """The node that the search for a scan goes on with, below a link of any dimension."""
    if node.target == "aten.cat.default":
        parts = node.args[0] if isinstance(node.args[0], tuple) else ()
        names = [p.name for p in parts if isinstance(p, Ref) and fill_of(graph, p.name) is None]
        return graph.node(names[0]) if len(names) == 1 else None
    if node.target in ("aten.flip.default", "aten.roll.default", "aten.pad.default", *_SLICES):
        return graph.node(node.args[0].name) if isinstance(node.args[0], Ref) else None
    return None


def _link(graph: Graph, node: Node | None, dim: int) -> _Link | None:
    if node is None or not node.args:
        return None
    if node.target in SCANS and isinstance(node.args[0], Ref):
        return _Link(node, node.args[0].name, "C") if scan_dim(graph, node) == dim else None
    readers = {
        "aten.flip.default": _flip,
        "aten.cat.default": _cat,
        "aten.pad.default": _pad,
        "aten.slice.Tensor": _slice,
        "aten.narrow.default": _slice,
    }
    link = readers[node.target](graph, node, dim) if node.target in readers else None
    if link is None or node.value is None:
        return None
    source = graph.value(link.source)
    return link if source is not None and source.dtype == node.value.dtype else None


def _flip(graph: Graph, node: Node, dim: int) -> _Link | None:
    dims = node.args[1]
    rank = len(node.value.shape) if node.value else 0
    if not isinstance(dims, tuple) or not isinstance(node.args[0], Ref):
        return None
    same = len(dims) == 1 and isinstance(dims[0], int) and wrap_dim(dims[0], rank) == dim
    return _Link(node, node.args[0].name, "F") if same else None


def _cat(graph: Graph, node: Node, dim: int) -> _Link | None:
    """cat((identity, x)) or cat((x, identity)), the identity one element thick."""
    parts, along = node.args[0], argument(node, 1, "dim", 0)
    if not isinstance(parts, tuple) or len(parts) != 2 or node.value is None or not isinstance(along, int):
        return None
    first, second = parts
    if (
        not isinstance(first, Ref)
        or not isinstance(second, Ref)
        or wrap_dim(along, len(node.value.shape)) != dim
    ):
        return None
    for front, fill, source in ((True, first.name, second.name), (False, second.name, first.name)):
        value = graph.value(fill)
        what = fill_of(graph, fill)
        if what is not None and value is not None and len(value.dims) > dim and value.dims[dim] == "1":
            return _Link(node, source, "L", front, what, (fill,))
    return None


def _pad(graph: Graph, node: Node, dim: int) -> _Link | None:
    """pad(x, (.., 1, 0)) with a constant; (1, -1) puts one in front and drops the last: spelled "SL"."""
    widths, mode, fill = node.args[1], argument(node, 2, "mode", "constant"), argument(node, 3, "value")
    rank = len(node.value.shape) if node.value else 0
    if mode != "constant" or not isinstance(widths, tuple) or not isinstance(node.args[0], Ref):
        return None
    at = 2 * (rank - 1 - dim)
    pair = widths[at : at + 2]
    if any(w != 0 for w in (*widths[:at], *widths[at + 2 :])) or not isinstance(
        fill, (int, float, type(None))
    ):
        return None
    letters = {(1, 0): ("L", True), (0, 1): ("L", False), (1, -1): ("SL", True), (-1, 1): ("SL", False)}
    if pair not in letters:
        return None
    letter, front = letters[pair]
    return _Link(node, node.args[0].name, letter, front, float(fill or 0))


def _slice(graph: Graph, node: Node, dim: int) -> _Link | None:
    """Slices that keep all, drop one element at an end of `dim`, or keep leading sizes of dimension 0."""
    source = graph.value(node.args[0].name) if isinstance(node.args[0], Ref) else None
    along, start = argument(node, 1, "dim", 0), argument(node, 2, "start")
    if (
        source is None
        or node.value is None
        or not isinstance(along, int)
        or argument(node, 4, "step", 1) != 1
    ):
        return None
    along = wrap_dim(along, len(source.shape))
    dropped = size_difference(source.dims[along], node.value.dims[along])
    end = argument(node, 3, "end")
    if dropped == 0 and start in (0, None):
        return _Link(node, source.name, "-")
    if along == dim and dropped == 1 and start in (0, None):
        return _Link(node, source.name, "S", front=False)
    if along == dim and dropped == 1 and start == 1 and end in (_FOREVER, None):
        return _unroll(graph, node, source, dim) or _Link(node, source.name, "S", front=True)
    if along == 0 and dim > 0 and dropped is not None and dropped > 0 and start in (0, None):
        return _Link(node, source.name, "K")
    return None


def _unroll(graph: Graph, node: Node, source: Value, dim: int) -> _Link | None:
    """roll(x, 1)[1:] is x without its last element."""
    rolled, through = graph.node(source.name), [source.name]
    while rolled is not None and rolled.target in _SLICES:
        link = _slice(graph, rolled, dim)
        if link is None or link.letter != "-":
            return None
        through.append(link.source)
        rolled = graph.node(link.source)
    if rolled is None or rolled.target != "aten.roll.default" or rolled.args[1] != (1,):
        return None
    dims, base = argument(rolled, 2, "dims"), rolled.args[0]
    if (
        not isinstance(dims, tuple)
        or len(dims) != 1
        or not isinstance(dims[0], int)
        or not isinstance(base, Ref)
    ):
        return None
    if wrap_dim(dims[0], len(source.shape)) != dim:
        return None
    return _Link(node, base.name, "S", front=False, extra_nodes=tuple(through))


def fill_of(graph: Graph, name: str) -> float | None:
    """The number that fills the tensor `name`, when a factory call made it."""
    node = graph.node(name)
    base = node.target.split(".")[1] if node is not None and node.target.startswith("aten.") else ""
    if node is None or base in _FILLED:
        return _FILLED.get(base)
    if base not in _FILL_AT:
        return None
    fill = argument(node, _FILL_AT[base], "fill_value")
    return float(fill) if isinstance(fill, (int, float)) else None


def size_difference(larger: str, smaller: str) -> int | None:
    """`larger - smaller` of two sizes that differ by a constant: "s27", "s27 - 1" -> 1. None otherwise."""
    (base, a), (other, b) = _constant_part(larger), _constant_part(smaller)
    return a - b if base == other else None


def _constant_part(size: str) -> tuple[str, int]:
    found = re.fullmatch(r"(?:(.*\S) ([+-]) )?(\d+)", size)
    if found is None or (found[1] or "").count("(") != (found[1] or "").count(")"):
        return size, 0
    return found[1] or "", int(found[3]) * (-1 if found[2] == "-" else 1)


def _read(graph: Graph, chain: list[_Link], node: Node, op: str, dim: int) -> Scan | None:
    """What the chain means, or None: its letters from the tensor upwards, seen in scan direction."""
    upwards = chain[::-1]
    letters = [(link.letter, link) for link in upwards if link.letter != "-"]
    turned, reverse, spelled = False, False, []
    for letter, link in letters:
        if letter == "F":
            turned = not turned
            continue
        reverse = turned if letter == "C" else reverse
        spelled.append((letter, link, link.front != turned))
    if turned or any(link.fill is not None and link.fill != _IDENTITY.get(op) for _, link in letters):
        return None
    word = "".join(_in_scan_order(letter, front != reverse) for letter, _, front in spelled)
    if word not in _INCLUSIVE | _EXCLUSIVE | _ONE_LONGER:
        return None
    nodes = _members(graph, chain)
    main, out = graph.value(chain[-1].source), chain[0].node.value
    if nodes is None or main is None:
        return None
    extra = 1 if word in _ONE_LONGER else 0
    cut = size_difference(main.dims[0], out.dims[0]) if "K" in word and out is not None else 0
    return Scan(node, nodes, main, op, dim, reverse, word != "C", extra, cut or 0)


def _in_scan_order(letters: str, front: bool) -> str:
    """Letters as they read in scan order; lower case where they work on the wrong end."""
    if letters in ("C", "K"):
        return letters
    if letters == "S":
        return "s" if front else "S"
    return letters if front else letters.lower()


def _members(graph: Graph, chain: list[_Link]) -> tuple[str, ...] | None:
    """All nodes the scan replaces; None when something else reads one of the inner ones."""
    links = tuple(link.node.name for link in chain)
    beside = [
        n for link in chain for n in link.extra_nodes if only_used_by(graph, n, links + link.extra_nodes)
    ]
    inside = {*links, *beside}
    for node in reversed(graph.nodes):  # what only the identity element is made from goes too
        users = graph.users(node.name)
        spared = node.name == chain[-1].source or not node.target.startswith(_SIZES)
        if users and not spared and all(u.name in inside for u in users):
            inside.add(node.name)
    kept = tuple(n.name for n in graph.nodes if n.name in inside)
    inner = (name for name in kept if name != chain[0].node.name)
    return kept if all(only_used_by(graph, name, kept) for name in inner) else None
