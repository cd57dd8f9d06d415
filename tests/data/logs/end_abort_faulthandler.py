import ctypes
import faulthandler

faulthandler.enable()
native = ctypes.CDLL("./native.so")


def forward():
    native.throws()


forward()
