"""The person's keyring as the helper process speaks to it: the desktop's Secret Service, or what they have configured.

The Secret Service is spoken to directly. The `keyring` package does the same at three times the cost (0.2 s of a
launch), so it is asked only where there is no such service, or where the person has configured a keyring of their own
for it. What lies in the service is found by either: the attributes are those of that package.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from typing import Literal, Protocol

import secretstorage
from secretstorage.exceptions import LockedException, PromptDismissedException, SecretStorageException

SERVICE = "coven-desktop"
"""The service under which all secrets lie; the user name of an entry is the secret's name."""
_APPLICATION = "Python keyring library"
_BUS = "DBUS_SESSION_BUS_ADDRESS"
_CONFIGURED = "PYTHON_KEYRING_BACKEND"

Door = Literal["open", "locked", "unmade"]


class Absent(Exception):
    """There is no keyring here."""


class NoBus(Absent):
    """There is no session bus here, over which a keyring could be asked."""


class Locked(Exception):
    """The person did not let us in."""


class Keyring(Protocol):
    """What a keyring can do. `unlock` may wait for the person; all may raise Locked, and whatever a backend raises."""

    name: str

    def door(self) -> Door:
        """Whether the person would be asked, as far as it can be told without asking.

        `unmade`: there is nothing yet to keep secrets in; it would be made, and a password be asked for it.
        """

    def unlock(self) -> None:
        """Let the person unlock it, or make one."""

    def get(self, name: str) -> str | None:
        """A value, or None when there is none."""

    def put(self, name: str, value: str) -> None:
        """Keep a value in place of the one before."""

    def delete(self, name: str) -> None:
        """Delete a value; what is not there is no error."""


def of_the_person(environ: Mapping[str, str]) -> Keyring:
    """The keyring to use. Raises Absent, and NoBus of that."""
    bus = True
    root = environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    if _CONFIGURED not in environ and not os.path.exists(os.path.join(root, "python_keyring", "keyringrc.cfg")):
        try:
            return SecretService()
        except SecretStorageException:
            bus = bool(environ.get(_BUS))
        except OSError:
            bus = False  # its address is that of one that is gone
    try:
        return Configured()
    except Absent as error:
        raise error if bus else NoBus from error


def find_bus(environ: MutableMapping[str, str]) -> None:
    """Name the session bus where nobody has: an app that was started over ssh finds it as all other programs do."""
    place = os.path.join(environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}", "bus")
    if not environ.get(_BUS) and os.path.exists(place):
        environ[_BUS] = f"unix:path={place}"


class SecretService:
    """The desktop's own: GNOME Keyring, KWallet, KeePassXC and others. Raises SecretStorageException without one."""

    name = "Secret Service"

    def __init__(self) -> None:
        self._connection = secretstorage.dbus_init()
        if not secretstorage.check_service_availability(self._connection):
            raise secretstorage.SecretServiceNotAvailableException("there is no Secret Service")

    def door(self) -> Door:
        """See `Keyring`."""
        try:
            return "locked" if secretstorage.Collection(self._connection).is_locked() else "open"
        except secretstorage.ItemNotFoundException:
            return "unmade"

    def unlock(self) -> None:
        """See `Keyring`."""
        try:
            collection = secretstorage.get_default_collection(self._connection)
        except PromptDismissedException as error:
            raise Locked from error
        if collection.is_locked() and (collection.unlock() or collection.is_locked()):
            raise Locked

    def get(self, name: str) -> str | None:
        """See `Keyring`."""
        for item in self._items(name):
            if item.is_locked() and (item.unlock() or item.is_locked()):
                raise Locked
            return item.get_secret().decode("utf-8")
        return None

    def put(self, name: str, value: str) -> None:
        """See `Keyring`."""
        attributes = {**_attributes(name), "application": _APPLICATION}
        label = f"Coven Desktop: {name}"
        try:
            self._collection.create_item(label, attributes, value.encode("utf-8"), replace=True)
        except LockedException as error:
            raise Locked from error

    def delete(self, name: str) -> None:
        """See `Keyring`."""
        for item in self._items(name):
            item.delete()

    @property
    def _collection(self) -> secretstorage.Collection:
        return secretstorage.Collection(self._connection)

    def _items(self, name: str) -> list[secretstorage.Item]:
        return list(self._collection.search_items(_attributes(name)))


class Configured:
    """What the `keyring` package finds, or is told by its own configuration. Raises Absent."""

    def __init__(self) -> None:
        import keyring
        from keyring.backends import fail, null

        self._backend = keyring.get_keyring()
        if isinstance(self._backend, fail.Keyring | null.Keyring):
            raise Absent
        self.name = self._backend.name

    def door(self) -> Door:
        """See `Keyring`: such a keyring does not tell."""
        return "open"

    def unlock(self) -> None:
        """See `Keyring`: it asks by itself."""

    def get(self, name: str) -> str | None:
        """See `Keyring`."""
        return self._backend.get_password(SERVICE, name)

    def put(self, name: str, value: str) -> None:
        """See `Keyring`."""
        self._backend.set_password(SERVICE, name, value)

    def delete(self, name: str) -> None:
        """See `Keyring`."""
        if self.get(name) is not None:
            self._backend.delete_password(SERVICE, name)


def _attributes(name: str) -> dict[str, str]:
    return {"service": SERVICE, "username": name}
