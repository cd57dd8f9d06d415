import torch

source = """
printf("%d\\n", i); x[0] = %d;
""" % 4
