"""The person's language: the window's sentences and Qt's own, in the first language asked for that is there.

The sentences in the code are English; `resources/translations` carries the others (`packaging/translations.py` makes
them). Days, months and the order of a date are not translated: they come from the person's locale (`times.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from coven_desktop.qt.core import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from coven_desktop.resources import resource

SPOKEN_IN_CODE = "en"


def speak(app: QCoreApplication, languages: Sequence[str] | None = None) -> list[QTranslator]:
    """Let the app speak the person's language, before its first window; gives what was installed, none for English.

    `languages` are the names of languages (`de-AT`), the most wanted first; without them those of the desktop, where
    LANGUAGE, LC_ALL, LC_MESSAGES and LANG count in this order. The layout goes from right to left where the language
    does: Qt's own translation says so.
    """
    for name in QLocale.system().uiLanguages() if languages is None else languages:
        language = name.replace("_", "-").split("-")[0]
        if language == SPOKEN_IN_CODE:
            return []
        try:
            ours = resource(f"translations/coven_desktop_{language}.qm")
        except FileNotFoundError:
            continue
        # Qt's first: what is installed last is asked first
        of_qt = f"{QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)}/qtbase_{language}.qm"
        installed = []
        for file in (of_qt, str(ours)):
            translator = QTranslator(app)
            if translator.load(file):
                app.installTranslator(translator)
                installed.append(translator)
        return installed
    return []
