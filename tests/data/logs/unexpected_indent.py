import torch

source = ''
    module = None
