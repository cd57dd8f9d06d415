"""The kernel launch of a file that has only one."""

from __future__ import annotations

import attrs

from cudasmith.cuda.launches import LaunchSite, find_launches
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import parse_file
from cudasmith.source.regions import Region


@attrs.frozen(eq=False)
class OnlyLaunch:
    """A launch with the text it stands in. `config`: what stands between <<< and >>>, part by part."""

    region: Region
    site: LaunchSite

    @property
    def span(self) -> Span | None:
        return self.region.span(self.site.start, self.site.close_end)

    @property
    def config(self) -> tuple[str, ...]:
        return _parts(self.region.text[self.site.open_end : self.site.close_start])


def only_launch(candidate: Candidate | None) -> OnlyLaunch | None:
    """The file's launch; None when there are more, or none."""
    if candidate is None:
        return None
    regions = [region for build in parse_file(candidate).builds for region in build.regions()]
    found = [OnlyLaunch(region, site) for region in regions for site in find_launches(region.text)]
    return found[0] if len(found) == 1 else None


def _parts(text: str) -> tuple[str, ...]:
    """`a, f(b, c)` as its two parts."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return (*parts, text[start:].strip())
