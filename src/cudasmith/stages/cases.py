"""Cases: which calls a candidate must survive. Each is named for the danger it brings.

Small sizes keep the structure of the problem (each free size is shrunk by itself, fixed dimensions
stay), so that a call costs well under a second on the emulator. Float inputs are uniform in [0, 1)
where the case says "problem", as most reference files have them; only a full case calls the file's own
`get_inputs`. Integers are drawn from [0, smallest dimension in sight), which is a valid class or
position for any dimension; booleans are fair coins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from cudasmith.model import Capture, Case, InputCase, InputSpec
from cudasmith.model.expression import evaluate, holds
from cudasmith.stages._verify.work import Work, work

MAX_WORK = Work(elements=1 << 21, operations=1 << 26)  # per case: under a second on the checked emulator
LEEWAY = 2  # for the least sizes there are: better slow than one case only
ALIGNED_DIM = 1024  # where 16-byte accesses and whole warps apply
LONG_DIMS = (4099, 2053, 1031)  # primes over any block size; the longest that is cheap enough
LONG_ALIGNED_DIMS = (4352, 2304, 1280)  # multiples of 256, no powers of two
SMALL = (12, 10, 18, 14, 22, 16, 26, 20)  # distinct, so that exchanged sizes show; even, for strided models
LEVELS = (  # batch size and other sizes: the first that is cheap enough is taken
    (3, SMALL),
    (2, SMALL),
    (2, (6, 4, 8, 5, 7, 9, 11, 3)),
    (2, (2,)),
    (1, (2,)),
)
PRIMES = (13, 11, 19, 17, 23, 29, 31, 37)
LAST_DIMS = (33, 65, 127, 257)  # one past, or one short of, a multiple of a warp
VALUES = ("normal", "large", "tiny", "ties", "near_one", "special")
LAYOUTS = ("transposed", "sliced", "misaligned", "expanded")

Sizes = dict[str, int]


def cases(capture: Capture, *, full: bool, seed: int) -> tuple[Case, ...]:
    """The cases for one capture, the shrunk one first; with `full`, the problem's own shapes last.

    Same arguments, same cases. A capture whose sizes are fixed gives only its own shapes.
    """
    maker = _Maker(capture, seed)
    base = shrunk_sizes(capture)
    found = [*maker.everywhere("shrunk", base, "problem")]
    if work(capture, base).within(MAX_WORK, times=LEEWAY):
        if capture.dynamic:
            found += _shape_cases(maker, base)
        found += [c for v in VALUES for c in maker.one(f"values_{v}", base, v)]
        found += [c for lay in LAYOUTS for c in maker.one(f"layout_{lay}", base, "normal", lay)]
    elif not capture.dynamic:
        found = []  # the only shapes there are do not fit the emulator: left to a full case
    if full:
        own = {symbol: value for symbol, value, _, _ in capture.free_sizes}
        found += maker.everywhere("full", own, "problem", full=True)
        found += maker.one("full_values_normal", own, "normal", full=True)
    return tuple(found)


def shrunk_sizes(capture: Capture) -> Sizes:
    """A small value for each free size: 3 for a leading (batch) size, 10 to 26 elsewhere; less where fixed
    dimensions are large. The conditions of the captured graph hold."""
    if not capture.dynamic:
        return {symbol: value for symbol, value, _, _ in capture.free_sizes}
    for leading, others in LEVELS:
        sizes = _by_group(capture, others, leading)
        while not _allowed(capture, sizes) and (bigger := grown(capture, sizes)):
            sizes = bigger
        if work(capture, sizes).within(MAX_WORK):
            break
    return sizes


def fitted_sizes(capture: Capture) -> Sizes:
    """The problem's own sizes, the largest halved again and again until a call is cheap enough: as near to the problem as
    the emulator bears, with its divisibility. Where the graph's conditions do not let that be, the shrunk sizes."""
    sizes = {symbol: value for symbol, value, _, _ in capture.free_sizes}
    least = {symbol: max(low, 2) for symbol, _, low, _ in capture.free_sizes}
    while not (work(capture, sizes).within(MAX_WORK) and _allowed(capture, sizes)):
        groups = [g for g in _groups(capture) if all(sizes[s] // 2 >= least[s] for s in g)]
        if not groups:
            return shrunk_sizes(capture)
        for symbol in max(groups, key=lambda g: sizes[g[0]]):
            sizes[symbol] //= 2
    return sizes


def _allowed(capture: Capture, sizes: Sizes) -> bool:
    """No condition of the captured graph is broken. One that is not understood counts as kept."""
    return all(holds(guard, sizes) is not False for guard in capture.guards)


def _by_group(capture: Capture, values: Sequence[int], leading_value: int | None) -> Sizes:
    """A value for each group of free sizes in turn, inside the range and the problem's own size."""
    leading, sizes, used = _leading(capture.inputs), {}, 0
    bounds = {symbol: (low, min(own, high)) for symbol, own, low, high in capture.free_sizes}
    for group in _groups(capture):
        is_leading = leading_value is not None and any(symbol in leading for symbol in group)
        small = leading_value if is_leading and leading_value else values[used % len(values)]
        used += not is_leading
        for symbol in group:
            sizes[symbol] = max(bounds[symbol][0], min(small, bounds[symbol][1]))
    return {symbol: sizes[symbol] for symbol, _, _, _ in capture.free_sizes}


def _groups(capture: Capture) -> list[list[str]]:
    """Free sizes that change together: the same dimension of inputs of equal rank, with equal value in the
    problem. They may have to be equal (keys and values of attention) although the capture cannot tell."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for symbol, own, _, _ in capture.free_sizes:
        values = [spec.value for spec in capture.inputs if spec.value is not None]
        places = [(len(v.dims), v.dims.index(symbol), own) for v in values if symbol in v.dims]
        groups.setdefault(places[0] if places else (len(groups), -1, own), []).append(symbol)
    return list(groups.values())


def at_sizes(inputs: Sequence[InputSpec], case: Case, sizes: Mapping[str, int]) -> Case:
    """The same case at other sizes."""
    shapes = [shape_at(spec, sizes) for spec in inputs if spec.value is not None]
    made = tuple(attrs.evolve(i, shape=s) for i, s in zip(case.inputs, shapes, strict=True))
    return attrs.evolve(case, sizes=tuple(sorted(sizes.items())), inputs=made)


def grown(capture: Capture, sizes: Mapping[str, int]) -> Sizes | None:
    """About twice these sizes, odd ones staying odd, up to the problem's own; None when they are there."""
    bigger = {}
    for symbol, own, _, high in capture.free_sizes:
        value = sizes[symbol]
        bigger[symbol] = max(value, min(2 * value + value % 2, own, high))
    return bigger if bigger != dict(sizes) else None


def shape_at(spec: InputSpec, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of one input; a dimension whose expression is not understood keeps the problem's size."""
    assert spec.value is not None, "a number has no shape"
    dims = zip(spec.value.dims, spec.value.shape, strict=True)
    return tuple(max(0, own if (n := evaluate(d, sizes)) is None else n) for d, own in dims)


def _leading(inputs: Sequence[InputSpec]) -> set[str]:
    values = [spec.value for spec in inputs if spec.value is not None]
    return {v.dims[0] for v in values if len(v.dims) > 1}


def _trailing(capture: Capture) -> list[str]:
    """Free sizes that are the last dimension of some input, and no batch size."""
    values = [spec.value for spec in capture.inputs if spec.value is not None]
    last = {v.dims[-1] for v in values if v.dims} - _leading(capture.inputs)
    return [symbol for symbol, _, _, _ in capture.free_sizes if symbol in last]


def _label(capture: Capture, symbol: str) -> str:
    """A free size by where it is first seen: "x_dim0"."""
    for spec in capture.inputs:
        if spec.value is not None and symbol in spec.value.dims:
            return f"{spec.name}_dim{spec.value.dims.index(symbol)}"
    return symbol


@attrs.frozen
class _Maker:
    """Builds cases of one capture and keeps them within the budget of work."""

    capture: Capture
    seed: int

    def fits(self, sizes: Sizes) -> bool:
        return work(self.capture, sizes).within(MAX_WORK)

    def everywhere(self, name: str, sizes: Sizes, values: str, full: bool = False) -> Iterator[Case]:
        """The case in training mode and, where its graph differs, in evaluation mode."""
        modes = (True,) if self.capture.same else (True, False)
        for training in modes:
            yield self._case(name if training else f"{name}_eval", sizes, values, training, full=full)

    def one(
        self, name: str, sizes: Sizes, values: str, layout: str = "contiguous", full: bool = False
    ) -> Iterator[Case]:
        """The case in the mode a fresh module is in. A layout that fits no input is left out."""
        case = self._case(name, sizes, values, True, layout, full)
        if layout == "contiguous" or any(i.layout == layout for i in case.inputs):
            yield case

    def _case(
        self,
        name: str,
        sizes: Sizes,
        values: str,
        training: bool,
        layout: str = "contiguous",
        full: bool = False,
    ) -> Case:
        specs = [s for s in self.capture.inputs if s.value is not None]
        made = tuple(_input(spec, sizes, values, layout) for spec in specs)
        return Case(name, tuple(sorted(sizes.items())), made, training, self.seed, full)


def _input(spec: InputSpec, sizes: Sizes, values: str, layout: str) -> InputCase:
    assert spec.value is not None, "only tensors are made"
    shape = shape_at(spec, sizes)
    needed = {"contiguous": 0, "misaligned": 1, "sliced": 1, "expanded": 2, "transposed": 2}[layout]
    return InputCase(shape, spec.value.dtype, values, layout if len(shape) >= needed else "contiguous")


def _shape_cases(maker: _Maker, base: Sizes) -> Iterator[Case]:
    """Odd shapes, each kept only when it differs from what came before and fits the budget."""
    seen = [base]
    for name, sizes in _odd_sizes(maker, base):
        allowed = all(
            low <= sizes[s] <= high or sizes[s] in (0, 1) for s, _, low, high in maker.capture.free_sizes
        )
        if allowed and _allowed(maker.capture, sizes) and sizes not in seen and maker.fits(sizes):
            seen.append(sizes)
            mode = maker.everywhere if name == "prime_sizes" else maker.one
            yield from mode(name, sizes, "normal")


def _odd_sizes(maker: _Maker, base: Sizes) -> Iterator[tuple[str, Sizes]]:
    capture = maker.capture
    groups = _groups(capture)
    leading = [g for g in groups if set(g) & _leading(capture.inputs)]
    yield "prime_sizes", _by_group(capture, PRIMES, None)
    for group in groups:
        yield f"{_label(capture, group[0])}_is_1", base | dict.fromkeys(group, 1)
    for width in (*LAST_DIMS, ALIGNED_DIM):
        yield f"last_dim_{width}", base | dict.fromkeys(_trailing(capture), width)
    for widths in (LONG_DIMS, LONG_ALIGNED_DIMS):
        short = base | dict.fromkeys((s for group in leading for s in group), 2)
        long = [(w, short | dict.fromkeys(_trailing(capture), w)) for w in widths]
        yield from [(f"last_dim_{w}", sizes) for w, sizes in long if maker.fits(sizes)][:1]
    for group in leading:
        yield f"many_{_label(capture, group[0])}", base | dict.fromkeys(group, 1031)
        yield f"empty_{_label(capture, group[0])}", base | dict.fromkeys(group, 0)


__all__ = ["at_sizes", "cases", "fitted_sizes", "grown", "shape_at", "shrunk_sizes"]
