"""DG547."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import RaisedFamily, Saying


class ShapesDoNotFit(RaisedFamily):
    """A function of torch is given tensors whose shapes do not fit each other or the function.

    Each operation has its rule: cat wants all sizes equal but the one it joins, element-wise operations
    sizes that are equal or 1, mm two matrices, a convolution as many channels as its weight has. The
    message names the sizes that were met; the sizes of a batch or a padding are forgotten most often.

    Print the shapes before this line. Bring them together with reshape, transpose, unsqueeze or expand, or
    correct the tensor that is wrong, which is often the result of the own kernel.
    """

    code = "DG547"
    name = "shapes-do-not-fit"
    CASES = (
        Case("torch_cat_sizes", line=5),
        Case("torch_stack_sizes", line=3),
        Case("torch_expand", line=3),
        Case("torch_bmm", line=3),
        Case("torch_conv_channels", line=3),
        Case("torch_maxpool", line=3),
        Case("torch_layer_norm", line=3),
        Case("torch_cross", line=3),
        Case("torch_gather", line=3),
        Case("torch_negative_dim", line=3),
        Case("torch_narrow", line=3),
        Case("torch_split", line=3),
        Case("torch_matmul_1d", line=3),
        Case("torch_setstorage", line=3),
        Case("torch_cross_range", line=3),
        Case("torch_tensor_ragged", line=3),
    )
    SAYINGS = (
        Saying(
            ("Sizes of tensors must match except in dimension <dim>. Expected size <a> but got size <b>",),
            "tensors of sizes {a} and {b} are joined in another dimension than {dim}",
            "all sizes but that of the joined dimension must be equal",
        ),
        Saying(
            ("stack expects each tensor to be equal size, but got <a> at entry 0 and <b>",),
            "tensors of the shapes {a} and {b} are stacked",
            "stack takes equal shapes; cat joins along a dimension that exists",
        ),
        Saying(
            ("The expanded size of the tensor (<a>) must match the existing size (<b>)",),
            "a size {b} cannot be expanded to {a}",
            "only sizes of 1 expand; use repeat, or unsqueeze where the dimension belongs",
        ),
        Saying(
            (
                "Expected size for first two dimensions of batch2 tensor to be: <a> but got: <b>",
                "batch1 must be a 3D",
                "batch2 must be a 3D",
            ),
            "the batches of a batched product do not fit",
            "bmm takes (b, n, m) and (b, m, p)",
        ),
        Saying(
            ("Given groups=<g>, weight of size <w>, expected input... to have <a> channels, but got <b>",),
            "the input has {b} channels and the weight {w} takes {a}",
            "check the order of dimensions (N, C, H, W) and the layer's in_channels",
        ),
        Saying(
            (
                "Given input size: (<a>). Calculated output size: (<b>). Output size is too small",
                "Calculated padded input size per channel",
                "Kernel size can't be greater",
            ),
            "the input is smaller than the window",
            "print its shape; reduce kernel_size or add padding",
        ),
        Saying(
            ("Given normalized_shape=<a>, expected input with shape ..., but got input of size<b>",),
            "layer_norm over {a} is given an input of size {b}",
            "normalized_shape is the input's last sizes",
        ),
        Saying(
            (
                "Expected input batch_size (<a>) to match target batch_size (<b>)",
                "Using a target size (...)",
            ),
            "input and target have different sizes",
            "compare their first dimensions; flatten both the same way",
        ),
        Saying(
            (
                "Size does not match at dimension <d> expected index",
                "Expected index ... to be smaller than self",
                "Index tensor must have the same number of dimensions",
            ),
            "the index tensor of gather or scatter is larger than the tensor",
            "sizes of the index may be smaller, never larger, except in the gathered dimension",
        ),
        Saying(
            (
                "Trying to create tensor with negative dimension <d>",
                "negative dimensions are not allowed",
            ),
            "a tensor with the negative size {d} is asked for",
            "look at the calculation of the size",
        ),
        Saying(
            ("start (<a>) + length (<b>) exceeds dimension size (<c>)",),
            "a piece from {a} of length {b} lies outside of a dimension of {c}",
            "compare start and length with .size()",
        ),
        Saying(
            (
                "split_with_sizes expects split_sizes to sum exactly to <a>",
                "chunk expects `chunks` to be greater",
            ),
            "the sizes of the pieces do not add up",
            "they must sum to the size of the dimension",
        ),
        Saying(
            (
                "self must be a matrix",
                "mat2 must be a matrix",
                "vector and vector expected",
                "matrix and vector expected",
                "permute(...): number of dimensions",
                "t() expects a tensor with <= 2",
                "must be a matrix",
            ),
            "a tensor has another number of dimensions than the function takes",
            "print .shape; matmul takes any, mm matrices only; permute names every dimension once",
        ),
        Saying(
            (
                "The size of tensor a (<a>) must match the size of tensor b (<b>) at non-singleton dimension <d>",
            ),
            "sizes {a} and {b} meet in dimension {d}",
            "only equal sizes and 1 go together: unsqueeze or transpose one of the tensors",
        ),
        Saying(
            (
                "setStorage: sizes",
                "self.size(-1) must be divisible",
            ),
            "a view reaches outside of the tensor's memory",
            "compute sizes and strides again; use reshape where a copy is fine",
        ),
        Saying(
            (
                "Target <t> is out of bounds",
                "index out of range in self",
            ),
            "an index or a class number is larger than the table",
            "labels and indices go from 0 to the number of classes minus 1",
        ),
        Saying(
            ("expected sequence of length <a> at dim <d> (got <b>)",),
            "lists of different lengths cannot become one tensor: {a} and {b}",
            "make all rows equally long, or pad them",
        ),
        Saying(
            ("cannot resize variables that require grad",),
            "the size of a tensor that requires grad is changed",
            "make a new tensor, or use .detach()",
        ),
    )
