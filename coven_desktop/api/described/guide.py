"""What a person who writes a client needs to know before the actions: prose of the reference."""

from __future__ import annotations

GUIDE = """\
## How to ask

The app serves one Unix socket, `coven.sock` in its home (`~/.local/share/coven-desktop` unless it was told otherwise),
and answers whoever runs as the same user. An action is a JSON object with the member `action`, sent to one path:

```sh
curl --silent --unix-socket ~/.local/share/coven-desktop/coven.sock http://coven/api/v1/actions \\
  -d '{"action": "coven.automations.list"}'
```

Ask in this order: `GET /api/v1/health` (go on only if `ok` is `true` and `apiVersion` is `coven.daemon.v1`), then
`GET /api/v1/capabilities` for the actions that this app has, then the actions. The whole of this reference as an
OpenAPI 3.1 document: `GET /api/v1/openapi.json`.

A connection is closed after its answer, unless the request says `Connection: keep-alive`. Bodies have a
`Content-Length` or are `chunked`. How large they may be, and how long everything may take, stands under
[Limits](#limits).

Actions that end in `.v1` have errors with codes, and those that change something have keys: a program should prefer
them. The ones without a version are for clients that know nothing else. The actions of the capability `coven.desktop`
are our own; its entry in the catalog has a `version`, which rises when one of them changes its meaning or goes.

## Answers

Status 200 and `"ok": true`: it was carried out. What was asked for stands in `event.payload`, in `result`, or in both,
as each action says. Members that are absent are left out, they are not null.

```json
{"ok": true, "accepted": true, "action": "coven.automations.get", "status": "completed",
 "event": {"kind": "automations.changed", "action": "coven.automations.get", "payload": {"routine": null}}}
```

The optional texts `origin` and `intentId` of a request are told back in the event, without white space around them.
They grant nothing. The actions that refuse other members refuse these, too.

Any other status: it was not carried out, and nothing was changed. `reason` is a sentence for people. When there is an
`error`, branch on its `code`; without one the status is 400. See [Rejection](#rejection) and [Error](#error).

```json
{"ok": false, "accepted": false, "action": "coven.automations.definition.pause.v1", "status": "rejected",
 "reason": "routine `morning-notes` is at revision 4, not 3",
 "error": {"code": "REVISION_CONFLICT", "httpStatus": 409, "message": "routine `morning-notes` is at revision 4, not 3",
           "retryable": false, "currentRevision": 4}}
```

What no action has seen has the shape [RouteError](#routeerror):

{transport}

## Errors

{errors}

`retryable` is about the same request, sent again as it is.

## Adoption keys

A client cannot know whether a request that got no answer was carried out. So an action that changes something takes an
`adoptionKey`: a name that the client makes up for this one request, 8 to 200 characters, a letter or digit first, then
letters, digits and `. _ : -`. A random one will do (`adopt:` and a UUID, for example).

- Send the same request again under the same key as often as you like: it is carried out once, and answered each time.
  A replay is told as one: the definition actions answer `"outcome": "replayed"` and have no event, the others have a
  `reason`.
- A refusal is remembered, too: the same request under the same key is refused the same way for ever, whatever has
  changed since. To try again, take a new key. Not remembered are a key that is missing or not well-formed, and the
  errors that every action can answer.
- Another request under a used key is refused with `ADOPTION_REPLAY_MISMATCH`. For the definition actions, the same
  request is one with the same definition, revision and reason; for the actions that refuse other members, one whose
  whole body is the same. `1` and `1.0` are not the same.
- Keys are never forgotten, and all actions share them.

`create`, `update` and `delete` take an optional `intentId` to the same end. They remember only what was carried out.

## Revisions

Every change of a routine raises its `revision` by one. A change by a versioned action names the revision that it was
made from (`expectedRevision`), and is refused with `REVISION_CONFLICT` when somebody else was faster: read the routine
again, and decide anew.

## Pages

The histories come in pages, newest first. `cursor.next` of a page is the `cursor` to ask for the one behind it; where
it is absent there is no more. Hand it back as it is: it names a place, not a page number, so that nothing is told twice
or left out when something is added meanwhile, and it never runs out. `cursor.hasMore` says the same as a boolean.

## Events

Every change is told by an event, which is written together with it. A routine, an occurrence and a run have a stream
each (that of a run tells of its attempts, too), and the feed has the events of all of them, in the order in which they
were recorded.

To follow: read `{"kind": "feed", "id": "all"}` from the beginning, and hand back the `nextAfter` of each page as the
next `after`, also when a page was empty. A client that keeps `nextAfter` goes on where it was after any break. Events
are told at least once: leave alone an `eventId` that you have seen. `CURSOR_EXPIRED` says that what comes next is not
kept any more: read the state of what you show with the other actions, then go on from the present with `from`.

`coven.desktop.events.wait.v1` waits for the next event instead of answering with an empty page. It answers after
`waitSeconds` at the latest, which is 30 s when it is absent: be as patient. It takes no `from`. To begin with the
present, read a page with `from` once, and wait from its `nextAfter` on.

To follow one run: wait on its stream until `receipt.recorded`, which is its last event. An attempt that failed, or of
which nobody knows how it ended, does not end its run: that stays `running`, and waits for its next attempt or for a
person. What it waits for is its `phase` in [`coven.desktop.state.v1`](#covendesktopstatev1).

Each page also has a `checkpoint`, which names the place behind it for a day and keeps what follows it for as long.

## Digests

The `integrity` of a receipt, of an event and of a rich definition is made in the same way: take the object without its
member `integrity`, write it in the canonical form of RFC 8785 (members sorted by their names as UTF-16, no white space,
numbers as JavaScript writes them, nothing escaped that need not be), and take the SHA-256 of its UTF-8 bytes, in lower
case. In Python, for objects whose member names are ASCII and whose numbers are integers, as in all of them that have
no `extensions`:

```python
content = {name: value for name, value in receipt.items() if name != "integrity"}
text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
assert hashlib.sha256(text.encode()).hexdigest() == receipt["integrity"]["value"]
```

## Values

| type | rule |
|---|---|
| instant | RFC 3339 in UTC with three fraction digits, `2026-09-01T09:00:00.000Z`; where it is said, with nine |
| routine id | 1 to 96 letters, digits and `. _ -`, a letter or digit first |
| id | 1 to 160 of the same |
| adoption key | 8 to 200 letters, digits and `. _ : -`, a letter or digit first |
| integer | a JSON integer; `1.0` is none |
| text | Unicode; a limit in bytes counts its UTF-8 form |

Requests are strict JSON: no member twice, no half surrogate pairs, no integers beyond ±(2^53-1), at most 127 levels.
"""
