import torch

source = f"""
int a[] = {first, second};
"""
