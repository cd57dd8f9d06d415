import ctypes

native = ctypes.CDLL("./native.so")


def forward(count):
    native.write_null(None, count)


forward(4)
