import ctypes

native = ctypes.CDLL("./native.so")
native.throws()
