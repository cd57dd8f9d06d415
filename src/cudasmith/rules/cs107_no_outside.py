"""CS107."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from cudasmith.rules._cases import CORRECT, DECLARED, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject
from cudasmith.source.filemodel import FileModel

_FORWARD = "        return Scale.apply(self.ext, x, self.by)\n"
_IMPORT = "import torch\nimport torch.nn as nn\n"

_NETWORK = "reaches the network"
_SHELL = "runs other programs"
_HIDDEN = "hides what runs"
_HARNESS = "looks at or changes the program that judges the file"

_MODULES = {
    _NETWORK: "requests urllib urllib3 http socket ftplib smtplib aiohttp httpx paramiko",
    _SHELL: "subprocess pty pexpect sh",
    _HIDDEN: "marshal ctypes cffi",
    _HARNESS: "kernelbench __main__",
}
MODULES = {name: why for why, names in _MODULES.items() for name in names.split()}
_CALLS = {
    _NETWORK: "torch.hub.load torch.hub.load_state_dict_from_url torch.hub.download_url_to_file",
    _SHELL: "os.system os.popen os.execv os.execvp os.posix_spawn os.spawnv pip.main",
    _HIDDEN: "importlib.import_module types.FunctionType types.CodeType",
    _HARNESS: "sys._getframe inspect.currentframe inspect.stack sys.settrace gc.get_objects gc.get_referrers",
}
CALLS = {name: why for why, names in _CALLS.items() for name in names.split()}
_CODECS = ("base64", "binascii", "zlib", "lzma", "bz2", "gzip", "codecs")
BUILTINS = dict.fromkeys(("exec", "eval", "compile", "__import__"), _HIDDEN)
_CHANGED = ("torch", "time", "sys", "builtins", "numpy")  # modules whose functions a judge uses
_SETTINGS = ("backends", "config", "_dynamo", "_inductor", "path")


@attrs.frozen
class _Use:
    node: ast.expr | ast.stmt
    what: str
    why: str


class NoOutside(Rule):
    """The file does not reach the network, a shell, the program that judges it or its clock, and hides no code.

    A model needs torch and its own kernels. Downloads and programs fail where there is no network; `exec`,
    `eval`, encoded sources and ctypes keep everybody from seeing what runs; a function of torch or
    time that is replaced changes how the file is judged. Only the Python code is read: words in CUDA text,
    comments and docstrings do not count, nor does the part below `if __name__ == "__main__"`. An error in
    strict mode, else a warning.
    """

    code = "CS107"
    name = "no-outside"
    severity = severities("error", "warning")
    BAD = (
        edit((_IMPORT, "import subprocess  # HERE\n" + _IMPORT)),
        edit((_IMPORT, "import os\n" + _IMPORT + 'os.system("nvcc x.cu")  # HERE\n')),
        edit((_IMPORT, "from urllib.request import urlopen  # HERE\n" + _IMPORT)),
        edit(
            (_IMPORT, "import base64\n" + _IMPORT),
            (_FORWARD, '        base64.b64decode("eA==")  # HERE\n' + _FORWARD),
        ),
        edit((_FORWARD, '        exec("pass")  # HERE\n' + _FORWARD)),
        edit((_FORWARD, "        torch.cuda.synchronize = lambda *a: None  # HERE\n" + _FORWARD)),
        edit((_FORWARD, '        setattr(torch, "allclose", lambda *a, **k: True)  # HERE\n' + _FORWARD)),
        edit(
            (_IMPORT, "import sys\n" + _IMPORT),
            (_FORWARD, '        main = sys.modules["__main__"]  # HERE\n' + _FORWARD),
        ),
    )
    GOOD = (
        CORRECT,
        DECLARED,
        edit(("__global__ void", "// exec eval subprocess base64 socket os.system\n__global__ void")),
        '"""Runs import subprocess, exec(x) and eval(y)."""\n' + CORRECT,
        edit(
            (
                _IMPORT,
                "import os\nimport re\nimport time\nimport zlib\n"
                + _IMPORT
                + 'os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0"\n'
                'torch.backends.cuda.matmul.allow_tf32 = False\nWORD = re.compile("x")\nKEY = zlib.crc32(b"x")\nT0 = time.time()\n',
            ),
            (_FORWARD, "        self.eval()\n" + _FORWARD),
        ),
        CORRECT
        + '\nif __name__ == "__main__":\n    import subprocess\n\n    subprocess.run(["nvidia-smi"])\n',
    )

    def check(self, subject: Subject) -> Verdicts:
        file = subject.file
        for node in file.nodes:
            for use in _uses(file, node):
                if not file.beside_model(use.node):
                    span = file.source.node_span(use.node)
                    yield self.found(
                        subject, span, f"{use.what} {use.why}", help="a model needs none of it: remove it"
                    )


def _uses(file: FileModel, node: ast.AST) -> Iterator[_Use]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        for name in names:
            if name.split(".")[0] in MODULES:
                yield _Use(node, f"import {name}", MODULES[name.split(".")[0]])
    elif isinstance(node, ast.Call):
        yield from _call(file, node)
    elif isinstance(node, ast.Attribute):
        yield from _attribute(file, node)


def _call(file: FileModel, node: ast.Call) -> Iterator[_Use]:
    dotted = file.dotted(node.func)
    module, _, name = (dotted or "").rpartition(".")
    if module in _CODECS and (
        "decode" in name or "decompress" in name or name in ("unhexlify", "a2b_base64")
    ):
        yield _Use(node, f"{dotted}()", _HIDDEN)
    elif dotted in CALLS:
        yield _Use(node, f"{dotted}()", CALLS[dotted])
    elif isinstance(node.func, ast.Name) and node.func.id not in file.own_names:
        if node.func.id in BUILTINS:
            yield _Use(node, f"{node.func.id}()", BUILTINS[node.func.id])
        elif node.func.id in ("setattr", "delattr") and node.args and _judged(file.dotted(node.args[0])):
            yield _Use(node, f"{node.func.id}() on {file.dotted(node.args[0])}", _HARNESS)


def _attribute(file: FileModel, node: ast.Attribute) -> Iterator[_Use]:
    dotted = file.dotted(node)
    if isinstance(node.ctx, (ast.Store, ast.Del)) and _judged(dotted):
        yield _Use(node, f"an assignment to {dotted}", _HARNESS)
    elif dotted == "sys.modules":
        yield _Use(node, dotted, _HARNESS)
    elif node.attr in ("__code__", "__globals__"):
        yield _Use(node, f".{node.attr}", _HARNESS)


def _judged(dotted: str | None) -> bool:
    """A module or a member of one that others use as well; switches meant to be set are not."""
    parts = (dotted or "").split(".")
    return parts[0] in _CHANGED and not set(parts) & set(_SETTINGS)
