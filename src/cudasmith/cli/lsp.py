"""cudasmith lsp"""

from __future__ import annotations

import click

from cudasmith.model import CudasmithError


@click.command()
def lsp() -> int:
    """Serve findings and fixes to an editor, over stdin and stdout (Language Server Protocol).

    Files that define ModelNew or call load_inline are checked when they are opened, changed and saved, under
    [tool.cudasmith] of the nearest pyproject.toml. Needs the extra: pip install "cudasmith[lsp]".
    """
    try:
        from cudasmith.cli._lsp_server import make_server
    except ImportError as error:
        help = 'pip install "cudasmith[lsp]"'
        raise CudasmithError("CSP095", f"{error.name} is not installed", help=help) from None
    make_server().start_io()
    return 0
