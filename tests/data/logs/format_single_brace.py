import torch

source = """
x[0] = {value}; }
""".format(value=1)
