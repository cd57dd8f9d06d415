import torch

source = """
int r = i % n; x[r] = %d;
""" % 4
