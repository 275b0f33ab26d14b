"""Where `covenctl` and `python -m coven_desktop.cli` begin.

Ctrl-C ends the command by its signal from here on, also while the rest is still being loaded: a KeyboardInterrupt
there would end in a traceback.
"""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import sys

from coven_desktop.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
