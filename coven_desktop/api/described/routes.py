"""The paths (contract/api.md a)."""

from __future__ import annotations

from coven_desktop.api.described.model import Member, Route, any_of, list_of, map_of, optional, shape
from coven_desktop.api.described.records import LOG_LINE, SESSION, SESSION_EVENT_PAGE, SESSION_PAGE
from coven_desktop.api.described.scalars import ANYTHING, BOOLEAN, COUNT, CURSOR, INSTANT_NS, TEXT, exactly, integer
from coven_desktop.api.described.scalars import REVISION as FROM_ONE
from coven_desktop.api.described.service import API_VERSION, CATALOG, HANDSHAKE, ROUTE_ERROR

PREFIX = "/api/v1"

_SESSION_ID = Member("id", TEXT, "The `sessionId` of a run or attempt.")
_NO_SESSION = (404, "session_not_found", "no session has this id")

HEALTH = Route(
    PREFIX + "/health",
    "Who answers: the first thing a client asks for.",
    HANDSHAKE,
    alias="/health",
    words="`ok` says only that somebody answers. `storage.status` says how the store is.",
)
CAPABILITIES = Route(PREFIX + "/capabilities", "The catalog of actions that work now.", CATALOG, alias="/capabilities")
VERSION = Route(PREFIX + "/api-version", "The version of the paths.", API_VERSION, alias="/api-version")
SESSION_OF = Route(
    PREFIX + "/sessions/{id}",
    "One session.",
    SESSION,
    alias="/sessions/{id}",
    path_parameters=(_SESSION_ID,),
    errors=(_NO_SESSION,),
)
LOG = Route(
    PREFIX + "/sessions/{id}/log",
    "What a session has printed, as far as it is kept.",
    list_of(LOG_LINE),
    alias="/sessions/{id}/log",
    path_parameters=(_SESSION_ID,),
    errors=(_NO_SESSION,),
)
_AFTER = optional("afterSeq", COUNT, "Only what comes behind this one: `nextCursor.afterSeq` of the page before.")
_LIMIT = optional("limit", integer(1, 1_000), "How many at most; without it as many as fit.")
SESSIONS = Route(
    PREFIX + "/sessions",
    "The sessions, newest first: the newest 1,000, or with any parameter a page.",
    any_of(list_of(SESSION), SESSION_PAGE),
    alias="/sessions",
    query=(
        optional("limit", integer(1, 1_000), "Of a page; 100 when it is absent."),
        optional("cursor", CURSOR, "The `next_cursor` of the page before, as it was given."),
        optional("includeArchived", BOOLEAN, "Makes no difference: nothing is archived."),
    ),
    errors=((400, "invalid_request", "a parameter is wrong"),),
)
SESSION_EVENTS = Route(
    PREFIX + "/sessions/{id}/events",
    "What a session has printed and how it ended, page by page.",
    SESSION_EVENT_PAGE,
    alias="/sessions/{id}/events",
    path_parameters=(_SESSION_ID,),
    query=(_AFTER, _LIMIT),
    errors=(_NO_SESSION, (400, "invalid_request", "a parameter is wrong")),
)
EVENTS = Route(
    PREFIX + "/events",
    "The same, with the session in the query. For events of routines and runs see `events.read.v1`.",
    SESSION_EVENT_PAGE,
    alias="/events",
    query=(Member("sessionId", TEXT, "The `sessionId` of a run or attempt."), _AFTER, _LIMIT),
    errors=(_NO_SESSION, (400, "invalid_request", "`sessionId` is missing, or a parameter is wrong")),
)
DOCUMENT = Route(
    PREFIX + "/openapi.json",
    "This reference as an OpenAPI 3.1 document.",
    map_of(ANYTHING, "OpenAPI 3.1 document"),
)
SHUTDOWN = Route(
    PREFIX + "/internal/lifecycle/shutdown",
    "Ends nothing: this app is ended by whoever owns the desktop.",
    ROUTE_ERROR,
    method="post",
    status=409,
    body=shape(
        Member("apiVersion", exactly("coven.daemon.v1")),
        Member(
            "daemon",
            shape(
                Member("pid", FROM_ONE),
                Member("socket", TEXT),
                Member("startedAt", INSTANT_NS),
                closed=True,
            ),
            "As `health` tells it.",
        ),
        closed=True,
    ),
    errors=(
        (400, "invalid_request", "the body is not JSON, or not these members alone"),
        (409, "daemon_identity_mismatch", "the body names another process"),
        (409, "shutdown_not_supported", "the body names this process"),
    ),
)

ALL: tuple[Route, ...] = (
    *(HEALTH, CAPABILITIES, VERSION, SESSIONS, SESSION_OF, LOG, SESSION_EVENTS, EVENTS, DOCUMENT, SHUTDOWN),
)

TRANSPORT: tuple[tuple[int, str, str], ...] = (
    (400, "bad_request", "the request is not HTTP as it should be, or was cut off"),
    (403, "forbidden", "the client runs as another user"),
    (404, "not_found", "there is nothing at this path for this method; `HEAD` and `OPTIONS` are answered so, too"),
    (404, "invalid_request", "the path is one of another version of the API"),
    (408, "request_timeout", "the request did not arrive in time"),
    (413, "payload_too_large", "the body is too large; `ok` `false` stands before `error`"),
    (414, "uri_too_long", "the path is too long"),
    (431, "header_too_large", "the head of the request is too large or has too many lines"),
    (500, "internal", "a mistake of the app; its log says more"),
    (501, "not_implemented", "a coding of the body that is not carried"),
    (503, "too_many_connections", "too much is open at once; `Retry-After` says when to try again"),
    (503, "stopping", "the app is ending"),
    (503, "not_serving", "the app does not serve, because its home is open to others"),
    (505, "http_version_not_supported", "neither HTTP/1.0 nor HTTP/1.1"),
)
"""What can be answered on any path, in the shape of a route error."""
