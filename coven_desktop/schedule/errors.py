"""What a schedule's document is refused with, whatever its family. A rule's own text has errors of its own."""

from __future__ import annotations


class ScheduleError(ValueError):
    """A schedule is refused: the `field` of its document, a sentence that says why and what to write instead.

    `suggestion` is the text to write instead in that field, or None when none stands for what was meant.
    """

    def __init__(self, field: str, message: str, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.message = message
        self.suggestion = suggestion
