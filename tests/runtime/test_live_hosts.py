"""Which session hosts of a home live, whoever knows of them."""

from __future__ import annotations

import json
from pathlib import Path

from coven_desktop.runtime.seam import LiveHost
from tests.runtime.house import House


def test_it_names_its_routine_and_its_run_until_it_has_ended(house: House) -> None:
    spec = house.spec("sleep 60")
    watched = house.start(spec)
    house.run("true")
    house.again()
    assert house.runtime.live_hosts() == (
        LiveHost(spec.session_id, watched.started[0].pid, spec.automation_id, spec.run_id),
    )
    house.stop(watched)
    assert house.runtime.live_hosts() == ()


def test_a_host_of_another_home_or_of_an_earlier_version(house: House, tmp_path: Path) -> None:
    watched = house.start(house.spec("sleep 60"))
    (tmp_path / "other").mkdir()
    other = House(tmp_path / "other")
    assert other.runtime.live_hosts() == ()
    other.close()
    starting = house.home.session(watched.id).starting
    told = json.loads(starting.read_text())
    starting.write_text(json.dumps({name: told[name] for name in ("bootId", "pid", "startTime", "graceMs")}))
    assert house.runtime.live_hosts() == (LiveHost(watched.id, watched.started[0].pid, None, None),)
    house.stop(watched)
