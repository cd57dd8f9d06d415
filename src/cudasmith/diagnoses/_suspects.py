"""What in the host functions that ran may have made a call of CUDA's runtime fail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cudasmith.cuda.symbols import Function
from cudasmith.diagnoses._launches import Suspect, known_bytes, parts
from cudasmith.diagnoses._sizes import declared_bytes
from cudasmith.model.finding import Span
from cudasmith.source.regions import Region

Hosts = Sequence[tuple[Region, Function]]

# A call that only asks for an error, so that what failed came before it; and what <<<...>>> calls.
_ASKS = re.compile(
    r"cu(?:da)?LaunchKernel\w*$|cuda(?:GetLastError|PeekAtLastError|GetErrorString|GetErrorName|\w*Synchronize)$"
)
_CALL = re.compile(r"\b(?P<name>cuda(?!Error)[A-Z]\w*|cu[A-Z]\w*)\s*\(|\bAPI call to (?P<told>cu\w+)")
_NO_RECORD = re.compile(r"cudaEvent(?:Create\w*|Destroy|ElapsedTime|Synchronize|Query)$")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_IN_BYTES = re.compile(r"sizeof|[Bb]ytes|element_size|itemsize|[Pp]itch|stride|\*\s*\d|\b\d+\s*\*|<<|^\d+$")


def named_call(line: str) -> str:
    """The function of CUDA that a message shows as the one that failed, as check macros print it; empty if none."""
    found = [m["name"] or m["told"] for m in _CALL.finditer(line)]
    return found[0] if found and not _ASKS.match(found[0]) else ""


def call_span(hosts: Hosts, names: str) -> Span | None:
    """The one call, in the host functions, of a function whose name matches a regular expression."""
    found = [
        (region, host.start + m.start())
        for region, host in hosts
        for m in re.finditer(rf"(?<![\w:.>])(?:{names})\s*\(", code(region, host))
    ]
    return line_at(*found[0]) if len(found) == 1 else None


def code(region: Region, function: Function) -> str:
    """A function's text with its comments blanked out."""
    text = region.text[function.start : function.end]
    return _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def line_at(region: Region, offset: int) -> Span | None:
    """The whole line of an offset, without the blanks at its ends."""
    start = region.text.rfind("\n", 0, offset) + 1
    line = region.text[start:].partition("\n")[0]
    return region.span(start + len(line) - len(line.lstrip()), start + len(line.rstrip()))


def bad_arguments(hosts: Hosts) -> Iterator[Suspect]:
    """Calls that may have been given a wrong size: textures, and copies to symbols."""
    for region, host in hosts:
        text = code(region, host)
        yield from _pitches(region, host, text)
        yield from _symbols(region, host, text)


def _pitches(region: Region, host: Function, text: str) -> Iterator[Suspect]:
    for m in re.finditer(r"\bpitchInBytes\s*=\s*(?P<value>[^;]+);", text):
        value = m["value"].strip()
        declared = re.findall(rf"\b{re.escape(value)}\s*=(?!=)([^;,]+)[;,]", text)
        known = "cudaMallocPitch" in text or any(_IN_BYTES.search(part) for part in (value, *declared))
        if not known:
            yield Suspect(
                f"cudaCreateTextureObject may refuse pitchInBytes = {value}, which seems to count elements",
                f"a pitch counts bytes: {value} * sizeof(float), and it must be a multiple of the device's "
                "texturePitchAlignment (32 mostly)",
                line_at(region, host.start + m.start()),
                call="cudaCreateTextureObject",
            )


def _symbols(region: Region, host: Function, text: str) -> Iterator[Suspect]:
    for m in re.finditer(r"\b(?P<call>cudaMemcpy(?:To|From)Symbol(?:Async)?)\s*\((?P<args>[^;]*)\)", text):
        args = _arguments(m["args"])
        copied = args[2] if len(args) > 2 else ""
        symbol = args[0] if m["call"].startswith("cudaMemcpyTo") else args[1] if len(args) > 1 else ""
        declared = re.search(
            rf"__(?:constant|device)__\s+(?P<type>[\w ]+?)\s+{re.escape(symbol)}\s*(?P<dims>(?:\[[^\]]*\])+)",
            region.text,
        )
        size = declared_bytes(region.text, declared["type"], declared["dims"]) if declared else 0
        count = known_bytes(region, host, copied)
        if not declared or not size or (count is not None and count <= size):
            continue
        holds = f"{symbol} holds {size} bytes"
        fact = f"{m['call']} copies {count} bytes, and {holds}"
        yield Suspect(
            fact
            if count is not None
            else f"{m['call']} may copy more than there is: {holds}, {copied} are asked for",
            f"make {symbol} larger, or copy and use no more than it holds: check the size before the copy",
            line_at(region, host.start + m.start()),
            proven=count is not None,
            call=m["call"],
        )


def _arguments(text: str) -> tuple[str, ...]:
    """The arguments of a call, up to the bracket that closes it."""
    depth = 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth < 0:
            return parts(text[:i])
    return parts(text)


def bad_events(hosts: Hosts) -> Iterator[Suspect]:
    """Events that cudaEventElapsedTime refuses: made without timing, or never recorded."""
    for region, host in hosts:
        text = code(region, host)
        for timed in re.finditer(
            r"\bcudaEventElapsedTime\s*\(\s*[^,;]+,\s*(?P<a>\w+)\s*,\s*(?P<b>\w+)\s*\)", text
        ):
            for event in (timed["a"], timed["b"]):
                yield from _event(region, host, text, event, timed.start())


def _event(region: Region, host: Function, text: str, event: str, at: int) -> Iterator[Suspect]:
    made = re.search(
        rf"\bcudaEventCreateWithFlags\s*\(\s*&\s*{event}\s*,[^;)]*\bcudaEventDisableTiming\b", text
    )
    if made is not None:
        yield Suspect(
            f"cudaEventElapsedTime needs events with timing, and {event} is made with cudaEventDisableTiming",
            f"make it with cudaEventCreate(&{event}), as all events that are to be timed",
            line_at(region, host.start + made.start()),
            proven=True,
            call="cudaEventElapsedTime",
        )
    elif _never_recorded(host, text, event):
        yield Suspect(
            f"cudaEventElapsedTime is given {event}, which is never recorded in this function",
            f"record it on the stream before: cudaEventRecord({event}, stream)",
            line_at(region, host.start + at),
            call="cudaEventElapsedTime",
        )


def _never_recorded(host: Function, text: str, event: str) -> bool:
    """Whether an event of the function itself is given to no call that may record it."""
    own = re.search(rf"\bcudaEvent_t\b[^;]*\b{event}\b", text) and all(p.name != event for p in host.params)
    given = re.findall(rf"\b(\w+)\s*\([^;()]*\b{event}\b", text)
    return bool(own) and all(_NO_RECORD.match(call) for call in given)


def used_after_end(hosts: Hosts) -> Iterator[Suspect]:
    """Streams and events that a function uses behind the call that destroys them."""
    for region, host in hosts:
        text = code(region, host)
        for end in re.finditer(
            r"\bcuda(?P<kind>Stream|Event)Destroy\s*\(\s*(?P<name>\w+)\s*\)\s*\)*\s*;", text
        ):
            behind = text[end.end() :]
            use = re.search(rf"(?<![\w.&]){end['name']}(?!\w)", behind.partition("}")[0])
            if use is not None and not re.match(r"\s*=", behind[use.end() :]):
                yield Suspect(
                    f"{end['name']} is used behind the call that destroys it",
                    f"destroy the {end['kind'].lower()} behind its last use, at the end of the function",
                    line_at(region, host.start + end.end() + use.start()),
                )
