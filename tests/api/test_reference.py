"""The reference and the OpenAPI document are what the descriptions say, and the document describes real answers."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from coven_desktop.api import reference
from coven_desktop.api.described import actions, errors, openapi, routes
from coven_desktop.api.described.model import Route
from coven_desktop.loop.manual import START_MS
from coven_desktop.runtime.output_writer import STDERR, STDOUT, OutputWriter
from tests.api import scenes
from tests.api.conftest import Served
from tests.api.schemas import fits_exactly
from tests.api.wire import Reply

EXAMPLES = reference.recorded()
WRITE_ANEW = "run `python -m coven_desktop.api.reference`"
DOCUMENT: dict[str, Any] = json.loads(reference.DOCUMENT.read_text(encoding="utf-8"))


def valid(component: str, value: Any) -> None:
    """Fails unless a value is what the document says."""
    root = {"$ref": f"#/components/schemas/{component}", "components": DOCUMENT["components"]}
    faults = [f"{error.json_path}: {error.message}" for error in Draft202012Validator(root).iter_errors(value)]
    assert not faults, "\n".join(faults)


def test_the_files_are_what_the_descriptions_say() -> None:
    readme = reference.README.read_text(encoding="utf-8")
    assert reference.with_reference(readme, EXAMPLES) == readme, WRITE_ANEW
    assert reference.DOCUMENT.read_text(encoding="utf-8") == openapi.text(EXAMPLES), WRITE_ANEW


def test_what_stands_around_the_reference_is_left_alone() -> None:
    around = f"# Mine\n\n{reference.BEGIN}\nold\n{reference.END}\n\nand mine\n"
    found = reference.with_reference(around, EXAMPLES)
    assert found.startswith(f"# Mine\n\n{reference.BEGIN}\n\n## Contents\n")
    assert found.endswith(f"\n{reference.END}\n\nand mine\n")
    with pytest.raises(ValueError, match="needs the two lines"):
        reference.with_reference("# Mine\n", EXAMPLES)


def test_every_link_within_the_readme_leads_to_a_heading() -> None:
    readme = reference.README.read_text(encoding="utf-8")
    headings = {reference.anchor(line.lstrip("# ")) for line in readme.splitlines() if line.startswith("#")}
    assert set(reference.links(readme)) - headings == set()


def test_the_document_is_valid_openapi() -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(DOCUMENT).iter_errors()] == []


def test_the_document_is_served(served: Served) -> None:
    reply = served.get("/api/v1/openapi.json")
    assert (reply.status, reply.headers["Content-Type"]) == (200, "application/json")
    assert reply.body == DOCUMENT
    assert served.get("/openapi.json").status == 404
    assert served.get("/api/v1/openapi.json", "POST").status == 404


@pytest.mark.parametrize("action", sorted(actions.ALL))
def test_the_document_describes_the_examples(action: str) -> None:
    valid(f"request.{action}", EXAMPLES[action]["request"])
    valid(f"answer.{action}", EXAMPLES[action]["answer"])


def test_the_document_describes_refusals(served: Served) -> None:
    definition = scenes.routine()
    for body in (
        {},
        {"action": "coven.automations.get"},
        {"action": "coven.automations.definition.create.v1"},
        {"action": "coven.automations.update", "definition": definition, "expectedRevision": 0},
    ):
        reply = served.post(body)
        assert reply.status == 400
        valid("Rejection", reply.body)
    for path in ("/nothing", "/api/v2/health", "/api/v1/sessions/none"):
        valid("RouteError", served.get(path).body)


@pytest.mark.parametrize("route", routes.ALL, ids=lambda route: str(route.path))
def test_every_path_answers_as_described(served: Served, route: Route) -> None:
    found = scenes.live(served)
    _print_something(served.bench.home.session(found["sessionId"]).output)
    served.bench.end()
    for path in (route.path, route.alias):
        if not path:
            continue
        query = "?sessionId=" if any(member.name == "sessionId" for member in route.query) else ""
        session = found["sessionId"]
        reply = _asked(served, route, path.replace("{id}", session) + (query and query + session))
        assert reply.status == route.status, reply.body
        fits_exactly(route.answer, reply.body)
        for status, code, _ in route.errors:
            if status == 404:
                reply = _asked(served, route, path.replace("{id}", "none") + (query and query + "none"))
                assert (reply.status, reply.body["error"]["code"]) == (status, code)
        assert path in DOCUMENT["paths"]
        if route.query:
            more = "&limit=" if query else "?limit="
            asked = path.replace("{id}", session) + (query and query + session) + more
            fits_exactly(route.answer, _asked(served, route, asked + "1").body)
            for value in ("0", "x", "1001"):
                reply = _asked(served, route, asked + value)
                assert (reply.status, reply.body["error"]["code"]) == (400, "invalid_request")


def _print_something(path: Path) -> None:
    """Output as the session host writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    writer = OutputWriter(folder, path.name, 65_536)
    writer.append(START_MS, STDOUT, b"hello\n")
    writer.append(START_MS + 1, STDERR, b"oh\n")
    writer.close()
    os.close(folder)


def _asked(served: Served, route: Route, path: str) -> Reply:
    if route.method == "get":
        return served.get(path)
    health = served.get("/health").body
    return served.post({"apiVersion": health["apiVersion"], "daemon": health["daemon"]}, path=path)


def test_every_code_that_is_answered_has_its_meaning_and_no_other() -> None:
    assert set(errors.answered()) == set(errors.MEANINGS)


def test_every_route_error_of_the_source_is_described_and_no_other() -> None:
    described = {(status, code) for status, code, _ in routes.TRANSPORT}
    described |= {(status, code) for route in routes.ALL for status, code, _ in route.errors}
    assert described == set(_route_errors_of_the_source())


def _route_errors_of_the_source() -> Iterator[tuple[int, str]]:
    """Status and code of every call of route_error that says them."""
    for file in sorted(reference.README.parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "route_error":
                match node.args:
                    case [ast.Constant(value=int(status)), ast.Constant(value=str(code)), *_]:
                        yield status, code


def test_nothing_of_it_is_loaded_while_the_app_runs() -> None:
    program = (
        "import sys, coven_desktop.app, coven_desktop.house, coven_desktop.api.api;"
        "print([name for name in sys.modules if '.described' in name or name.endswith('api.reference')])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.strip() == "[]"


def test_it_writes_both_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme, document = tmp_path / "README.md", tmp_path / "openapi.json"
    readme.write_text(f"# Mine\n{reference.BEGIN}\n{reference.END}\n", encoding="utf-8")
    monkeypatch.setattr(reference, "README", readme)
    monkeypatch.setattr(reference, "DOCUMENT", document)
    reference.write()
    assert "#### `coven.automations.list`" in readme.read_text(encoding="utf-8")
    assert json.loads(document.read_text(encoding="utf-8"))["openapi"] == "3.1.0"
