"""Zones by what people call them: a city, a country, an abbreviation, an offset.

Names, countries and abbreviations come from the zone data in use; only cities that have no zone of their own stand
here. What is found are exact names: the search never makes one up.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from coven_desktop.schedule import zones

LIMIT = 40

# "+9", "UTC-5", "gmt +05:30", "-0330"; a bare number needs its sign, or it is the beginning of nothing.
_OFFSET = re.compile(r"(?:utc|gmt)? ?([+\-\u2212])(\d{1,2})(?::?([0-5]\d))?", re.IGNORECASE)
# As POSIX writes a rule: a name, its offset west of Greenwich, and perhaps those of daylight saving time.
_POSIX_NAME, _POSIX_OFFSET = r"(?:<([^>]+)>|([A-Za-z]+))", r"([+-]?[\d:]+)"
_POSIX = re.compile(rf"{_POSIX_NAME}{_POSIX_OFFSET}(?:{_POSIX_NAME}{_POSIX_OFFSET}?)?")
_NOT_A_PLACE = ("Etc", "SystemV")
# Said with a name, and no part of it: "eastern standard time".
_NOISE = frozenset({"time", "zone", "standard", "daylight", "summer"})
_COUNTRIES_BY_OTHER_NAMES = {"america": "US", "england": "GB", "holland": "NL", "uae": "AE", "uk": "GB", "usa": "US"}
# Of several that fit as well, these are meant more often than the others, the first of them most.
_WELL_KNOWN = tuple(
    f"{region}/{city}"
    for region, cities in (
        ("America", "New_York Los_Angeles Chicago Denver"),
        ("Europe", "London Berlin Paris"),
        ("Asia", "Tokyo Kolkata Shanghai"),
        ("Australia", "Sydney"),
        ("America", "Sao_Paulo Mexico_City Toronto Argentina/Buenos_Aires Halifax Anchorage Vancouver Bogota"),
        ("Europe", "Madrid Rome Amsterdam Zurich Istanbul Moscow Athens Kyiv Lisbon Dublin"),
        ("Asia", "Singapore Hong_Kong Seoul Dubai Jakarta Bangkok Manila Karachi Jerusalem"),
        ("Africa", "Cairo Lagos Johannesburg Nairobi"),
        ("Pacific", "Auckland Honolulu"),
        ("Australia", "Brisbane Adelaide Perth"),
    )
    for city in cities.split()
)
_LINK = 5

# Cities that people search for and that go by the clocks of another.
_CITIES = {
    "America/Chicago": "Austin, Dallas, Houston, Memphis, Milwaukee, Minneapolis, Nashville, New Orleans, San Antonio",
    "America/Denver": "Albuquerque, Salt Lake City",
    "America/Los_Angeles": "Las Vegas, Portland, Sacramento, San Diego, San Francisco, San Jose, Seattle",
    "America/New_York": "Atlanta, Boston, Charlotte, Miami, Philadelphia, Pittsburgh, Washington",
    "America/Sao_Paulo": "Brasilia, Rio de Janeiro",
    "America/Toronto": "Montreal, Ottawa, Quebec",
    "Asia/Dubai": "Abu Dhabi",
    "Asia/Ho_Chi_Minh": "Hanoi",
    "Asia/Karachi": "Islamabad, Lahore",
    "Asia/Kolkata": "Bangalore, Bengaluru, Bombay, Chennai, Delhi, Hyderabad, Mumbai, New Delhi, Pune",
    "Asia/Shanghai": "Beijing, Guangzhou, Shenzhen, Wuhan",
    "Asia/Tokyo": "Kyoto, Osaka, Yokohama",
    "Australia/Sydney": "Canberra",
    "Europe/Amsterdam": "Rotterdam, The Hague",
    "Europe/Berlin": "Bonn, Cologne, Dresden, Düsseldorf, Frankfurt, Hamburg, Köln, Leipzig, Munich, München",
    "Europe/Istanbul": "Ankara",
    "Europe/London": "Birmingham, Cardiff, Edinburgh, England, Glasgow, Manchester, Scotland, Wales",
    "Europe/Madrid": "Barcelona, Bilbao, Valencia",
    "Europe/Moscow": "Saint Petersburg",
    "Europe/Paris": "Lille, Lyon, Marseille, Nice, Toulouse",
    "Europe/Rome": "Florence, Milan, Naples, Turin, Venice",
    "Europe/Warsaw": "Gdansk, Krakow",
    "Europe/Zurich": "Basel, Bern, Geneva, Lausanne",
    "Pacific/Auckland": "Wellington",
}


class Found(NamedTuple):
    """A zone that was found: its exact name, and the countries and places it is known for, perhaps none."""

    name: str
    places: str


class _Entry(NamedTuple):
    found: Found
    words: tuple[str, ...]
    whole: str
    city: str
    codes: frozenset[str]
    countries: frozenset[str]
    offsets: frozenset[int]
    rank: int


def search(query: str, now: int) -> tuple[Found, ...]:
    """At most 40 zones for what a person typed, the likeliest first; `now` (UTC milliseconds) is for offsets.

    An empty query finds nothing. `utc` is found under its usual names, `local` under its own.
    """
    plain = _plain(query)
    if not plain:
        return ()
    offset = _OFFSET.fullmatch(plain)
    if offset is not None:
        return _of_offset(offset, now)
    wanted = [word for word in plain.split() if word not in _NOISE] or plain.split()
    plain = " ".join(wanted)
    scored: list[tuple[int, int, str, Found]] = []
    for entry in _entries():
        score = _score(entry, plain, wanted)
        if score is not None:
            # a link is an old name of another zone: the zone itself comes first
            score += 5 if entry.rank >= _LINK and plain != entry.whole else 0
            scored.append((score, entry.rank, entry.found.name, entry.found))
    return _without_repeats([found for *_, found in sorted(scored)])


def best(query: str, now: int) -> str | None:
    """The name that was most probably meant, also by a slip of the pen; None when nothing is near."""
    found = search(query, now)
    if found:
        return found[0].name
    import difflib  # only a slip needs it

    cities: dict[str, str] = {}
    for entry in sorted(_entries(), key=lambda entry: entry.rank):
        cities.setdefault(entry.city, entry.found.name)
    near = difflib.get_close_matches(_plain(query), cities, n=1, cutoff=0.75)
    return cities[near[0]] if near else None


def prepare() -> None:
    """Make what is searched, where it keeps nobody waiting; from any thread."""
    _entries()


def offset_text(seconds: int) -> str:
    """ "UTC+5:30", "UTC-5", "UTC"."""
    if not seconds:
        return "UTC"
    hours, minutes = divmod(abs(seconds) // 60, 60)
    return f"UTC{'+' if seconds > 0 else '-'}{hours}" + (f":{minutes:02}" if minutes else "")


def abbreviations(name: str) -> tuple[str, ...]:
    """What a zone's times are called from now on, ("EST", "EDT"); none where they have but a number."""
    return tuple(code for code, _ in _named_offsets(zones.rule_text(name)) if code.isalpha())


def _score(entry: _Entry, plain: str, wanted: list[str]) -> int | None:
    """How well a zone fits, 0 best; None when it does not."""
    if plain in (entry.city, entry.whole) or plain in entry.codes or plain in entry.countries:
        return 0
    if not all(any(word.startswith(part) for word in entry.words) for part in wanted):
        return None
    if entry.city.startswith(plain):
        return 2
    return 3 if all(part in entry.words for part in wanted) else 4


def _of_offset(match: re.Match[str], now: int) -> tuple[Found, ...]:
    """Those that have the offset now, then those that have it in the other half of the year."""
    seconds = int(match[2]) * 3600 + int(match[3] or 0) * 60
    seconds = seconds if match[1] == "+" else -seconds
    rules: dict[str, int | None] = {}

    def other_half(entry: _Entry) -> bool:
        # zones with one rule agree from now on: reading one of each is enough
        rule = zones.rule_text(entry.found.name)
        if rule not in rules:
            rules[rule] = _offset_now(entry.found.name, now)
        return rules[rule] != seconds

    ranked = sorted(
        (entry for entry in _entries() if seconds in entry.offsets),
        key=lambda entry: (other_half(entry), entry.rank, entry.found.name),
    )
    return _without_repeats([entry.found for entry in ranked])


def _offset_now(name: str, now: int) -> int | None:
    try:
        return zones.zone(name).local_of(now).offset_seconds
    except (zones.ZoneError, OverflowError):
        return None


def _without_repeats(found: list[Found]) -> tuple[Found, ...]:
    return tuple(dict.fromkeys(found))[:LIMIT]


@cache
def _entries() -> tuple[_Entry, ...]:
    """Everything that can be found. Made once, which takes a tenth of a second: see `prepare`."""
    countries = {row[0]: row[1] for row in zones.table("iso3166.tab") if len(row) > 1}
    places: dict[str, list[str]] = {}
    ranks: dict[str, int] = {}
    for rank, table in enumerate(("zonenow.tab", "zone1970.tab", "zone.tab")):
        for code, _, name, *comment in (row for row in zones.table(table) if len(row) > 2):
            ranks.setdefault(name, rank)
            told = [countries[one] for one in code.split(",") if one in countries]
            places.setdefault(name, []).extend([*comment, *told])
    nothing: frozenset[str] = frozenset()
    utc = Found("utc", "UTC")
    made = [
        _Entry(
            utc, ("utc", "zulu", "gmt", "universal"), "utc", "utc", frozenset({"z", "gmt"}), nothing, frozenset({0}), 0
        ),
        _Entry(Found("local", ""), ("local", "here"), "local", "local", nothing, nothing, frozenset(), 0),
    ]
    for name in zones.names():
        named = _named_offsets(zones.rule_text(name))
        known = places.get(name, [])
        country = _country_of().get(name, "")
        words = _plain(" ".join([name.replace("/", " "), *known, _CITIES.get(name, "")])).split()
        aliases = [alias for alias, code in _COUNTRIES_BY_OTHER_NAMES.items() if code == country]
        rank = 9 if name.partition("/")[0] in _NOT_A_PLACE else ranks.get(name, _LINK)
        made.append(
            _Entry(
                Found(name, countries.get(country, "")),
                tuple(dict.fromkeys(words)),
                _plain(name.replace("/", " ")),
                _plain(name.rpartition("/")[2]),
                frozenset(code.casefold() for code, _ in named if code.isalpha()),
                frozenset([country.casefold(), _plain(countries.get(country, "")), *aliases] if country else []),
                frozenset(offset for _, offset in named),
                _WELL_KNOWN.index(name) - len(_WELL_KNOWN) if name in _WELL_KNOWN else rank,
            )
        )
    return tuple(made)


@cache
def _country_of() -> dict[str, str]:
    """The two letters of the country that a zone lies in."""
    return {row[2]: row[0] for row in zones.table("zone.tab") if len(row) > 2}


def _named_offsets(rule: str) -> list[tuple[str, int]]:
    """The names and offsets (seconds east) in a POSIX rule; a name may be a number, as "+03"."""
    match = _POSIX.match(rule)
    if match is None:
        return []
    quoted, name, west, quoted_summer, summer, summer_west = match.groups()
    standard = -_seconds(west)
    named = [(quoted or name, standard)]
    if quoted_summer or summer:
        named.append((quoted_summer or summer, standard + 3600 if summer_west is None else -_seconds(summer_west)))
    return named


def _seconds(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    parts = [int(part) for part in text.lstrip("+-").split(":")]
    return sign * sum(part * unit for part, unit in zip(parts, (3600, 60, 1), strict=False))


def _plain(text: str) -> str:
    """Small letters without accents, words apart by one space: `São_Paulo` is "sao paulo"."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return " ".join(re.sub(r"[^\w+\-\u2212:]|_", " ", bare).casefold().split())
