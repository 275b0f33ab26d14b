"""When a start that began nothing is tried again: attempts, pause between them, and after what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import definition
from coven_desktop.qt.core import Signal
from coven_desktop.qt.widgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QSpinBox, QVBoxLayout, QWidget
from coven_desktop.ui import texts


class RetryEditor(QWidget):
    """A retry policy of the contract. One attempt means never again, and nothing is stored."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.attempts = QSpinBox(self)
        self.attempts.setRange(1, definition.MAX_ATTEMPTS_LIMIT)
        self.attempts.setSpecialValueText(self.tr("No second attempt"))
        self.attempts.setPrefix(self.tr("up to "))
        self.attempts.setSuffix(self.tr(" attempts"))
        self.attempts.setAccessibleName(self.tr("Attempts at most"))
        self.backoff = QComboBox(self)
        self.backoff.setAccessibleName(self.tr("Pause between attempts"))
        self.backoff.setAccessibleDescription(self.tr("Pause between attempts"))
        for policy, text in (
            ("none", self.tr("without a pause")),
            ("fixed", self.tr("after a fixed pause")),
            ("exponential", self.tr("after a growing pause")),
        ):
            self.backoff.addItem(text, policy)
        self.seconds = QSpinBox(self)
        self.seconds.setRange(1, definition.BACKOFF_SECONDS_LIMIT)
        self.seconds.setSuffix(self.tr(" s"))
        self.seconds.setAccessibleName(self.tr("Seconds of pause"))
        self.classes = {name: QCheckBox(texts.failure_class(name), self) for name in definition.RETRYABLE_CLASSES}
        self._only = QLabel(self.tr("Only after a run that"), self)
        line = QHBoxLayout()
        line.addWidget(self.attempts)
        line.addSpacing(8)
        line.addWidget(self.backoff)
        line.addWidget(self.seconds)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(line)
        column.addWidget(self._only)
        for box in self.classes.values():
            column.addWidget(box)
            box.toggled.connect(self._say)
        self.attempts.valueChanged.connect(self._say)
        self.backoff.currentIndexChanged.connect(self._say)
        self.seconds.valueChanged.connect(self._say)
        self.setFocusProxy(self.attempts)
        self._show_what_matters()

    def show_policy(self, policy: Mapping[str, Any] | None) -> None:
        """Show a stored policy; None is the default."""
        policy = policy or {}
        attempts, seconds = policy.get("maxAttempts"), policy.get("backoffSeconds")
        self.attempts.setValue(attempts if isinstance(attempts, int) else 1)
        self.backoff.setCurrentIndex(max(self.backoff.findData(policy.get("backoffPolicy", "none")), 0))
        self.seconds.setValue(seconds if isinstance(seconds, int) else 60)
        chosen = policy.get("retryableClasses", definition.RETRYABLE_CLASSES if not policy else ())
        for name, box in self.classes.items():
            box.setChecked(name in chosen)

    def policy(self) -> dict[str, Any] | None:
        """The policy as the contract writes it, or None for the default."""
        if self.attempts.value() == 1:
            return None
        policy: dict[str, Any] = {
            "maxAttempts": self.attempts.value(),
            "backoffPolicy": self.backoff.currentData(),
        }
        if self.backoff.currentData() != "none":
            policy["backoffSeconds"] = self.seconds.value()
        chosen = [name for name, box in self.classes.items() if box.isChecked()]
        if chosen:
            policy["retryableClasses"] = chosen
        return policy

    def _say(self) -> None:
        self._show_what_matters()
        self.changed.emit()

    def _show_what_matters(self) -> None:
        again = self.attempts.value() > 1
        self.backoff.setVisible(again)
        self.seconds.setVisible(again and self.backoff.currentData() != "none")
        self._only.setVisible(again)
        for box in self.classes.values():
            box.setVisible(again)
