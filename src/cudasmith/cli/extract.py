"""cudasmith extract"""

from __future__ import annotations

import json
from pathlib import Path

import click

from cudasmith.cli._json_errors import JsonErrors
from cudasmith.cli._stdin import stdin_bytes
from cudasmith.model import Candidate, CudasmithError
from cudasmith.report.write import output_path, write_atomically
from cudasmith.stages.extract import Extracted
from cudasmith.stages.extract import extract as run_extract
from cudasmith.stages.read import MAX_BYTES, decoded, raw_text

FORM = "a reply is the text that a chat model has written"


@click.command(cls=JsonErrors)
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", metavar="OUT", help="Where the Python file goes.  [stdout]")
@click.option(
    "--block", type=click.IntRange(min=1), metavar="N", help="Which block, where several define ModelNew."
)
@click.option("--json", "as_json", is_flag=True, help="What was taken, as JSON on stdout.")
def extract(file: str, output: str | None, block: int | None, as_json: bool) -> int:
    """Take the one Python file out of a chat model's reply: prose, fences and JSON go. `-` reads stdin.

    Exit codes: 0 one file that defines ModelNew; 1 none, several, or one that is not Python or not whole: nothing is
    written; 2 wrong usage, or a reply that is no text or empty; 3 no such file.
    """
    target = None if output is None else output_path(output)
    if target is not None and file != "-" and target.resolve() == Path(file).resolve():
        help = "choose another name with -o"
        raise CudasmithError("CSW005", "the output would overwrite the reply", help=help)
    if file == "-":
        reply = decoded(stdin_bytes(MAX_BYTES + 1), "<stdin>", form=FORM)
    else:
        reply = raw_text(Path(file), file, form=FORM)
    found = run_extract(reply, "<stdin>" if file == "-" else file, block=block)
    if target is not None:
        write_atomically(target, found.text)
    _show(found, output, as_json)
    return 0


def _show(found: Extracted, output: str | None, as_json: bool) -> None:
    if as_json:
        page = {
            "output": output,
            "sha256": Candidate(found.text).sha256,
            "notes": list(found.notes),
            "text": None if output else found.text,
        }
        click.echo(json.dumps(page, indent=2))
        return
    for note in found.notes:
        click.echo(f"note: {note}", err=True)
    if output is None:
        click.echo(found.text, nl=False)
    else:
        click.echo(f"{output}: {found.text.count(chr(10))} lines")
