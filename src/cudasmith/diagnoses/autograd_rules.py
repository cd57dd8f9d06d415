"""DG549."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._family import RaisedFamily, Saying


class AutogradRules(RaisedFamily):
    """A gradient is asked for, or an autograd.Function is written, in a way that torch does not take.

    `backward()` without an argument starts from one number. A Function of your own has static methods
    forward(ctx, ...) and backward(ctx, grad), is used by Function.apply(...), and keeps tensors by
    ctx.save_for_backward; other values are plain attributes of ctx. A parameter of a module is replaced by
    a Parameter only.

    Sum the result before backward, or pass the gradient. Compare the Function with the pattern above.
    """

    code = "DG549"
    name = "autograd-rules"
    CASES = (
        Case("torch_grad_scalar", line=4),
        Case("torch_func_direct", line=6),
        Case("torch_func_static", line=6),
        Case("torch_func_notensor", line=6),
        Case("torch_mod_param", line=4),
        Case("torch_vmap", line=3),
    )
    SAYINGS = (
        Saying(
            ("grad can be implicitly created only for scalar outputs",),
            "backward() is called on a tensor of several elements",
            "write .sum().backward(), or .backward(torch.ones_like(y))",
        ),
        Saying(
            (
                "Legacy autograd function with non-static forward",
                "Legacy autograd function",
            ),
            "a Function is called as an object, or its forward is no static method",
            "write @staticmethod def forward(ctx, ...), and call Fn.apply(...)",
        ),
        Saying(
            (
                "You must implement either the backward or vjp",
                "You must implement the backward",
            ),
            "the Function has no backward",
            "write @staticmethod def backward(ctx, grad), or call it under torch.no_grad()",
        ),
        Saying(
            ("save_for_backward can only save variables",),
            "ctx.save_for_backward is given something that is no tensor",
            "keep numbers as attributes: ctx.n = n",
        ),
        Saying(
            ("cannot assign `t` as parameter `p`",),
            "the parameter {p} is replaced by a {t}",
            "write torch.nn.Parameter(tensor), or copy into it: with torch.no_grad(): p.copy_(tensor)",
        ),
        Saying(
            (
                "you can only change requires_grad flags of leaf",
                "can't optimize a non-leaf",
                "One of the differentiated Tensors does not require grad",
                "One of the differentiated Tensors appears to not have been used",
                "Can't detach views in-place",
            ),
            "requires_grad is set or used at a tensor where it has no meaning",
            "set it where the tensor is made, or use .detach() first",
        ),
        Saying(
            (
                "vmap: It looks like you",
                "vmap:",
                "Cannot access data pointer of Tensor (e.g. FakeTensor",
            ),
            "torch.vmap or torch.compile runs a function that reads single values or memory",
            "keep .item(), data_ptr() and own kernels outside of it, or wrap the kernel in torch.library.custom_op",
        ),
    )
