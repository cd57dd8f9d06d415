from pathlib import Path
from torch.utils.cpp_extension import load_inline

m = load_inline(name="a", cpp_sources=Path("relu.cpp"), functions=["f"])
