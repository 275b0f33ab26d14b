"""`covenctl runtimes`: what a routine can name as its runtime, and where its command lies.

With `--json` the answer of `coven.desktop.runtimes.list.v1`, unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli.arguments import Arguments
from coven_desktop.cli.client import Client
from coven_desktop.cli.output import Output
from coven_desktop.cli.refusals import DONE
from coven_desktop.cli.table import Cell, one_line, print_table
from coven_desktop.clock import SystemClock
from coven_desktop.home import locate


def runtimes(arguments: Arguments, output: Output) -> int:
    """Print all runtimes, then what is wrong in the person's file."""
    payload = Client(locate(arguments.home, os.environ), SystemClock()).desktop("runtimes.list.v1")
    if output.json_wanted:
        output.json(payload)
        return DONE
    rows = [
        [
            Cell(one["name"], "bold"),
            Cell(one["executable"]) if one["found"] else Cell("not found", "yellow"),
            Cell(" ".join([one["command"], *one["arguments"]])),
            _checked(one),
        ]
        for one in payload["runtimes"]
    ]
    print_table(output, ("RUNTIME", "FOUND AT", "COMMAND", "CHECKED AGAINST"), rows, give=(1, 2, 3))
    for problem in payload["problems"]:
        output.line(output.style(one_line(problem["sentence"]), "yellow"))
    return DONE


def _checked(runtime: Mapping[str, Any]) -> Cell:
    if runtime["verified"] is None:
        return Cell(runtime["source"], "dim")
    return Cell(runtime["verified"], "yellow" if runtime["verified"].startswith("unverified") else None)
