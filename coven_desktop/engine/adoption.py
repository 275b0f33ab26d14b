"""Commands are adopted under their key: carried out once, answered alike for ever (contract/commands.md §3.1, §4).

Domain refusals are adopted too; a corrected request needs a new key. What is never adopted: a key that is
missing or ungrammatical, faults of the store, and the mismatch answers themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract import digest, ids
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.core import Core
from coven_desktop.store import adoptions, stops
from coven_desktop.store.adoptions import Adoption
from coven_desktop.store.transactions import Reader, Transaction


def key_of(body: Mapping[str, Any]) -> str:
    """The adoption key of a strict command. Raises VALIDATION_FAILED, which is not adopted."""
    key = body.get("adoptionKey")
    if not isinstance(key, str) or not ids.is_adoption_key(key):
        raise TypedRefusal(
            Code.VALIDATION_FAILED,
            "adoptionKey must be 8 to 200 ASCII characters: a letter or digit first, then letters, digits and . _ : -",
        )
    return key


def fingerprint_of(body: Mapping[str, Any]) -> str:
    """What makes two requests under one key the same: the canonical form of the whole body."""
    try:
        return digest.digest(dict(body))
    except ValueError as error:
        raise TypedRefusal(Code.INTERNAL, "the request has no canonical form") from error


def mismatch(
    message: str = "this adoption key was used for another request; send the corrected request with a new key",
) -> TypedRefusal:
    """The refusal of a key that is spent on something else."""
    return TypedRefusal(Code.ADOPTION_REPLAY_MISMATCH, message)


def reserved() -> TypedRefusal:
    """The refusal of a key under which a cancellation is under way."""
    return mismatch("this adoption key is reserved by a cancellation under way")


def find(
    reader: Reader,
    key: str,
    command: str,
    fingerprint: str,
    spent: Callable[[Adoption], TypedRefusal] = lambda adoption: mismatch(),
) -> Adoption | None:
    """What this very request was answered before; None for a fresh key. Raises ADOPTION_REPLAY_MISMATCH.

    `spent` makes the refusal of a key that was adopted for another request.
    """
    if adoptions.used_by_attempt(reader, key):
        raise mismatch("this adoption key belongs to an attempt")
    adoption = adoptions.get(reader, key)
    if adoption is None:
        return None
    if (adoption.command, adoption.fingerprint) != (command, fingerprint):
        raise spent(adoption)
    return adoption


def adopt(
    tx: Transaction,
    *,
    key: str,
    command: str,
    fingerprint: str,
    outcome: Answer | TypedRefusal,
    automation_id: str | None = None,
    revision: int | None = None,
) -> None:
    """Spend the key on an answer or a refusal, in the transaction of the change."""
    if isinstance(outcome, Answer):
        adoptions.adopt(
            tx,
            adoption_key=key,
            command=command,
            fingerprint=fingerprint,
            automation_id=automation_id,
            outcome="committed",
            revision=revision,
            response=outcome.payload,
        )
    else:
        adoptions.adopt(
            tx,
            adoption_key=key,
            command=command,
            fingerprint=fingerprint,
            automation_id=automation_id,
            outcome="rejected",
            revision=outcome.current_revision,
            response=outcome.to_wire(),
        )


def stored_refusal(adoption: Adoption) -> TypedRefusal:
    """The refusal that a rejected adoption was answered with."""
    wire = adoption.response
    return TypedRefusal(
        Code(wire["code"]),
        wire["message"],
        retryable=wire["retryable"],
        details=wire.get("details"),
        current_revision=wire.get("currentRevision"),
        adoption=wire.get("adoption"),
    )


def strict(
    core: Core,
    body: Mapping[str, Any],
    *,
    command: str,
    replay: Callable[[Adoption], Answer],
    apply: Callable[[Transaction, str], Answer],
) -> Answer:
    """Carry out a strict command that is decided in one transaction.

    `apply` gets the transaction and the key; what it wrote is undone when it refuses, and the refusal is
    adopted instead. `replay` turns a committed adoption into the answer of a replay.
    """
    return once(core, key=key_of(body), command=command, fingerprint=fingerprint_of(body), replay=replay, apply=apply)


def once(
    core: Core,
    *,
    key: str,
    command: str,
    fingerprint: str,
    replay: Callable[[Adoption], Answer],
    apply: Callable[[Transaction, str], Answer],
    spent: Callable[[Adoption], TypedRefusal] = lambda adoption: mismatch(),
    automation_id: str | None = None,
    revision: Callable[[Answer], int | None] = lambda answer: None,
    not_before: int = 0,
) -> Answer:
    """Carry out a command that is decided in one transaction, or answer it as it was answered before.

    `apply`, `replay`: see `strict`. `spent` is the refusal of a key that was adopted for another request.
    `automation_id` and `revision` are kept in the ledger; `not_before` is a lower bound of the transaction's instant.
    """
    refusal: TypedRefusal | None = None
    answer: Answer | None = None
    with core.change(not_before=not_before) as tx:
        adoption = find(tx, key, command, fingerprint, spent)
        if adoption is not None:
            if adoption.outcome == "rejected":
                raise stored_refusal(adoption)
            return replay(adoption)
        if stops.cancellation(tx, key) is not None:
            raise reserved()
        try:
            with tx.savepoint():
                answer = apply(tx, key)
        except TypedRefusal as refused:
            refusal = refused
        outcome = refusal or answer
        if outcome is None:
            raise RuntimeError(f"{command} gave no answer")
        adopt(
            tx,
            key=key,
            command=command,
            fingerprint=fingerprint,
            outcome=outcome,
            automation_id=automation_id,
            revision=revision(answer) if answer is not None else None,
        )
    if refusal is not None:
        raise refusal
    if answer is None:
        raise RuntimeError(f"{command} gave no answer")
    return answer
