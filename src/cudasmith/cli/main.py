"""The command line: one file per verb in this folder."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from cudasmith import __version__
from cudasmith.cli._signals import Stopped, stopped_by_signals
from cudasmith.cli._streams import OutputLost, flush, guard
from cudasmith.model import CudasmithError
from cudasmith.report.as_json import error_json
from cudasmith.report.errors import render_error

_UNWRITTEN = 74  # EX_IOERR of sysexits.h
_UNREAD = 141  # 128 + SIGPIPE: what the shell says of any program whose reader went away

_VERBS = {
    "port": ("cudasmith.cli.port", "PyTorch model in, one file with CUDA kernels out, verified."),
    "check": ("cudasmith.cli.check", "Static findings on ModelNew files."),
    "extract": ("cudasmith.cli.extract", "The one Python file out of a chat model's reply."),
    "build": ("cudasmith.cli.build", "Build a file's extensions in seconds; explain what fails."),
    "emulate": ("cudasmith.cli.emulate", "Run a file's CUDA kernels on the CPU, every access checked."),
    "explain": (
        "cudasmith.cli.explain",
        "What a finding's code, or the log of a failed build or run, means.",
    ),
    "lsp": ("cudasmith.cli.lsp", "Findings and fixes in an editor (Language Server Protocol)."),
    "ops": ("cudasmith.cli.ops", "The operators that have kernels."),
    "cache": ("cudasmith.cli.cache", "What was built and is kept: info, clear."),
    "doctor": ("cudasmith.cli.doctor", "What this machine can do: compilers, torch, GPU, cache."),
}


class _Group(click.Group):
    """Loads a verb's module only when it is used: `--help` starts without torch."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _VERBS:
            return None
        command: click.Command = getattr(importlib.import_module(_VERBS[name][0]), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, text) for name, (_, text) in _VERBS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in _VERBS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], _VERBS, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"No such verb '{args[0]}'.{hint} Verbs: {', '.join(_VERBS)}.")
        return super().resolve_command(ctx, args)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="cudasmith")
def cli() -> None:
    """Custom CUDA operators for PyTorch models: generate, check, build, verify."""
    from cudasmith.store import ignored_settings, remove_abandoned_folders

    for text in ignored_settings():
        click.echo(f"warning: {text}", err=True)
    remove_abandoned_folders()  # of runs that were killed


def _as_json(error: CudasmithError) -> None:
    """Said on stdout too where --json was asked for; the verb may not have been reached."""
    if "--json" in sys.argv[1:]:
        click.echo(error_json(error))


def main() -> None:
    """Entry point. A user's mistake is one message and an exit code, never a traceback."""
    guard()
    try:
        code = _run()
        flush()
    except OutputLost as lost:
        code = _UNREAD
        if lost.reason:
            click.echo(f"cudasmith: stdout cannot be written: {lost.reason}", err=True)
            code = _UNWRITTEN
    sys.exit(code)


def _run() -> int:
    """The verb's exit code; its errors said."""
    try:
        with stopped_by_signals():
            code = cli.main(standalone_mode=False)
    except CudasmithError as error:
        click.echo(render_error(error), err=True)
        code = error.exit_code
    except Stopped as stopped:
        message = f"stopped by {stopped.name}; no half-written file is left"
        _as_json(CudasmithError("CSU002", message, exit_code=stopped.exit_code))
        click.echo(f"cudasmith: {message}", err=True)
        code = stopped.exit_code
    except click.ClickException as error:
        _as_json(CudasmithError("CSU001", error.format_message(), exit_code=error.exit_code))
        error.show()
        code = error.exit_code
    return code if isinstance(code, int) else 0
