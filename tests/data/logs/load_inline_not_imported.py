import torch
import torch.nn as nn

module = load_inline(name='relu', cpp_sources='', functions=['f'])
