import fused_ops

print(fused_ops.scale)
