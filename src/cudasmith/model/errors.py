"""Errors that are the user's to mend: each says where and what to do."""

from __future__ import annotations


class CudasmithError(Exception):
    """A wrong input or a missing tool. Never carries a traceback to the user.

    `exit_code`: 1 findings or failed verdict, 2 usage or tool error, 3 no input,
    4 a needed GPU or compiler is missing.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        where: str | None = None,
        help: str | None = None,
        exit_code: int = 2,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where
        self.help = help
        self.exit_code = exit_code


class ProblemError(CudasmithError):
    """The user's reference file or module is wrong, or cannot be captured."""
