"""DG550."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import RaisedFamily, Saying


class TorchCallArguments(RaisedFamily):
    """A function of torch is called with arguments that it does not have, or of types that it does not take.

    Python's names for arguments and their order are part of the function. A list is no tensor, a float no
    size, a text no dtype: `dtype=torch.float32`. A shape is a value, not a function: `x.shape`, while
    `x.size()` is called.

    Correct the call by the signature in the message or in the documentation of that function.
    """

    code = "DG550"
    name = "torch-call-arguments"
    CASES = (
        Case("torch_exp_like", line=3),
        Case("torch_dtype_str", line=3),
        Case("torch_int_arg", line=3),
        Case("torch_missing_arg", line=3),
        Case("torch_call_tensor", line=3),
        Case("torch_shape_call", line=3),
        Case("torch_meth", line=3),
        Case("torch_list_add", line=3),
        Case("torch_to_none", line=3),
        Case("torch_str_to", line=3),
    )
    SAYINGS = (
        Saying(
            (
                "<f>(): argument `name` (position <n>) must be <a>",
                "<f>(): argument `name` must be <a>",
            ),
            '{f} is given the wrong kind of value for "{name}": it takes {a}',
            "convert the value: torch.tensor(list), int(...), torch.float32",
        ),
        Saying(
            ("<f>() missing <n> required positional argument...",),
            "{f} is called with too few arguments",
            "compare with its signature in the message",
        ),
        Saying(
            ("<f>() received an invalid combination of arguments",),
            "{f} does not take these arguments together",
            "compare them with the signatures listed in the message",
        ),
        Saying(
            ("«Tensor» object is not callable",),
            "a tensor is called like a function",
            "an operator is missing before the bracket, or [ ] was meant",
        ),
        Saying(
            ("«torch.Size» object is not callable",),
            "a shape is called like a function",
            "write x.shape[i] or x.size(i)",
        ),
        Saying(
            ("«Tensor» object has no attribute `name`",),
            "a tensor has no attribute {name}",
            "correct the spelling: dir(torch.Tensor) lists them",
        ),
        Saying(
            (
                "unsupported operand type(s) for <op>: «Tensor» and `t`",
                "unsupported operand type(s) for <op>: `t` and «Tensor»",
            ),
            "a tensor is combined with a {t}",
            "make a tensor of it, or find out why it is None",
        ),
        Saying(
            (
                "new(): invalid data type `t`",
                "too many dimensions `t`",
                "Could not infer dtype of <t>",
            ),
            "a {t} cannot become a tensor",
            "pass numbers, or lists of numbers of equal length",
        ),
    )
