"""settings and runtimes: what a routine's runs are given, shown and changed, and what it can name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.covenctl import Result, covenctl
from tests.rig import App, routine

SELDOM = {"rrule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=3", "timezone": "Pacific/Kiritimati"}


def call(app: App, *arguments: str) -> Result:
    return covenctl(*arguments, home=app.home.root)


def created(app: App, name: str) -> str:
    app.act("create", definition=routine(name, "true", app.home.root) | SELDOM)
    return name


def test_settings_are_shown_and_changed_one_by_one(served: App) -> None:
    name = created(served, "beside")
    assert call(served, "settings", name).out == "beside is given nothing beside its definition.\n"
    set_ = call(served, "settings", name, "--env", "LEVEL=brief", "--env", "EMPTY=", "--secret", "TOKEN")
    assert set_.out == (
        "Changed. The next start or retry has it.\nLEVEL  brief\nEMPTY  \nTOKEN  a secret, from the keyring\n"
    )
    more = call(served, "settings", name, "--env", "LEVEL=a=b", "--unset-env", "EMPTY", "--secret", "MORE", "--json")
    assert more.json == {"id": name, "revision": 2, "environment": {"LEVEL": "a=b"}, "secrets": ["TOKEN", "MORE"]}
    turned = call(served, "settings", name, "--env", "TOKEN=plain", "--unset-secret", "MORE", "--json")
    assert (turned.json["environment"], turned.json["secrets"]) == ({"LEVEL": "a=b", "TOKEN": "plain"}, [])
    same = call(served, "settings", name, "--env", "TOKEN=plain")
    assert (same.code, "Changed" in same.out) == (0, False)
    (told,) = served.client.desktop("routine.list.v1", ids=[name])["routines"]
    assert (told["settings"]["revision"], told["revision"]) == (3, 1)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--env", "LEVEL"], 2, "--env needs NAME=VALUE"),
        (["--env", "MY-LEVEL=1"], 1, "environment has the name `MY-LEVEL`"),
        (["--secret", "COVEN_RUN_ID"], 1, "every run is given already"),
        (["--unset-env", "NONE"], 1, "there is no variable NONE"),
        (["--unset-secret", "NONE"], 1, "there is no secret NONE"),
        (["--secret", "TOKEN", "--expected-revision", "7"], 1, "are at revision 0, not 7"),
        (["--expected-revision", "7"], 1, "are at revision 0"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_changed(served: App, arguments: list[str], code: int, said: str) -> None:
    if served.act("get", id="refused")["routine"] is None:
        created(served, "refused")
    result = call(served, "settings", "refused", *arguments)
    assert (result.code, said in result.err) == (code, True), result
    assert call(served, "settings", "refused", "--json").json["revision"] == 0


def test_an_export_carries_variables_and_the_names_of_secrets(served: App, tmp_path: Path) -> None:
    name = created(served, "carried")
    call(served, "settings", name, "--env", "LEVEL=brief", "--secret", "TOKEN")
    file = tmp_path / "one.json"
    assert call(served, "export", name, "-o", str(file)).code == 0
    assert call(served, "delete", name, "--yes").code == 0
    taken = call(served, "import", str(file))
    assert taken.code == 0
    assert "see that the keyring has its secrets: TOKEN" in taken.out + taken.err
    again = call(served, "settings", name, "--json").json
    assert (again["environment"], again["secrets"]) == ({"LEVEL": "brief"}, ["TOKEN"])


def test_runtimes_with_what_is_wrong_in_the_file(served: App) -> None:
    before = call(served, "runtimes", "--json").json
    assert {"shell", "claude", "codex"} <= {one["name"] for one in before["runtimes"]}
    file = served.home.runtimes
    file.write_text('[mine]\nargv = ["/bin/cat"]\nsecrets = ["TOKEN"]\nenv = { HUSH = "not told" }\n[bad]\nargv = 5\n')
    try:
        told = call(served, "runtimes")
        found = call(served, "runtimes", "--json").json
    finally:
        file.unlink()
    assert told.code == 0
    assert "/bin/cat" in told.out
    assert "runtime `bad` must have a list of texts as argv" in told.out
    assert "not told" not in told.out + str(found)
    (mine,) = [one for one in found["runtimes"] if one["name"] == "mine"]
    assert (mine["found"], mine["environment"], mine["secrets"]) == (True, ["HUSH"], ["TOKEN"])
    assert [problem["runtime"] for problem in found["problems"]] == ["bad"]
