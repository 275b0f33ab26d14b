"""`covenctl explain`: a schedule in words, or why it is refused and what to write instead; no app is needed."""

from __future__ import annotations

from coven_desktop.cli import scheduling
from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import DONE
from coven_desktop.schedule.explaining import explained


def explain(arguments: Arguments, output: Output) -> int:
    """Print the words of a schedule, and below them a line for each thing that is less plain. Refused, or Misused."""
    found = scheduling.family(arguments)
    told = explained(found.schedule)
    if output.json_wanted:
        output.json(
            {
                "kind": found.kind,
                "timezone": found.schedule.zone.name,
                "words": told.words,
                "sentences": list(told.sentences),
            }
        )
        return DONE
    output.line(output.style(told.words, "bold"))
    for sentence in told.sentences:
        output.line(sentence)
    return DONE
