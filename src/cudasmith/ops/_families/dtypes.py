"""dtype names in their three spellings: torch's, the host's, the device's; and the accumulate type."""

from __future__ import annotations

# torch name -> (torch::k constant, host data_ptr type, device storage type, device compute type)
_TABLE = {
    "float32": ("torch::kFloat", "float", "float", "float"),
    "float64": ("torch::kDouble", "double", "double", "double"),
    "float16": ("torch::kHalf", "at::Half", "__half", "float"),
    "bfloat16": ("torch::kBFloat16", "at::BFloat16", "__nv_bfloat16", "float"),
    "int8": ("torch::kChar", "int8_t", "int8_t", "int8_t"),
    "uint8": ("torch::kByte", "uint8_t", "uint8_t", "uint8_t"),
    "int16": ("torch::kShort", "int16_t", "int16_t", "int16_t"),
    "int32": ("torch::kInt", "int", "int", "int"),
    "int64": ("torch::kLong", "int64_t", "int64_t", "int64_t"),
    "bool": ("torch::kBool", "bool", "bool", "bool"),
}
_BYTES = {"float32": 4, "float64": 8, "float16": 2, "bfloat16": 2, "int8": 1, "uint8": 1, "int16": 2,
          "int32": 4, "int64": 8, "bool": 1}  # fmt: skip


def known(dtype: str) -> bool:
    """True when kernels can be written for this dtype."""
    return dtype in _TABLE


def torch_constant(dtype: str) -> str:
    return _TABLE[dtype][0]


def host_type(dtype: str) -> str:
    return _TABLE[dtype][1]


def storage_type(dtype: str) -> str:
    """The type of one element in memory, as device code names it."""
    return _TABLE[dtype][2]


def compute_type(dtype: str) -> str:
    """The type arithmetic is done in: float for half types, else the dtype itself."""
    return _TABLE[dtype][3]


def size_bytes(dtype: str) -> int:
    return _BYTES[dtype]


def is_float(dtype: str) -> bool:
    return dtype in ("float32", "float64", "float16", "bfloat16")


def data_ptr(tensor: str, dtype: str, *, mutable: bool = False) -> str:
    """Host expression for the typed device pointer of `tensor`."""
    call = f"{tensor}.{'mutable_data_ptr' if mutable else 'const_data_ptr'}<{host_type(dtype)}>()"
    if host_type(dtype) == storage_type(dtype):
        return call
    const = "" if mutable else "const "
    return f"reinterpret_cast<{const}{storage_type(dtype)}*>({call})"


def to_compute(expression: str, dtype: str) -> str:
    """Device expression: a stored element to its compute type."""
    if dtype == "float16":
        return f"__half2float({expression})"
    if dtype == "bfloat16":
        return f"__bfloat162float({expression})"
    return expression


def to_storage(expression: str, dtype: str) -> str:
    """Device expression: a value of the compute type to its stored form, rounding to nearest even."""
    if dtype == "float16":
        return f"__float2half_rn({expression})"
    if dtype == "bfloat16":
        return f"__float2bfloat16_rn({expression})"
    return expression
