"""QtDBus as the app uses it."""

from __future__ import annotations

from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusServiceWatcher

__all__ = ["QDBusConnection", "QDBusMessage", "QDBusServiceWatcher"]
