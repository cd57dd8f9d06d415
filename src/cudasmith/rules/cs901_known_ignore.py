"""CS901."""

from __future__ import annotations

import difflib

from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, all_rules, severities
from cudasmith.rules._subject import Subject

_LAUNCH = "  C10_CUDA_KERNEL_LAUNCH_CHECK();\n"


class KnownIgnore(Rule):
    """A comment `cudasmith: ignore[...]` names codes of rules.

    `# cudasmith: ignore[CS404]` in Python, or `// cudasmith: ignore[CS404, CS405]` in CUDA text, sets the
    findings of these rules aside: on its own line, or on the next one when nothing else stands on its line.
    They are counted, not shown. A code that no rule has, or a comment without codes, sets nothing aside.
    """

    code = "CS901"
    name = "known-ignore"
    severity = severities("warning", "warning")
    BAD = (
        edit(("import torch\n", "import torch  # cudasmith: ignore[CS999] HERE\n")),
        edit(("import torch\n", "import torch  # cudasmith: ignore HERE\n")),
        edit((_LAUNCH, "  // cudasmith: ignore[launch] HERE\n" + _LAUNCH)),
    )
    GOOD = (
        CORRECT,
        edit(("import torch\n", "import torch  # cudasmith: ignore[cs101]\n")),
        edit(("import torch\n", 'import torch\ntext = "# cudasmith: ignore[CS999]"\n')),
        edit((_LAUNCH, '  printf("// cudasmith: ignore[CS999]");\n' + _LAUNCH)),
    )

    def check(self, subject: Subject) -> Verdicts:
        if not subject.file.ignores:
            return
        known = [r.code for r in all_rules()]
        for ignore in subject.file.ignores:
            if not ignore.codes:
                help = "name the rules: cudasmith: ignore[CS404]"
                yield self.found(subject, ignore.span, "a comment to ignore names no rule", help=help)
            for code in (c for c in ignore.codes if c not in known):
                near = difflib.get_close_matches(code, known, n=1)
                help = f"nearest: {near[0]}" if near else "`cudasmith explain` lists the rules"
                yield self.found(subject, ignore.span, f"there is no rule {code}", help=help)
