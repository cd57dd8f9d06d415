import torch

source = """
__global__ void k(float* x) { x[0] = {value}; }
""".format(value=1)
