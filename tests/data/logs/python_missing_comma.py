import torch

args = dict(
    name='relu'
    sources=''
)
