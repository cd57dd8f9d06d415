"""C++ names from mangled ones, by the C++ runtime of this machine."""

from __future__ import annotations

import ctypes
import functools


@functools.cache
def _runtime() -> tuple[ctypes.CDLL, ctypes.CDLL] | None:
    for name in ("libstdc++.so.6", "libc++abi.so.1", "libc++.1.dylib"):
        try:
            runtime, own = ctypes.CDLL(name), ctypes.CDLL(None)
        except OSError:
            continue
        runtime.__cxa_demangle.restype = ctypes.c_void_p
        own.free.argtypes = [ctypes.c_void_p]
        return runtime, own
    return None


def demangle(symbol: str) -> str | None:
    """The C++ name of an Itanium-mangled symbol; None when it is none, or no C++ runtime is here."""
    found = _runtime()
    if found is None or not symbol.startswith("_Z"):
        return None
    runtime, own = found
    status = ctypes.c_int(0)
    text = runtime.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not text or status.value != 0:
        return None
    try:
        return ctypes.string_at(text).decode()
    finally:
        own.free(text)
