"""Sessions for the engine: start, find again, attach, stop with proof (design/architecture.md, Sessions)."""

from __future__ import annotations

from coven_desktop.runtime.seam import Ended, FailureClass, Found, LaunchRefused, LaunchSpec, Runtime, Started, Stopped

__all__ = ["Ended", "FailureClass", "Found", "LaunchRefused", "LaunchSpec", "Runtime", "Started", "Stopped"]
