import ctypes

native = ctypes.CDLL("./native.so")
native.divide(4, 0)
