"""The sentences of the window in other languages: what the code says, the .ts files that carry it, and their .qm.

    python packaging/translations.py            bring every .ts up to date with the code and make its .qm
    python packaging/translations.py --check    change nothing; tell what is missing, obsolete or unlike; exit 1 if any

Qt's `lupdate` reads neither the short wrappers (`_say("…")`) nor whether an argument is a literal, so the code is read
here by its syntax tree, and a call whose text is not written where it is called is an error. The `.ts` are Qt's own
format: Qt Linguist opens them, and Qt's `lrelease` makes the `.qm`.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from coven_desktop.schedule.local_text import DAY_NAMES, MONTH_NAMES

REPOSITORY = Path(__file__).resolve().parent.parent
TRANSLATIONS = REPOSITORY / "resources" / "translations"
SPEAKING = ("coven_desktop/ui", "coven_desktop/desktop", "coven_desktop/app.py")
# A floor without Qt is handed what translates: `say("…")`, in a context that ui/schedule_words.py names.
HANDED = tuple(f"coven_desktop/schedule/{name}.py" for name in ("words", "cadence_words", "cron_words", "explaining"))
HANDED_CONTEXT = "Schedules"
_PLACEHOLDER = re.compile(r"\{(\w*)[^{}]*\}|%n|%\d")


@dataclass(frozen=True, order=True)
class Message:
    """One sentence of the code: Qt looks it up by `context` and `source`."""

    context: str
    source: str


Catalogue = dict[Message, str]


# --- what the code says -----------------------------------------------------------------------------------------------


def said(repository: Path = REPOSITORY) -> dict[Message, list[str]]:
    """Every sentence of the code that is translated, and the files that say it. Raises ValueError for no literal."""
    found: dict[Message, list[str]] = {}
    for place in SPEAKING:
        top = repository / place
        for path in sorted(top.rglob("*.py")) if top.is_dir() else [top]:
            name = path.relative_to(repository).as_posix()
            for message in said_in(path.read_text(encoding="utf-8"), name):
                files = found.setdefault(message, [])
                if name not in files:
                    files.append(name)
    for name in HANDED:
        for message in said_in((repository / name).read_text(encoding="utf-8"), name, {"say": HANDED_CONTEXT}):
            files = found.setdefault(message, [])
            if name not in files:
                files.append(name)
    return found


def said_in(code: str, name: str, handed: Mapping[str, str] | None = None) -> Iterator[Message]:
    """The sentences of one file. Raises ValueError, with file and line, for a call whose text is no literal.

    `handed` are the names of functions that are handed in, with their contexts; they also take an item of DAY_NAMES or
    MONTH_NAMES.
    """
    tree = ast.parse(code, name)
    wrappers = {
        node.name: context for node in tree.body if isinstance(node, ast.FunctionDef) and (context := _wraps(node))
    } | dict(handed or {})
    yield from _said_below(tree, name, wrappers, "")


def _said_below(tree: ast.AST, name: str, wrappers: Mapping[str, str], owner: str) -> Iterator[Message]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name in wrappers and not owner:
            continue
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Attribute(attr="tr"):
                    yield Message(owner, _literal(node.args[0], name))
                case ast.Attribute(value=ast.Name(id="QCoreApplication"), attr="translate"):
                    yield Message(_literal(node.args[0], name), _literal(node.args[1], name))
                case ast.Name(id=called) if called in wrappers and _names(node.args[0]):
                    yield from (Message(wrappers[called], one) for one in _names(node.args[0]))
                case ast.Name(id=called) if called in wrappers:
                    yield Message(wrappers[called], _literal(node.args[0], name))
        yield from _said_below(node, name, wrappers, node.name if isinstance(node, ast.ClassDef) else owner)


def _wraps(function: ast.FunctionDef) -> str | None:
    """The context of a wrapper: a function that does nothing but `return QCoreApplication.translate(context, text)`."""
    match function.body[-1]:
        case ast.Return(
            ast.Call(
                func=ast.Attribute(value=ast.Name(id="QCoreApplication"), attr="translate"),
                args=[ast.Constant(str(context)), ast.Name(id=text), *_],
            )
        ) if text == function.args.args[0].arg:
            return context
    return None


def _names(node: ast.expr) -> tuple[str, ...]:
    match node:
        case ast.Subscript(value=ast.Name(id="DAY_NAMES")):
            return DAY_NAMES
        case ast.Subscript(value=ast.Name(id="MONTH_NAMES")):
            return MONTH_NAMES
    return ()


def _literal(node: ast.expr, name: str) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"{name}:{node.lineno}: the text to translate must be written here, as one literal")


# --- the .ts ----------------------------------------------------------------------------------------------------------


def read(ts: Path) -> Catalogue:
    """The sentences of a .ts with their translations; one that is not finished has an empty one."""
    found: Catalogue = {}
    for context in ElementTree.parse(ts).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            text = "" if translation is None or translation.get("type") else translation.text or ""
            found[Message(context.findtext("name", ""), message.findtext("source", ""))] = text
    return found


def written(language: str, catalogue: Catalogue, files: Mapping[Message, list[str]]) -> str:
    """A .ts as text, sorted; without line numbers, which would change with every edit."""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE TS>",
        f'<TS version="2.1" language="{language}" sourcelanguage="en">',
    ]
    for name in sorted({message.context for message in files}):
        lines += ["<context>", f"    <name>{escape(name)}</name>"]
        for message in sorted(one for one in files if one.context == name):
            translation = catalogue.get(message, "")
            lines.append("    <message>")
            lines += [f'        <location filename="../../{file}"/>' for file in files[message]]
            lines.append(f"        <source>{escape(message.source)}</source>")
            if translation:
                lines.append(f"        <translation>{escape(translation)}</translation>")
            else:
                lines.append('        <translation type="unfinished"></translation>')
            lines.append("    </message>")
        lines.append("</context>")
    return "\n".join([*lines, "</TS>", ""])


def wrong(catalogue: Catalogue, messages: Mapping[Message, list[str]]) -> list[str]:
    """What is wrong with a language: missing, obsolete, other placeholders or mnemonics than the source; else empty."""
    found = [f"obsolete: {one}" for one in sorted(set(catalogue) - set(messages))]
    for message in sorted(messages):
        translation = catalogue.get(message, "")
        if not translation:
            found.append(f"not translated: {message}")
        elif placeholders(translation) != placeholders(message.source):
            found.append(f"other placeholders: {message} -> {translation}")
        elif ("&" in message.source.replace("&&", "")) != ("&" in translation.replace("&&", "")):
            found.append(f"a mnemonic too much or too little: {message} -> {translation}")
    return found


def placeholders(text: str) -> list[str]:
    """What a sentence leaves to be filled in, sorted."""
    return sorted({match[0] for match in _PLACEHOLDER.finditer(text)})


def compiled(ts: Path) -> bytes:
    """The .qm that Qt's lrelease makes of a .ts."""
    with tempfile.TemporaryDirectory() as place:
        qm = Path(place) / "out.qm"
        lrelease = Path(sysconfig.get_path("scripts")) / "pyside6-lrelease"
        subprocess.run([lrelease, "-silent", "-nounfinished", ts, "-qm", qm], check=True, cwd=REPOSITORY)
        return qm.read_bytes()


def main(arguments: list[str]) -> int:
    """See the top of this file."""
    messages = said()
    problems: list[str] = []
    for ts in sorted(TRANSLATIONS.glob("*.ts")):
        qm = ts.with_suffix(".qm")
        catalogue = read(ts)
        if "--check" in arguments:
            if not qm.is_file() or qm.read_bytes() != compiled(ts):
                problems.append(f"{qm.name} is not what {ts.name} gives")
        else:
            language = ElementTree.parse(ts).getroot().get("language", "")
            catalogue = {message: catalogue.get(message, "") for message in messages}
            ts.write_text(written(language, catalogue, messages), encoding="utf-8")
            qm.write_bytes(compiled(ts))
        problems += wrong(catalogue, messages)
    print("\n".join(problems) or f"{len(messages)} sentences, all translated")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
