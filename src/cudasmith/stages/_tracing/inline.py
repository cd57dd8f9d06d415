"""`with torch.no_grad():` in forward: export makes a sub-graph of it; its nodes belong to ours."""

from __future__ import annotations

import operator
from typing import Any

import torch


def inline_grad_blocks(module: torch.fx.GraphModule) -> None:
    """Replace each block whose only effect is on gradients by its nodes. Values do not change."""
    found = True
    while found:  # blocks may hold blocks
        found = False
        for node in list(module.graph.nodes):
            if "wrap_with_set_grad_enabled" in str(node.target) and node.op == "call_function":
                _inline(module, node)
                found = True


def _inline(module: torch.fx.GraphModule, node: torch.fx.Node) -> None:
    body = module.get_submodule(str(node.args[1].target))  # type: ignore[union-attr]
    known: dict[torch.fx.Node, Any] = {}
    given = iter(node.args[2:])
    results: Any = ()
    with module.graph.inserting_before(node):
        for inner in body.graph.nodes:  # type: ignore[union-attr]
            if inner.op == "placeholder":
                known[inner] = next(given)
            elif inner.op == "output":
                results = torch.fx.node.map_arg(inner.args[0], lambda n: known[n])
            else:
                if inner.op == "get_attr":
                    setattr(module, inner.target, getattr(body, inner.target))
                known[inner] = module.graph.node_copy(inner, lambda n: known[n])
    for user in list(node.users):
        assert user.target is operator.getitem
        user.replace_all_uses_with(results[user.args[1]])
        module.graph.erase_node(user)
    holder = node.args[1]
    module.graph.erase_node(node)
    if not holder.users:  # type: ignore[union-attr]
        module.graph.erase_node(holder)  # type: ignore[arg-type]
