import torch
from torch.utils.cpp_extension import load_inline

for attempt in (1, 2):
    try:
        module = load_inline(name="retry_after_failure", cpp_sources=["int f( {"], no_implicit_headers=True)
    except RuntimeError:
        print("build failed, trying again")
