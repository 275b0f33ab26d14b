"""The app as a whole hears of sleep: from logind on the system bus to what its scheduler says over the socket."""

from __future__ import annotations

from pathlib import Path

from coven_desktop.desktop import network
from tests.desktop.logind import Bus, Logind
from tests.rig import App, until


def test_nothing_due_starts_from_the_word_of_sleep_to_the_network_after_it(tmp_path: Path) -> None:
    with Bus(tmp_path) as bus:
        logind = Logind(bus)
        with App(tmp_path / "home", environment={"DBUS_SYSTEM_BUS_ADDRESS": bus.address}) as app:
            app.ready()

            def waits_for() -> object:
                # a pass says what it found
                app.act("tick")
                return app.act("scheduler.status.v1")["scheduler"].get("claimsWait")

            assert waits_for() is None
            until("the app listens", lambda: len(logind.everybody()) == 2)
            logind.prepare_for_sleep(True)
            assert until("claims wait", waits_for) == "for the network after sleep"
            logind.prepare_for_sleep(False)
            # without a network it waits for 20 s
            until("claims go on", lambda: waits_for() is None, seconds=15 if network.is_up() else 60)
            assert app.end() == 0
        logind.close()
