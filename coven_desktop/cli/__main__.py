"""`python -m coven_desktop.cli`: the same as `covenctl`."""

import sys

from coven_desktop.cli.main import main

sys.exit(main())
