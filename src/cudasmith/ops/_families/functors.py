"""Writes the Load and Store functors of one kernel: pointers in, pointwise work inside."""

from __future__ import annotations

import attrs

from cudasmith.model import Graph, HostParam, Ref, Tier, Value
from cudasmith.ops._families import dtypes
from cudasmith.ops._families.access import Load, Store
from cudasmith.ops._families.pointwise import Group, identifier, statements

PACK = """\
template <typename T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) Pack {  // N neighbours, moved by one access
  T at[N];
};"""

BROADCAST = """\
template <int D>
struct Broadcast {  // linear index of the result -> element of an operand with fewer sizes
  int64_t size[D], stride[D];
  __device__ int64_t operator()(int64_t i) const {
    int64_t at = 0;
    if (i <= 0x7fffffff) {  // 32-bit division is several times faster
      uint32_t rest = static_cast<uint32_t>(i);
#pragma unroll
      for (int d = D - 1; d > 0; --d) {
        const uint32_t extent = static_cast<uint32_t>(size[d]);
        at += (rest % extent) * stride[d];
        rest /= extent;
      }
      return at + rest * stride[0];
    }
    for (int d = D - 1; d >= 0; --d) {
      at += (i % size[d]) * stride[d];
      i /= size[d];
    }
    return at;
  }
};"""

HOST_BROADCAST = """\
template <int D>
static Broadcast<D> broadcast(const torch::Tensor& t, c10::IntArrayRef sizes) {
  const torch::Tensor view = t.expand(sizes);
  Broadcast<D> b;
  for (int d = 0; d < D; ++d) {
    b.size[d] = view.size(d);
    b.stride[d] = view.stride(d);
  }
  return b;
}"""

HOST_ALIGNED = """\
static bool aligned16(const void* p) { return reinterpret_cast<uintptr_t>(p) % 16 == 0; }"""


@attrs.frozen
class Leaf:
    """One tensor operand. `kind`: "same" (index i), "scalar" (one element), "strided" (broadcast)."""

    value: Value
    kind: str

    @property
    def id(self) -> str:
        return identifier(self.value.name)

    @property
    def stored(self) -> str:
        return dtypes.storage_type(self.value.dtype)

    def element(self, index: str) -> str:
        """Device expression: the operand's value for result index `index`, in its compute type."""
        at = {
            "same": f"{self.id} + {index}",
            "scalar": self.id,
            "strided": f"{self.id} + at_{self.id}({index})",
        }
        read = f"*({at[self.kind]})" if self.stored == "bool" else f"__ldg({at[self.kind]})"
        return dtypes.to_compute(read, self.value.dtype)


def leaf_kind(leaf: Value, dims: tuple[str, ...]) -> str:
    """How a leaf follows an index space with sizes `dims`."""
    if leaf.dims == dims:
        return "same"
    return "scalar" if all(d == "1" for d in leaf.dims) else "strided"


def _leaves(group: Group, dims: tuple[str, ...], skip: str | None = None) -> tuple[Leaf, ...]:
    return tuple(Leaf(v, leaf_kind(v, dims)) for v in group.leaves if v.name != skip)


def _members(leaves: tuple[Leaf, ...], rank: int) -> list[str]:
    lines = []
    for leaf in leaves:
        shape = "[n]" if leaf.kind == "same" else "[1]" if leaf.kind == "scalar" else "broadcast"
        lines.append(f"  const {leaf.stored}* __restrict__ {leaf.id};  // {shape}")
    return lines + [f"  Broadcast<{rank}> at_{leaf.id};" for leaf in leaves if leaf.kind == "strided"]


def _initial(leaves: tuple[Leaf, ...], rank: int, sizes: str) -> list[str]:
    values = [dtypes.data_ptr(leaf.id, leaf.value.dtype) for leaf in leaves]
    return values + [f"broadcast<{rank}>({leaf.id}, {sizes})" for leaf in leaves if leaf.kind == "strided"]


def _checks(leaves: tuple[Leaf, ...], sizes: str | None) -> list[str]:
    lines = [
        f'{leaf.id} = checked({leaf.id}, {dtypes.torch_constant(leaf.value.dtype)}, "{leaf.id}");'
        for leaf in leaves
    ]
    if sizes is not None:
        lines += [
            f'TORCH_CHECK({leaf.id}.sizes() == {sizes}, "{leaf.id} must have sizes ", {sizes}, ", got ", '
            f"{leaf.id}.sizes());"
            for leaf in leaves
            if leaf.kind == "same" and f"{leaf.id}.sizes()" != sizes
        ]
    return lines


def _pack_reads(leaves: tuple[Leaf, ...]) -> list[str]:
    return [
        f"    const auto {leaf.id}_ = *reinterpret_cast<const Pack<{leaf.stored}, N>*>({leaf.id} + i);"
        for leaf in leaves
        if leaf.kind == "same"
    ]


def _pack_argument(leaf: Leaf) -> str:
    if leaf.kind != "same":
        return leaf.element("i + k")
    return dtypes.to_compute(f"{leaf.id}_.at[k]", leaf.value.dtype)


def _aligned(leaves: tuple[Leaf, ...]) -> str:
    same = [f"aligned16({leaf.id}.const_data_ptr())" for leaf in leaves if leaf.kind == "same"]
    return " && ".join(same) if same else "true"


def _bytes(leaves: tuple[Leaf, ...]) -> int:
    return sum(dtypes.size_bytes(leaf.value.dtype) for leaf in leaves if leaf.kind == "same")


def _largest(leaves: tuple[Leaf, ...]) -> int:
    return max((dtypes.size_bytes(leaf.value.dtype) for leaf in leaves if leaf.kind == "same"), default=4)


def _params(leaves: tuple[Leaf, ...]) -> tuple[HostParam, ...]:
    return tuple(HostParam("torch::Tensor", leaf.id, Ref(leaf.value.name)) for leaf in leaves)


def _eval(graph: Graph, group: Group, result: str) -> list[str]:
    """The pure function of the chain; nothing when the chain is empty."""
    if not group.nodes:
        return []
    args = ", ".join(f"{dtypes.compute_type(v.dtype)} {identifier(v.name)}" for v in group.leaves)
    body = [f"    {line}" for line in statements(graph, group)]
    return [f"  static __device__ {result} eval({args}) {{", *body, "  }"]


def load_functor(graph: Graph, group: Group, fn: str, tier: Tier) -> Load:
    """The Load functor of `group` (no nodes: a plain read) for the host function `fn`."""
    name = "Load" + "".join(part.capitalize() for part in fn.split("_"))
    dims, rank = group.root.dims, len(group.root.dims)
    leaves = _leaves(group, dims)
    value = dtypes.compute_type(group.root.dtype)
    call = (lambda args: f"eval({', '.join(args)})") if group.nodes else (lambda args: args[0])
    lines = [f"struct {name} {{  // {_title(group)}", f"  using value = {value};", *_members(leaves, rank)]
    lines += _eval(graph, group, "value")
    one = call([leaf.element("i") for leaf in leaves])
    lines.append(f"  __device__ value operator()(int64_t i) const {{ return {one}; }}")
    if tier == "fast":
        lines += ["  template <int N>", "  __device__ void pack(int64_t i, value (&v)[N]) const {"]
        lines += _pack_reads(leaves)
        many = call([_pack_argument(leaf) for leaf in leaves])
        lines += ["#pragma unroll", f"    for (int k = 0; k < N; ++k) v[k] = {many};", "  }"]
    lines.append("};")
    full = next((leaf for leaf in leaves if leaf.kind == "same"), None)
    sizes = f"{full.id}.sizes()" if full else _infer_sizes(leaves)
    return Load(
        name=name,
        struct="\n".join(lines),
        params=_params(leaves),
        checks=tuple(_checks(leaves, f"{full.id}.sizes()" if full else None)),
        sizes=sizes,
        construct=f"{name}{{{', '.join(_initial(leaves, rank, sizes))}}}",
        like=(full or leaves[0]).id,
        value=value,
        element_bytes=_largest(leaves),
        aligned=_aligned(leaves),
        fused=tuple(n.name for n in group.nodes),
        bytes_per_element=_bytes(leaves),
    )


def _infer_sizes(leaves: tuple[Leaf, ...]) -> str:
    """Host expression for the broadcast sizes of operands none of which has them all."""
    sizes = f"{leaves[0].id}.sizes()"
    for leaf in leaves[1:]:
        sizes = f"at::infer_size({sizes}, {leaf.id}.sizes())"
    return sizes


def store_functor(graph: Graph, group: Group | None, source: Value, fn: str, tier: Tier) -> Store:
    """The Store functor that takes `source`'s elements, applies `group` (or nothing) and writes."""
    name = "Store" + "".join(part.capitalize() for part in fn.split("_"))
    root = group.root if group else source
    rank = len(root.dims)
    leaves = _leaves(group, root.dims, skip=source.name) if group else ()
    value, stored = dtypes.compute_type(source.dtype), dtypes.storage_type(root.dtype)
    lines = [f"struct {name} {{  // {_title(group) if group else 'out[i] = v'}"]
    lines += [f"  using value = {value};"] if tier == "fast" else []
    lines += [f"  {stored}* __restrict__ out;  // [n]", *_members(leaves, rank)]
    lines += _eval(graph, group, dtypes.compute_type(root.dtype)) if group else []

    def result(v: str, read: dict[str, str]) -> str:
        if not group:
            return dtypes.to_storage(v, root.dtype)
        args = [v if x.name == source.name else read[x.name] for x in group.leaves]
        return dtypes.to_storage(f"eval({', '.join(args)})", root.dtype)

    taken = "value" if tier == "fast" else value
    one = result("v", {leaf.value.name: leaf.element("i") for leaf in leaves})
    lines.append(f"  __device__ void operator()(int64_t i, {taken} v) const {{ out[i] = {one}; }}")
    if tier == "fast":
        many = result("v[k]", {leaf.value.name: _pack_argument(leaf) for leaf in leaves})
        lines += ["  template <int N>", "  __device__ void pack(int64_t i, const value (&v)[N]) const {"]
        lines += [*_pack_reads(leaves), f"    Pack<{stored}, N> packed;", "#pragma unroll"]
        lines += [f"    for (int k = 0; k < N; ++k) packed.at[k] = {many};"]
        lines += [f"    *reinterpret_cast<Pack<{stored}, N>*>(out + i) = packed;", "  }"]
    lines.append("};")
    initial = [dtypes.data_ptr("out", root.dtype, mutable=True), *_initial(leaves, rank, "out_sizes")]
    return Store(
        name=name,
        struct="\n".join(lines),
        params=_params(leaves),
        checks=tuple(_checks(leaves, "c10::IntArrayRef(out_sizes)")),
        construct=f"{name}{{{', '.join(initial)}}}",
        dtype=dtypes.torch_constant(root.dtype),
        value=value,
        element_bytes=max(dtypes.size_bytes(root.dtype), _largest(leaves) if leaves else 0),
        aligned=_aligned(leaves),
        fused=tuple(n.name for n in group.nodes) if group else (),
        bytes_per_element=dtypes.size_bytes(root.dtype) + _bytes(leaves),
    )


def _title(group: Group) -> str:
    """The chain in words: "mul, relu"; the operand's name when it is empty."""
    return ", ".join(n.name for n in group.nodes) if group.nodes else group.leaves[0].name


def device_support(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Shared device chunks that these texts use."""
    joined = "\n".join(texts)
    return tuple(c for c, used in ((PACK, "Pack<"), (BROADCAST, "Broadcast<")) if used in joined)


def host_support(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Shared host helpers that these texts use."""
    joined = "\n".join(texts)
    return tuple(
        c for c, used in ((HOST_BROADCAST, "broadcast<"), (HOST_ALIGNED, "aligned16(")) if used in joined
    )
