import torch

source = """
// see C:\Users\me
__global__ void k() {}
"""
