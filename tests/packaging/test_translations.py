"""The translations are whole: every sentence, with its placeholders, and the .qm is what the .ts gives."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

_spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
assert _spec is not None
assert _spec.loader is not None
translations = importlib.util.module_from_spec(_spec)
sys.modules["translations"] = translations
_spec.loader.exec_module(translations)

Message = translations.Message
LANGUAGES = sorted((ROOT / "resources" / "translations").glob("*.ts"))


def test_there_is_german() -> None:
    assert [ts.stem for ts in LANGUAGES] == ["coven_desktop_de"]


@pytest.mark.parametrize("ts", LANGUAGES, ids=lambda ts: ts.stem)
def test_every_sentence_of_the_code_is_translated_and_no_other(ts: Path) -> None:
    messages = translations.said()

    assert len(messages) > 1_000
    assert translations.wrong(translations.read(ts), messages) == []


@pytest.mark.parametrize("ts", LANGUAGES, ids=lambda ts: ts.stem)
def test_what_is_shipped_is_made_of_what_is_written(ts: Path) -> None:
    assert ts.with_suffix(".qm").read_bytes() == translations.compiled(ts)


def test_sentences_are_found_in_classes_wrappers_and_calls_of_qt() -> None:
    code = '''
class Outer(QWidget):
    def __init__(self):
        self.tr("in a " "class")
        lambda: self.tr("in a lambda")
        QCoreApplication.translate("Elsewhere", "named")
        _say("through a wrapper")

class Other(QWidget):
    title = lambda self: self.tr("of the other")

def _say(text: str) -> str:
    """Says."""
    return QCoreApplication.translate("Wrapped", text)

def not_one(text):
    return text.tr
'''
    assert sorted(translations.said_in(code, "code.py")) == [
        Message("Elsewhere", "named"),
        Message("Other", "of the other"),
        Message("Outer", "in a class"),
        Message("Outer", "in a lambda"),
        Message("Wrapped", "through a wrapper"),
    ]


def test_what_is_handed_to_a_floor_without_qt_is_found_with_the_names_of_days() -> None:
    found = list(translations.said_in('say("Every {day}").format(day=say(DAY_NAMES[n]))', "code.py", {"say": "Rules"}))

    assert found[0] == Message("Rules", "Every {day}")
    assert {Message("Rules", "Monday"), Message("Rules", "Sunday")} <= set(found)


@pytest.mark.parametrize("call", ["self.tr(text)", 'self.tr(f"{n} runs")', 'self.tr("one" if n == 1 else "many")'])
def test_a_sentence_that_is_not_written_where_it_is_said_is_an_error(call: str) -> None:
    with pytest.raises(ValueError, match=r"code\.py:3: .*one literal"):
        list(translations.said_in(f"class A:\n    def b(self, n, text):\n        {call}\n", "code.py"))


def test_what_is_wrong_with_a_language_is_told() -> None:
    messages = {Message("A", "&Stop {name}"): ["a.py"], Message("A", "Go"): ["a.py"], Message("A", "Stay"): ["a.py"]}
    good = {Message("A", "&Stop {name}"): "{name} &stoppen", Message("A", "Go"): "Los", Message("A", "Stay"): "Bleiben"}

    assert translations.wrong(good, messages) == []
    bad = good | {
        Message("A", "&Stop {name}"): "&Stoppen",
        Message("A", "Stay"): "&Bleiben",
        Message("B", "Old"): "Alt",
    }
    del bad[Message("A", "Go")]
    told = translations.wrong(bad, messages)
    assert [line.split(":")[0] for line in told] == [
        "obsolete", "other placeholders", "not translated", "a mnemonic too much or too little",
    ]  # fmt: skip


def test_a_catalogue_is_read_as_it_was_written(tmp_path: Path) -> None:
    messages = {Message("A", "Less < more & “quotes”\n"): ["a.py"], Message("B", "Not yet"): ["b.py", "c.py"]}
    ts = tmp_path / "x_de.ts"
    ts.write_text(translations.written("de", {Message("A", "Less < more & “quotes”\n"): "<&>\n"}, messages))

    assert translations.read(ts) == {Message("A", "Less < more & “quotes”\n"): "<&>\n", Message("B", "Not yet"): ""}
