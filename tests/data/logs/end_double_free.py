import ctypes

native = ctypes.CDLL("./native.so")
native.free_twice()
