"""DG548."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import RaisedFamily, Saying


class DtypesDoNotFit(RaisedFamily):
    """A function of torch is given a dtype, a device or a memory layout that it does not take.

    Integers have no mean, no softmax and no gradients; results of a calculation in floats do not go back
    into an integer tensor in place; NumPy knows no bfloat16. Some functions take indices of int64 or int32
    only. Tensors on the meta device have no values.

    Convert before the call: .float(), .long(), .to(other.dtype), .cpu(); then compare with what the kernel
    expects.
    """

    code = "DG548"
    name = "dtypes-do-not-fit"
    CASES = (
        Case("torch_out_cast", line=4),
        Case("torch_grad_int", line=3),
        Case("torch_mean_int", line=3),
        Case("torch_allclose_dtype", line=3),
        Case("torch_overlap", line=4),
        Case("torch_sparse", line=3),
        Case("torch_half_np", line=3),
        Case("torch_np_dtype", line=4),
        Case("torch_from_blob_np", line=4),
        Case("torch_bool_and", line=3),
        Case("torch_device_str", line=3),
        Case("torch_index_dtype", line=3),
    )
    SAYINGS = (
        Saying(
            ("result type <a> can't be cast to the desired output type <b>",),
            "a result of type {a} does not fit into a tensor of type {b}",
            "write x = x + ... instead of x += ..., or convert: .to(torch.float32)",
        ),
        Saying(
            ("Only Tensors of floating point and complex dtype can require gradients",),
            "a tensor of whole numbers cannot require gradients",
            "convert it with .float(), or leave requires_grad out",
        ),
        Saying(
            (
                "<f>(): could not infer output dtype",
                "<f>(): Expected dtype",
                "<f>: Expected a floating",
                "Expected tensor for argument #<n> `name` to have one of the following scalar types",
                "<f> does not support",
            ),
            "a function of torch does not take this dtype",
            "convert with .float() for values, .long() for indices",
        ),
        Saying(
            (
                "<a> did not match <b>",
                "expected m1 and m2 to have the same dtype",
                "Expected ... to have the same dtype",
                "Index put requires the source and destination dtypes match",
                "expected scalar type <a> but found <b>",
            ),
            "tensors of different dtypes meet: {a} and {b}",
            "convert one: x.to(y.dtype)",
        ),
        Saying(
            (
                "unsupported operation: more than one element of the written-to tensor",
                "unsupported operation: some elements of the input tensor and the written-to",
            ),
            "a tensor whose elements share memory is written to",
            "clone() it first: expand makes one element stand for many",
        ),
        Saying(
            (
                "Cannot access data pointer of Tensor that",
                "Cannot access storage of",
                "Cannot access data pointer of",
                "... sparse tensors do not have",
            ),
            "a tensor without plain memory is given (sparse, meta, or fake)",
            "pass .to_dense(), or a tensor of a real device",
        ),
        Saying(
            (
                "can't convert meta device type tensor",
                "Cannot copy out of meta tensor",
            ),
            "a tensor on the meta device has no values",
            "make it on a real device, or use to_empty(device=...)",
        ),
        Saying(
            (
                "Got unsupported ScalarType <t>",
                "can't convert np.ndarray of type <t>",
            ),
            "NumPy and torch do not share this type: {t}",
            "convert before: .float() for bfloat16, array.astype(numpy.float32) for others",
        ),
        Saying(
            ("At least one stride in the given numpy array is negative",),
            "the NumPy array runs backwards, which no tensor can",
            "write torch.from_numpy(array.copy())",
        ),
        Saying(
            (
                "Subtraction, the ... operator, with two bool",
                "Negation, the ... operator, on a bool",
            ),
            "bool tensors cannot be subtracted",
            "use ^ or logical_xor, or convert with .int()",
        ),
        Saying(
            (
                "Expected one of cpu, cuda",
                "Invalid device string",
                "Unknown device",
            ),
            "the device has no such name",
            'write "cuda", "cuda:0" or "cpu"',
        ),
        Saying(
            (
                "torch.cuda.Stream requires CUDA",
                "torch.cuda.Event requires CUDA",
                "Tried to instantiate dummy base class",
            ),
            "the installed torch has no CUDA",
            "install a build of torch with CUDA, or guard the line with torch.cuda.is_available()",
        ),
    )
