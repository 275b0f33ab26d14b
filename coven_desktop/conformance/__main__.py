"""`python -m coven_desktop.conformance FILE…`; `covenctl conformance` starts it, and no app is needed.

Prints one JSON object a case, {"suite","caseId","passed","expected","actual"}, and a last line {"passed":n,"failed":n}.
Exit code 0 when every case passed, 1 when one failed, 2 for a file that is not a vector file, of which nothing is run.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from coven_desktop.conformance import vector_file
from coven_desktop.conformance.suites import compute
from coven_desktop.conformance.vector_file import NotVectors

PASSED, FAILED, NOT_UNDERSTOOD = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Compute the cases of all files, in their order; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="covenctl conformance", description="Computes the cases of vector files with the app's own functions."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="a vector file of the contract")
    paths: list[Path] = parser.parse_args(argv).files
    try:
        files = [vector_file.read(path) for path in paths]
    except NotVectors as reason:
        print(f"covenctl conformance: {reason}", file=sys.stderr)
        return NOT_UNDERSTOOD
    passed = failed = 0
    for file in files:
        for case in file.cases:
            actual = compute(file.suite, case.inputs)
            good = vector_file.passes(case.expected, actual)
            passed, failed = passed + good, failed + (not good)
            told = {"suite": file.suite, "caseId": case.id, "passed": good, "expected": case.expected, "actual": actual}
            print(json.dumps(told), flush=True)
    print(json.dumps({"passed": passed, "failed": failed}), flush=True)
    return FAILED if failed else PASSED


if __name__ == "__main__":
    # a reader that goes away ends this as it ends any other Unix command
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
