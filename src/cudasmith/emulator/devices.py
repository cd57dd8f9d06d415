"""On which device a tensor would lie: the candidate's Python code meets `cuda` where a CPU works for it.

Checked mode knows the home of much of its memory: the host where a function made it without naming a GPU, the device where
one was named or it was moved. What it does not know is neither told nor refused.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack
from torch.utils._device import DeviceContext, _device_constructors

from cudasmith.emulator.runtime import mode, runtime

UNKNOWN, HOST, DEVICE = 0, 1, 2  # as the runtime counts them
CUDA = torch.device("cuda", 0)
_EMPTY = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted"}
_NAMING = {"_parse_to", "set_default_device"}  # take a device and make no tensor
_PLAIN = (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)  # subclasses may have no memory of their own
_UNTOLD = {"__get__", "__set__", "pin_memory", "_shape_as_tensor", "pack_padded_sequence"}
# Operators that refuse tensors of two devices. Others take indices, lengths or values from the host.
_ARITHMETIC = (
    "add",
    "sub",
    "mul",
    "div",
    "radd",
    "rsub",
    "rmul",
    "rdiv",
    "truediv",
    "rtruediv",
    "iadd",
    "isub",
    "imul",
)
_ONE_DEVICE = {form for n in _ARITHMETIC for form in (n, f"{n}_", f"__{n}__")} | {
    "matmul", "__matmul__", "mm", "bmm", "linear", "cat", "stack", "addmm", "conv1d", "conv2d", "conv3d",
}  # fmt: skip


class _AnyGenerator(type(torch.Generator)):  # type: ignore[misc]
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, _TORCHS_GENERATOR)


_TORCHS_GENERATOR = torch.Generator


class Generator(torch.Generator, metaclass=_AnyGenerator):  # type: ignore[misc]
    """torch.Generator, which on the device "cuda" is a CPU's that says so."""

    def __new__(cls, device: Any = "cpu") -> Generator:
        made: Generator = super().__new__(cls, _on_cpu(torch.device(device)))
        return made

    def __init__(self, device: Any = "cpu") -> None:
        self._named = torch.device(device)

    @property
    def device(self) -> torch.device:
        return CUDA if self._named.type == "cuda" else super().device


class CudaIsCpu(TorchFunctionMode):  # type: ignore[misc]
    """Torch functions see the CPU where the candidate says cuda; a tensor says where it would lie."""

    def __init__(self) -> None:
        super().__init__()
        self.truthful = True  # a tensor's device is cuda unless it is known to be the host's

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if self.truthful and (func is torch.device or name in _NAMING):
            return func(*args, **kwargs)
        if name == "__get__" and (attribute := getattr(func, "__self__", None)) is not None:
            if attribute is torch.Tensor.is_cuda:
                return self._is_cuda(args[0])
            if attribute is torch.Tensor.device and self.truthful and self._is_cuda(args[0]):
                return CUDA
        if func is torch.Tensor.get_device and self.truthful and self._is_cuda(args[0]):
            return 0
        if func is torch.Tensor.cuda:
            return _moved(args[0], args[0], DEVICE)
        home = _named(func, args, kwargs)
        if name in _ONE_DEVICE:
            _refuse_two_devices(_tensors((args, kwargs)))
        if home is not None and "device" in kwargs:
            kwargs["device"] = "cpu" if home != UNKNOWN else kwargs["device"]
        taken = [_on_cpu(arg) for arg in args]
        if func is torch.Tensor.to and len(taken) > 1 and type(taken[1]) is int:
            taken[1] = "cpu"
        result = func(*taken, **{key: _on_cpu(value) for key, value in kwargs.items()})
        if name in _EMPTY and mode() == "checked" and kwargs.get("out") is None:
            _track(result)
        return _placed(name, result, args, kwargs, home)

    def _is_cuda(self, tensor: torch.Tensor) -> bool:
        return tensor.device.type == "cpu" and _home(tensor) != HOST


def device_context(self: DeviceContext, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """`with torch.device("cuda")`, in the place of torch's own: below CudaIsCpu nobody else would make it a CPU."""
    kwargs = kwargs or {}
    if func in _device_constructors() and kwargs.get("device") is None:
        seen = any(isinstance(m, CudaIsCpu) for m in _get_current_function_mode_stack())
        kwargs["device"] = self.device if seen else _on_cpu(self.device)
    return func(*args, **kwargs)


@contextlib.contextmanager
def said_truthfully(functions: CudaIsCpu, on: bool) -> Iterator[None]:
    """Inside, a tensor's `device` is what it would be with a GPU, or what it is."""
    before = functions.truthful
    functions.truthful = on
    try:
        yield
    finally:
        functions.truthful = before


def put_on_device(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor, whose own memory is the device's from now on."""
    with torch._C.DisableTorchFunction():  # it would tell the candidate's device
        if _is_plain(tensor) and mode() == "checked":
            runtime().set_home(_data(tensor), DEVICE)
    return tensor


def _on_cpu(value: Any) -> Any:
    """The argument with any CUDA device replaced by the CPU."""
    if isinstance(value, torch.device):
        return torch.device("cpu") if value.type == "cuda" else value
    if isinstance(value, str):
        return "cpu" if value == "cuda" or value.startswith("cuda:") else value
    return value


def _named(func: Any, args: Any, kwargs: dict[str, Any]) -> int | None:
    """The home that a call names for its result; UNKNOWN for another device, None where it names none."""
    if func is torch.Tensor.cpu:
        return HOST
    if func is torch.Tensor.to:
        given = args[1] if len(args) > 1 else kwargs.get("device", kwargs.get("other"))
        if isinstance(given, torch.Tensor):
            return HOST if _home(given) == HOST else DEVICE
        return _home_on(given)
    if (home := _home_on(kwargs.get("device"))) is not None:
        return home
    if func not in _device_constructors():
        return None
    if (default := _default_device()).type == "cuda":
        kwargs["device"] = default
        return DEVICE
    if _tensors((args, kwargs)):
        return None
    return UNKNOWN if default.type != "cpu" or kwargs.get("pin_memory") else HOST


def _default_device() -> torch.device:
    """Of `with torch.device(...)` and set_default_device."""
    contexts = [m for m in _get_current_function_mode_stack() if isinstance(m, DeviceContext)]
    whole = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
    context = contexts[-1] if contexts else whole
    return torch.device("cpu") if context is None else context.device


def _home_on(device: Any) -> int | None:
    if type(device) is int:
        return DEVICE
    if isinstance(device, str):
        device = torch.device(device)
    if not isinstance(device, torch.device):
        return None
    return {"cuda": DEVICE, "cpu": HOST}.get(device.type, UNKNOWN)


def _placed(name: str, result: Any, args: Any, kwargs: dict[str, Any], home: int | None) -> Any:
    """The result, whose home is noted; a copy where a GPU's memory would be another than the host's."""
    if mode() != "checked" or name in _UNTOLD or home == UNKNOWN or kwargs.get("pin_memory"):
        return result
    given = _tensors((args, kwargs))
    if home is not None:
        if not _is_plain(result):
            return result
        source = next((t for t in given if _data(t) == _data(result)), None)
        if source is not None:
            return _moved(result, source, home)
        runtime().set_home(_data(result), home)
        return result
    homes = {_home(t) for t in given}
    if len(homes) == 1 and (common := homes.pop()) != UNKNOWN and type(result) in (torch.Tensor, list, tuple):
        for one in _tensors(result):
            if _home(one) == UNKNOWN:
                runtime().set_home(_data(one), common)
    return result


def _moved(result: torch.Tensor, source: torch.Tensor, home: int) -> torch.Tensor:
    """`result`, which may be `source`, on the device or on the host: in memory of its own where that is another."""
    if _home(source) in (UNKNOWN, home):
        return result
    if _data(result) == _data(source):
        result = result.clone()
    runtime().set_home(_data(result), home)
    return result


def _refuse_two_devices(given: list[torch.Tensor]) -> None:
    """Raises: RuntimeError in torch's words."""
    if mode() != "checked" or len(given) < 2:
        return
    homes = [_home(t) for t in given]
    if DEVICE in homes and any(home == HOST and t.dim() > 0 for home, t in zip(homes, given, strict=True)):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
        )


def _tensors(value: Any) -> list[torch.Tensor]:
    """Those with memory, in tuples, lists and dicts."""
    if isinstance(value, torch.Tensor):
        return [value] if _is_plain(value) else []
    if isinstance(value, dict):
        value = list(value.values())
    return [t for one in value for t in _tensors(one)] if isinstance(value, (list, tuple)) else []


def _is_plain(value: Any) -> bool:
    return type(value) in _PLAIN and value.device.type == "cpu" and value.layout is torch.strided


def _data(tensor: torch.Tensor) -> int:
    """Where its memory begins; 0 where it has none."""
    try:
        return int(tensor.untyped_storage().data_ptr())
    except (RuntimeError, NotImplementedError):  # a tensor of torch.func
        return 0


def _home(tensor: torch.Tensor) -> int:
    return int(runtime().home(_data(tensor))) if mode() == "checked" and _is_plain(tensor) else UNKNOWN


def _track(made: Any) -> None:
    """Tells checked mode of a tensor without values. Fake and meta tensors have no memory."""
    if type(made) is torch.Tensor and made.device.type == "cpu" and made.layout is torch.strided:
        runtime().track(made.untyped_storage().data_ptr())
