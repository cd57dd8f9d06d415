"""Parts of a reference that the emitted file keeps."""

from __future__ import annotations

import ast

import pytest

from cudasmith.model import ProblemError
from cudasmith.source.python_text import dedent, indent
from cudasmith.source.reference import ReferenceSource, reference_source

FULL = '''\
"""Module docstring."""
from __future__ import annotations
import math, sys
import torch
import torch.nn as nn
import torch.nn.functional as F

dim = 1  # read by get_inputs only
WIDTH = 64  # a constant behind a constant
# why this number
HIDDEN = 2 * WIDTH
CONFIG = {}
CONFIG["eps"] = 1e-5
torch.manual_seed(0)
torch.set_default_dtype(torch.float64)


def scale(n):
    return math.sqrt(n)


class Block(nn.Module):
    def __init__(self, n=HIDDEN):
        super(Block, self).__init__()
        self.n = n


class Model(nn.Module):
    """Says much.

    Over many lines.
    """

    kind = "demo"

    # what it is made of
    def __init__(self, dim):
        """Makes it.

        Here too.
        """
        super(Model, self).__init__()
        self.text = """keeps
  its own
margin"""
        self.block = Block()
        self.w = nn.Parameter(torch.ones(int(scale(dim))))  # é
        self._reset()

    def _reset(self):
        self.eps = CONFIG["eps"]

    def helper(self, x):
        return F.relu(x)

    def forward(self, x):
        """Runs it."""
        return self.helper(x)

    @property
    def width(self):
        return Model.kind


batch = 16


def get_inputs():
    return [torch.rand(batch, dim)]


if __name__ == "__main__":
    print(Model(3))
'''


def build(source: str, **more: str) -> ReferenceSource:
    return reference_source(source, **more)


def assembled(parts: ReferenceSource) -> str:
    body = [t for t in (parts.init, *parts.methods) if t] or ["pass"]
    text = "\n".join(
        [*parts.imports, parts.preamble, f"class ModelNew({parts.bases}):", *map(indent, body), ""]
    )
    ast.parse(text)
    return text


def test_imports_are_kept_one_a_line_and_only_if_used() -> None:
    assert build(FULL).imports == (
        "from __future__ import annotations",
        "import math",
        "import torch",
        "import torch.nn as nn",
    )


def test_the_preamble_is_what_building_needs_in_file_order() -> None:
    assert build(FULL).preamble.splitlines() == [
        "WIDTH = 64  # a constant behind a constant",
        "",
        "# why this number",
        "HIDDEN = 2 * WIDTH",
        "",
        "CONFIG = {}",
        "",
        'CONFIG["eps"] = 1e-5',
        "",
        "torch.set_default_dtype(torch.float64)",
        "",
        "def scale(n):",
        "    return math.sqrt(n)",
        "",
        "class Block(nn.Module):",
        "    def __init__(self, n=HIDDEN):",
        "        super(Block, self).__init__()",
        "        self.n = n",
    ]


def test_a_parameter_does_not_keep_the_constant_of_the_same_name() -> None:
    assert "dim = 1" not in build(FULL).preamble


def test_init_is_renamed_and_keeps_its_comments_and_strings() -> None:
    init = build(FULL).init
    assert init is not None
    assert init.startswith('# what it is made of\ndef __init__(self, dim):\n    """Makes it.\n')
    assert "super(ModelNew, self).__init__()" in init
    assert '"""keeps\n  its own\nmargin"""' in init
    assert init.count("# é") == 1


def test_methods_that_only_forward_calls_go_with_it() -> None:
    methods = build(FULL).methods
    assert methods[0] == 'kind = "demo"'
    assert methods[1].startswith("def _reset(self):")
    assert methods[2] == "@property\ndef width(self):\n    return ModelNew.kind"
    assert len(methods) == 3


def test_the_parts_put_together_build_the_same_module() -> None:
    space: dict[str, object] = {}
    text = assembled(build(FULL)).replace("torch.set_default_dtype(torch.float64)", "")
    exec(compile(text, "new", "exec", dont_inherit=True), space)
    model = space["ModelNew"](9)  # type: ignore[operator]
    assert model.text == "keeps\n  its own\nmargin"
    assert tuple(model.w.shape) == (3,) and model.eps == 1e-5 and model.block.n == 128


def test_a_model_without_init_has_none() -> None:
    parts = build("import torch.nn as nn\nclass Model(nn.Module):\n    def forward(self, x): return x\n")
    assert (parts.init, parts.methods, parts.preamble, parts.bases) == (None, (), "", "nn.Module")


def test_a_base_from_the_same_file_is_kept_whole() -> None:
    parts = build(
        "import torch.nn as nn\nclass Base(nn.Module):\n    def forward(self, x): return x\n"
        "class Model(Base):\n    pass\n"
    )
    assert parts.bases == "Base" and parts.preamble.startswith("class Base(nn.Module):")


def test_an_alias_is_followed() -> None:
    source = "import torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self):\n        super(Net, self).__init__()\nModel = Net\n"
    assert "super(ModelNew, self)" in (build(source).init or "")


def test_statements_that_share_a_line_are_cut_apart() -> None:
    source = (
        "import torch.nn as nn\na = 1; b = 2\nclass Model(nn.Module):\n    def __init__(self, n=b): pass\n"
    )
    assert build(source).preamble == "b = 2"


def test_tabs_and_fallback_imports_are_kept() -> None:
    source = (
        "import torch.nn as nn\ntry:\n\timport fast as lib\nexcept ImportError:\n\tlib = None\n"
        "class Model(nn.Module):\n\tdef __init__(self):\n\t\tif lib:\n\t\t\tself.a = 1\n"
    )
    parts = build(source)
    assert parts.preamble.startswith("try:\n\timport fast as lib")
    assert parts.init == "def __init__(self):\n\tif lib:\n\t\tself.a = 1"
    assembled(parts)


def test_names_that_the_emitted_file_uses_are_reported() -> None:
    source = "import torch.nn as nn\ncuda_src = 3\nclass Model(nn.Module):\n    n = cuda_src\n"
    assert build(source).collisions == ("cuda_src",)


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("CSP040", "if True:\n    class Model: pass\n"),
        ("CSP041", "@wrap\nclass Model:\n    pass\n"),
        ("CSP042", "class Model:\n    def __init__(self):\n        self.forward = self.run\n"),
        ("CSP043", "from . import thing\nclass Model:\n    def __init__(self):\n        self.t = thing\n"),
    ],
)
def test_what_cannot_be_taken_over_is_refused(code: str, source: str) -> None:
    with pytest.raises(ProblemError) as caught:
        build(source)
    assert caught.value.code == code


def test_indent_undoes_dedent() -> None:
    text = (
        '    def f(self):\n        """Doc.\n\n        More."""\n        a = """x\n y"""\n\n        return a'
    )
    assert dedent(text, "    ").startswith('def f(self):\n    """Doc.\n\n    More.')
    assert indent(dedent(text, "    ")) == text
