"""The host functions of the scans, as text."""

from __future__ import annotations

import attrs

from cudasmith.ops._families import host
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops.scan.pattern import Scan

_STREAM = "c10::cuda::getCurrentCUDAStream()"
_CHECK = "C10_CUDA_KERNEL_LAUNCH_CHECK();"
_FUNCTORS = {"sum": "SumOp", "prod": "ProdOp", "max": "MaxOp", "min": "MinOp", "logsumexp": "LogSumExpOp"}


@attrs.frozen
class Form:
    """What the text depends on. `value`: the C++ type of a result; `indices`: the second output is wanted."""

    scan: Scan
    value: str
    indices: bool = False

    @property
    def rank(self) -> int:
        return len(self.scan.main.dims)

    @property
    def last(self) -> bool:
        """Elements of a slice are neighbours in memory."""
        return self.scan.dim >= self.rank - 1

    @property
    def extreme(self) -> bool:
        return self.scan.op in ("max", "min")

    @property
    def functor(self) -> str:
        return _FUNCTORS[self.scan.op]

    def flags(self) -> str:
        return f"{str(self.scan.reverse).lower()}, {str(self.scan.exclusive).lower()}"

    def state_words(self) -> int:
        """Registers that one running state takes."""
        words = 2 if self.value in ("double", "int64_t") else 1
        return 2 * words if self.extreme or self.scan.op == "logsumexp" else words


def functor(form: Form, index: str) -> tuple[str, str]:
    """The operator's C++ type and the expression that makes one. `index`: type that positions are kept in."""
    if not form.extreme:
        return f"{form.functor}<{form.value}>", f"{form.functor}<{form.value}>{{}}"
    limits = f"std::numeric_limits<{form.value}>"
    least = f"-{limits}::infinity()" if form.value in ("float", "double") else f"{limits}::lowest()"
    most = f"{limits}::infinity()" if form.value in ("float", "double") else f"{limits}::max()"
    name = f"{form.functor}<{form.value}, {index}>"
    pointer = "indices.mutable_data_ptr<int64_t>()" if form.indices else "nullptr"
    return name, f"{name}{{{least if form.scan.op == 'max' else most}, {pointer}}}"


def prologue(form: Form, load: Load, store: Store) -> list[str]:
    """Checks, the outputs, and the sizes `length`, `inner`, `slices` of the result."""
    lines = host.opening(load)
    own_sizes = (
        form.scan.extra
        or form.scan.cut
        or form.indices
        or "out_sizes" in "".join(store.checks) + store.construct
    )
    if not own_sizes:
        lines.append(
            f"torch::Tensor out = torch::empty({load.sizes}, {load.like}.options().dtype({store.dtype}));"
        )
    else:
        lines.append(f"std::vector<int64_t> out_sizes = c10::IntArrayRef({load.sizes}).vec();")
    if form.scan.extra:
        lines.append(f"out_sizes[{form.scan.dim}] += {form.scan.extra};")
    if form.scan.cut:
        lines.append(f"out_sizes[0] = std::max<int64_t>(0, out_sizes[0] - {form.scan.cut});")
    lines += host.allocate(load, store) if own_sizes else []
    if form.indices:
        lines.append(
            f"torch::Tensor indices = torch::empty(out_sizes, {load.like}.options().dtype(torch::kLong));"
        )
    lines.append(f"if (out.numel() == 0) return {result(form)};")
    length = f"out.size({form.scan.dim})" if form.rank else "1"
    lines.append(f"const int64_t length = {length}, slices = out.numel() / length;")
    if not form.last:
        lines.append(f"const int64_t inner = out.stride({form.scan.dim});")
    return lines


def result(form: Form) -> str:
    return "{out, indices}" if form.indices else "out"


def in_length(form: Form) -> str:
    """Host expression for the number of elements read per slice."""
    return f"length - {form.scan.extra}" if form.scan.extra else "length"


def minimal_launch(form: Form, load: Load, store: Store) -> list[str]:
    """One thread per slice."""
    _, make = functor(form, "int64_t")
    inner = "1" if form.last else "inner"
    lengths = f"{in_length(form)}, length" if form.scan.exclusive else "length"
    kernel = "exclusive_scan_thread_per_slice" if form.scan.exclusive else "scan_thread_per_slice"
    return [
        f"{kernel}<{str(form.scan.reverse).lower()}><<<(slices + 255) / 256, 256, 0, {_STREAM}>>>(",
        f"    {make}, {load.construct},",
        f"    {store.construct}, slices, {lengths}, {inner});",
        _CHECK,
    ]


def fast_launch(form: Form, load: Load, store: Store) -> list[str]:
    """The kernel for these sizes, chosen at run time."""
    op_type, make = functor(form, "uint32_t")
    inner = "1" if form.last else "inner"
    device = f"{load.like}.get_device()"
    lines = [
        f"const {load.name} load{load.construct.removeprefix(load.name)};",
        f"const {store.name} store{store.construct.removeprefix(store.name)};",
        f"using Op = {op_type};",
        f"const Op op{make.removeprefix(op_type)};",
        f"ScanShape shape{{slices, {in_length(form)}, length, {inner}, 1, length}};",
        f"const cudaStream_t stream = {_STREAM};",
        "int sms = 0;",
        f"C10_CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, {device}));",
    ]
    if form.extreme:
        lines.insert(0, 'TORCH_CHECK(length <= UINT32_MAX, "positions are kept in 32 bits");')
    return lines + (_rows(form, load, store) if form.last else _columns(form, load))


def _rows(form: Form, load: Load, store: Store) -> list[str]:
    n = min(8, host.pack_elems(load, store))
    packs = max(1, 16 // (n * form.state_words()))
    flags, sizes = form.flags(), f"{packs}, {n}"
    tests = [host.aligned(load, store)] if host.aligned(load, store) != "true" else []
    tests += [f"length % {n} == 0"] + ([f"shape.in_length % {n} == 0"] if form.scan.extra else [])
    return [
        f"const bool packed = {' && '.join(tests)};",
        f"const int64_t pack = packed ? {n} : 1;",
        "if (length <= 32 * pack) {",
        "  int width = 1;",
        "  while (width * pack < length) width *= 2;",
        f"  const int64_t rows = 8 * {packs} * (32 / width);",
        f"  scan_lanes_per_row<{flags}, {sizes}>",
        "      <<<(slices + rows - 1) / rows, 256, 0, stream>>>(op, load, store, shape, width, packed);",
        f"  {_CHECK}",
        "} else if (length <= 1024) {",
        f"  scan_warp_per_row<{flags}, {sizes}>",
        "      <<<(slices + 7) / 8, 256, 0, stream>>>(op, load, store, shape, packed);",
        f"  {_CHECK}",
        "} else {",
        f"  if (slices < 2 * sms) shape.split({256 * packs * n}, (8 * sms) / slices);",
        *_split_launch("scan_block_per_row", flags, f"8, {sizes}", "slices", "packed, ", load),
        "}",
    ]


def _columns(form: Form, load: Load) -> list[str]:
    rows = max(4, 16 // form.state_words())
    flags = form.flags()
    return [
        f"if (length <= {rows} || slices >= 2048 * static_cast<int64_t>(sms)) {{",
        f"  scan_thread_per_column<{flags}, {rows // 2}>",
        "      <<<(slices + 255) / 256, 256, 0, stream>>>(op, load, store, shape);",
        f"  {_CHECK}",
        "} else {",
        "  const int64_t groups = (slices + 31) / 32;",
        f"  if (groups < 2 * sms) shape.split({8 * rows}, (8 * sms) / groups);",
        *_split_launch("scan_block_per_columns", flags, f"8, {rows}", "groups", "", load),
        "}",
    ]


def _split_launch(kernel: str, flags: str, sizes: str, units: str, packed: str, load: Load) -> list[str]:
    """Totals of the chunks where there are several, then the scan that starts from them."""
    count = "static_cast<int64_t>(slices * shape.chunks * sizeof(Op::state))"
    return [
        "  torch::Tensor room;",
        "  Op::state* totals = nullptr;",
        "  if (shape.chunks > 1) {",
        f"    const int64_t room_bytes = {count};",
        f"    room = torch::empty({{room_bytes}}, {load.like}.options().dtype(torch::kByte));",
        "    totals = reinterpret_cast<Op::state*>(room.mutable_data_ptr<uint8_t>());",
        f"    {kernel}<{flags}, true, {sizes}>",
        f"        <<<{units} * shape.chunks, 256, 0, stream>>>(op, load, store, shape, {packed}totals);",
        f"    {_CHECK}",
        "  }",
        f"  {kernel}<{flags}, false, {sizes}>",
        f"      <<<{units} * shape.chunks, 256, 0, stream>>>(op, load, store, shape, {packed}totals);",
        f"  {_CHECK}",
    ]
