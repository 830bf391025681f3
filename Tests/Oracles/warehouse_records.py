"""Definitions with every type and bound, and records that satisfy or violate them in every way."""

import json
import random
import re
import uuid

import fitting

PROBE = """# probe

## one_of_each

| column | type |
| --- | --- |
| text | string? |
| text3 | string(3)? |
| bytes4 | string(4 bytes)? |
| int8 | int8? |
| int16 | int16? |
| int32 | int32? |
| int64 | int64? |
| uint8 | uint8? |
| uint16 | uint16? |
| uint32 | uint32? |
| percent | int(0...100)? |
| from5 | int(5...)? |
| number | double? |
| fraction | float(0...0.5)? |
| wide | double(-9007199254740993...9007199254740993)? |
| amount | decimal(5, 2)? |
| cents | decimal(2, 2)? |
| whole | decimal(3)? |
| flag | bool? |
| day | date? |
| time | timestamp? |
| key | uuid? |
| link | url? |
| order | enum(newest, popular, 新着, it's, back\\slash, a"b)? |
| tags | [string(3)]? |
| pair | [int8; 1...2]? |
| grid | [[ListOrder; ...1]]? |
| days | [date]? |
| keys | [uuid; 1...]? |
| sort | ListOrder? |
| recipe | RecipeID? |
| external | Kitchen? |
| ~~gone~~ | bool? |

## all_required

| column | type |
| --- | --- |
| sort | ListOrder |
| pair | [int8; 1...2] |

## empty

## grown

| column | type |
| --- | --- |
| count | int |

## ~~retired_event~~
"""
SECOND = "# second\n\n## empty\n"
COMMON = """# common

| column | type |
| --- | --- |
| user_id | int64 |
| session | uuid? |
| ~~old_common~~ | bool? |
"""
TYPES = """# types

## ListOrder

| value | description |
| --- | --- |
| newest | |
| popular | |

## RecipeID: int64

## Kitchen

| key | value |
| --- | --- |
| swift | App.Kitchen |
"""
LOCK = """loggen.lock 1
probe.grown 1-0-0 active +user_id:int64 +session:uuid? count:string(2)
probe.grown 1-0-1 active +user_id:int64 +session:uuid? count:string(2) note:enum(a,b)?
probe.grown 2-0-0 active +user_id:int64 +session:uuid? count:int ~+old_common
probe.retired_event 1-0-0 active +user_id:int64 +session:uuid? reason:string(3)
probe.retired_event 1-1-0 retired +user_id:int64 +session:uuid? ~+old_common
"""


# Small definitions: nothing is required, an event has no columns, or everything is retired. Also reserved names.
SMALL = {
    "lenient": "# lenient\n\n## a\n\n| column | type |\n| --- | --- |\n| n | int? |\n",
    "bare": "# bare\n\n## a\n",
    "over": "# over\n\n## ~~a~~\n",
    "system": "# system\n\n## a\n\n| column | type |\n| --- | --- |\n"
    + "".join(f"| {name} | double? |\n" for name in ["xmin", "xmax", "cmin", "cmax", "ctid", "tableoid", "oid", "rowid"]),
}

# Characters that editors do not show are data here. A backslash escape in JSON is not part of the value.
ZERO_WIDTH = ["\U0001F468\u200d\U0001F469\u200d\U0001F467", "\u0646\u06cc\u200c\u0634", "a\\b", "a\\u0062"]


def write_small(folder):
    """Writes small definition folders. Returns their names, and `marks` for `marks()`."""
    made = []
    marks = "# marks\n\n## a\n\n| column | type |\n| --- | --- |\n| n | int |\n| p | enum(" + ", ".join(ZERO_WIDTH) + ", c) |\n"
    for name, text in {**SMALL, "marks": marks}.items():
        (folder / name).mkdir()
        (folder / name / f"{name}.md").write_text(text)
        made.append((name, folder / name))
    return made


def marks():
    """Returns records with the values of `marks`, and with similar values."""
    texts = []
    for value in ZERO_WIDTH + ["c"]:
        texts += [json.dumps(value), json.dumps(value, ensure_ascii=False), '"' + value + '"']
        texts += ['"' + "".join(f"\\u{ord(c):04x}" for c in value if ord(c) < 0x10000) + '"', json.dumps(value.replace("\u200d", "\ufffd"))]
    texts += [json.dumps(value.replace("\u200d", "").replace("\u200c", "")) for value in ZERO_WIDTH]
    return [
        json.dumps({"event_id": str(uuid.uuid4()), "event_category": "marks", "event_name": "a", "schema_version": "1-0-0", "occurred_at": "2026-04-01T12:34:56.789Z", "n": 1})[:-1]
        + f', "p": {text}}}'
        for text in texts
    ]


def write_probe(folder):
    folder.mkdir()
    for name, text in {"probe.md": PROBE, "second.md": SECOND, "common.md": COMMON, "types.md": TYPES, "loggen.lock": LOCK}.items():
        (folder / name).write_text(text)


def columns_of_probe(record):
    """Returns the columns of `count`, which was a string in version 1 and has a separate column for it."""
    if record["event_name"] != "grown":
        return {}
    return {"count": "count", "count_v1": None} if record["schema_version"] == "2-0-0" else {"count": None, "count_v1": "count"}


CHARACTERS = ["a", "é", "絵", "🍳", r"\n", r"\u0041", r"\ud83c\udf73", r"\ud83c", r"\udf73", r"\u0000", r"\"", r"\\", r"\/", "か\u3099", "\x7f", "'", "\u202e", r"\\u0000", r"\\ud83c", r"\uFfFd", "$", "${x}"]
NUMBERS = """0 -0 1 -1 4 5 100 101 127 128 -128 -129 255 256 32767 32768 -32768 -32769 65535 65536 2147483647 2147483648 -2147483648 -2147483649
4294967295 4294967296 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615
18446744073709551616 123456789012345678901234567890 9007199254740991 9007199254740992 9007199254740993 9007199254740994
-9007199254740993 -9007199254740994 1.0 -0.0 1.5 1e2 1E+2 1.28e2 5e-1 0.5 0.50000000000000000001 0.5000000000000001 0.51 -1e-300 1e-400 1e400
-1e400 1e308 2.5e-1 9223372036854775807.0 9223372036854774784.0 -9223372036854775808.0 9.3e18 0.1e1 100.0 1e0 12e-1 1000000000000000000000e-21
0e99999999 1e99999999 1e-99999999 -1e99999999 0.000e-99999999 4.9e-324 2.4e-324 1.7976931348623157e308 1.7976931348623159e308""".split()
TEXTS = [
    "newest", "popular", "新着", "it's", r"back\\slash", r"a\"b", "oldest", "Newest", "newest ", "", "2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "0000-02-29", "1899-12-31", "2300-01-01", "9999-12-31",
    "2026-04-31", "2026-12-31", "2026-13-01", "2026-00-10", "2026-01-00", r"2026-01-01\n", "2026-1-1", "2026-04-01T12:34:56.789Z", "0001-01-01T00:00:00.000Z", "1900-01-01T00:00:00.000Z", "2299-12-31T23:59:59.999Z",
    "2026-04-01T24:00:00.000Z", "2026-04-01T23:59:60.000Z", "2026-04-01T12:34:56Z", "2026-04-01T12:34:56.7890Z", "2026-04-01t12:34:56.789z",
    "2026-04-01T12:34:56.789+00:00", r"2026-04-01T12:34:56.789Z\n", "01890a5d-ac96-774b-bcce-b302099a8057", "F47AC10B-58CC-4372-A567-0E02B2C3D479",
    "01890a5d-ac96-774b-bcce-b302099a805", "01890a5d-ac96-774b-bcce-b302099a805g", "01890a5d_ac96-774b-bcce-b302099a8057", r"01890a5d-ac96-774b-bcce-b302099a8057\n",
    "https://example.com/a?b=c%20d#e", "a:", "a:#", "a:##", "a:%", "a:%2", "a:%zz", "1a:b", "a+b-c.d:e", "a_b:c", ":a", "https://例え.jp", "https://example.com/<",
    r"https://example.com\n", "http://[::1]/", r"a:\u0062", "0", "00", "-0", "0.5", "0.55", "0.555", ".5", "5.", "-1.25", "123", "1234", "999.99", "1000", "0.99", "01", "+1",
    "1e2", r"1\n", "1 ", "-", "--1", "1-0-0", "1-0-1", "2-0-0", "0-0-0", "1-00-0", "1.0.0", "1-0", "12-0-34", r"1-0-0\n", "'; DROP TABLE bad_records; --", "*/ ${env:HOME} /*", "null", "true",
]
COLUMNS = "text text3 bytes4 int8 int16 int32 int64 uint8 uint16 uint32 percent from5 number fraction wide amount cents whole flag day time key link order tags pair grid days keys sort recipe external".split()
UUID = "01890a5d-ac96-774b-bcce-b302099a8057"


class Maker:
    def __init__(self, chance):
        self.chance = chance

    def percent(self, share):
        return self.chance.random() * 100 < share

    def one(self, of):
        return self.chance.choice(of)

    def characters(self):
        return "".join(self.one(CHARACTERS) for _ in range(self.chance.randrange(6)))

    def text(self):
        return self.one(TEXTS) if self.percent(60) else self.characters()

    def value(self, depth=0):
        kind = self.chance.randrange(8 if depth > 3 else 11)
        if kind == 0:
            return self.one(["true", "false", "null"])
        if kind <= 3:
            return self.one(NUMBERS)
        if kind <= 7:
            return f'"{self.text()}"'
        if kind <= 9:
            return "[" + ",".join(self.value(depth + 1) for _ in range(self.chance.randrange(4))) + "]"
        return "{" + ",".join(f'"k{i}":{self.value(depth + 1)}' for i in range(self.chance.randrange(3))) + "}"

    def value_of(self, column):
        if self.percent(12):
            return self.value()
        match column:
            case "text" | "text3" | "bytes4":
                return f'"{self.characters()}"'
            case "flag":
                return self.one(["true", "false", "null"])
            case "order" | "sort":
                return self.one(['"newest"', '"popular"', '"新着"', '"it\'s"', r'"back\\slash"', r'"a\"b"', r'"new\u0065st"', f'"{self.text()}"'])
            case "day" | "time" | "key" | "link" | "amount" | "cents" | "whole" | "session" | "event_id" | "occurred_at":
                shapes = {"day": r"^\d{4}-", "time": "T", "key": "-.*-.*-", "link": ":", "amount": r"^-?\d", "cents": r"^-?0", "whole": r"^-?\d+$"}
                pool = [text for text in TEXTS if re.search(shapes.get(column, "."), text)]
                return f'"{self.one(pool) if self.percent(70) else self.text()}"'
            case "tags":
                return "[" + ", ".join(self.value_of("text3") for _ in range(self.chance.randrange(4))) + "]"
            case "pair":
                return "[" + " ,".join(str(self.chance.randrange(128)) if self.percent(80) else self.one(NUMBERS) for _ in range(self.chance.randrange(4))) + "]"
            case "grid":
                return self.one(["[]", '[["newest"]]', '[[],["popular"],[]]', '[["oldest"]]', '[["newest","newest"]]', "[[[]]]", '[ [ ] , ["newest"] ]', "[null]", "[{}]"])
            case "days":
                return "[" + ",".join(f'"{self.one(["2026-04-01", "2024-02-29", "2023-02-29", "0000-01-01"])}"' for _ in range(self.chance.randrange(3))) + "]"
            case "keys":
                return "[" + ",".join(self.one([f'"{UUID}"', f'"{UUID.upper()}"', '"x"']) for _ in range(self.chance.randrange(3))) + "]"
            case "external":
                return self.value()
            case "number":
                return self.one(NUMBERS)
            case _:
                return self.one(NUMBERS) if self.percent(60) else str(self.chance.randrange(100))

    def record(self):
        event = "one_of_each" if self.percent(70) else self.one(["all_required", "empty", "grown", "retired_event", "unheard_of"])
        category = "probe" if self.percent(96) else self.one(["second", "unheard_of", "Probe"])
        version = {"grown": "2-0-0", "retired_event": "1-1-0"}.get(event, "1-0-0")
        old = event in ("grown", "retired_event") and self.percent(60)
        if old:
            version = self.one(["1-0-0", "1-0-1"]) if event == "grown" else "1-0-0"
        elif self.percent(3):
            version = self.one(["1-0-1", "1-0-0", "2-0-0", "3-1-0", "1-1-0", "x", "1-0"])
        members = [
            ("event_id", f'"{uuid.UUID(int=self.chance.getrandbits(128))}"'), ("event_category", f'"{category}"'), ("event_name", f'"{event}"'),
            ("schema_version", f'"{version}"'), ("occurred_at", '"2026-04-01T12:34:56.789Z"'), ("user_id", "7"),
        ]
        if event == "one_of_each":
            for _ in range(1 + self.chance.randrange(3 if self.percent(80) else 12)):
                name = self.one(COLUMNS)
                if all(name != other for other, _ in members) or self.percent(20):
                    members.append((name, self.value_of(name)))
        elif event == "all_required":
            members += [("sort", '"newest"' if self.percent(80) else self.value_of("sort")), ("pair", "[1]" if self.percent(80) else self.value_of("pair"))]
        elif event == "grown":
            members.append(("count", ("5" if not old else '"12"') if self.percent(80) else self.value()))
            if self.percent(20):
                members.append(("note", '"a"' if self.percent(60) else self.value()))
        elif event == "retired_event" and old:
            members.append(("reason", '"abc"' if self.percent(80) else self.value()))
        if self.percent(5):
            members.append((self.one(["never_heard_of", "gone", "old_common", "", "Text", r"te\u0078t", "é", "event_Id", "x" * 80, "a'b", r"a\"b", r"\u0000", r"\ud83c", r"text\\"]), self.value()))
        if self.percent(5):
            members.append(("violations", self.one(['["a: b"]', "[]", '[""]', "null", '["a","b"]', '"a"', "[1]", r'["\u0061"]', '["", ""]', '[[]]'])))
        if self.percent(5):
            members.pop(self.chance.randrange(len(members)))
        if self.percent(4) and members:
            place = self.chance.randrange(len(members))
            members[place] = (members[place][0], self.value())
        if self.percent(5) and members:
            name, value = self.one(members)
            members.insert(self.chance.randrange(len(members) + 1), (name, value if self.percent(50) else self.value_of(name)))
        if self.percent(15):
            self.chance.shuffle(members)
        blank = "" if self.percent(90) else self.one([" ", "\t", "\r", "  "])
        text = "{" + blank + ("," + blank).join(f'"{name}"{blank}:{blank}{value}' for name, value in members) + blank + "}"
        return self.damaged(text) if self.percent(5) else text

    def damaged(self, text):
        place = self.chance.randrange(len(text))
        match self.chance.randrange(5):
            case 0:
                return text[:place] + text[place + 1 :]
            case 1:
                return text[:place] + self.one("{}[]\",:\\0-.eEtn ") + text[place:]
            case 2:
                return text[:place]
            case 3:
                return text + self.one(["x", "{}", ",", " 1", "\ufeff"])
            case _:
                return text[:place] + self.one(["NaN", "Infinity", "-Infinity", "\0", "\xa0", "1e5", "null", "\x01", "\x1f"]) + text[place + 1 :]


def by_hand():
    """Yields a record for each known difficulty."""
    def record(**changes):
        members = {"event_id": f'"{uuid.UUID(int=random.Random(str(changes)).getrandbits(128))}"', "event_category": '"probe"', "event_name": '"one_of_each"', "schema_version": '"1-0-0"', "occurred_at": '"2026-04-01T12:34:56.789Z"', "user_id": "7", **changes}
        return "{" + ",".join(f'"{name}":{value}' for name, value in members.items() if value is not None) + "}"

    for depth in [2, 3, 8, 14, 15, 16, 17, 40, 511]:
        yield record(tags="[" * depth + "]" * depth)
        yield record(other='{"a":' * depth + "1" + "}" * depth, text='"fine"')
        yield record(other='{"text3":' * depth + '"too long"' + "}" * depth)
        yield record(tags="[" * depth + "]" * (depth - 1))
    yield from ["", " ", "\t", "[]", "1", '"a"', "null", "{}", "{", "}", "[", '""', "{}}", "{} {}", "[{}]", '{"a"}', '{"a":}', '{"a":1,}', "{,}", '{"a":1 "b":2}', "{'a':1}", '{a:1}', '"@"', "tru", "truefalse", "- 1", "0 0", '{"a":-}', '{"":""}']
    yield record(text='"' + "絵" * 20000 + '"')
    yield record(text='"' + r"\n" * 20000 + '"')
    yield record(text3='"' + r"\ud83c\udf73" * 3 + '"')
    yield record(text3='"' + r"\ud83c" * 4 + '"')
    yield record(int64="1" * 5000)
    yield record(number="1" * 400)
    yield record(number="0." + "1" * 5000)
    yield record(tags="[" + ",".join(['"a"'] * 3000) + "]")
    yield record(external="1", text=r'"\"text3\":\"toolong\""')
    yield record(text=r'"a\\"', text3='"abc"')
    yield record(text=r'"\\\\\""', text3='"abcd"')
    # Suffixes that make a valid record invalid JSON, and valid records in other orders and with spaces.
    good = record(text='"a"', flag="true")
    yield from [good[:-1] + ",}", good[:-1] + ", }", good[:-1] + ',"}', good.replace('":', '": ').replace(",", ", ")]
    yield from [record(flag="true", text='"a"'), record(text='"a"', user_id="7"), record(session=f'"{UUID}"', flag="null"), record(flag="true", session=f'"{UUID}"')]
    yield from [record(sampling_rate="0.25", int8="1"), record(int8="1", sampling_rate="0.25"), record(sampling_rate="0"), record(sampling_rate="1")]
    # Escapes that an engine's reader may not decode, and a name that is too long for its line.
    yield record(event_id=r'"01890a5d\u002dac96-774b-bcce-b302099a8058"', occurred_at=r'"2026\u002d04-01T12:34:56.789\u005a"')
    yield record(day=r'"2026\u002d04-01"', amount=r'"1\u002e5"', days=r'["2026-04\u002d01"]', keys=rf'["{UUID[:-1]}\u0037"]')
    yield record(event_name='"' + "n" * 5000 + '"')
    yield record(session=None, user_id=None)
    yield record(event_category='"probe.one_of_each"', event_name='""')
    yield record(event_name='"one_of_each 1-0-0"', schema_version='""')
    yield record(schema_version='"1-0-0 "')
    yield '{"event_id":"x","text":1,"text":2'
    yield '\ufeff' + record(text='"a"')


def probe(chance, count):
    maker = Maker(chance)
    records = list(by_hand())
    while len(records) < count:
        records.append(maker.record())
    return records


def depth(record):
    deepest = level = 0
    for character in re.sub(r'"(?:[^"\\]|\\.)*"', "", record):
        if character in "[{":
            level += 1
            deepest = max(deepest, level)
        elif character in "]}":
            level -= 1
    return deepest


# MARK: Records of any definitions

# Letters that JSON and SQL escape, and some with four bytes.
LETTERS = "abc 検索\\\"'\n🍳"


def sample(chance, model, count):
    events = [(category, event) for category in model["categories"] for event in category["events"]]
    maker = Maker(chance)
    records = []
    for number in range(count):
        category, event = events[number % len(events)]
        members = [(name, json.dumps(value, ensure_ascii=chance.random() < 0.3)) for name, value in fitting.members(category, event, model, chance, LETTERS, ["a", 1, True]).items()]
        if chance.random() < 0.3:
            place = chance.randrange(len(members))
            members[place] = (members[place][0], maker.value())
        if chance.random() < 0.05:
            members.pop(chance.randrange(len(members)))
        records.append("{" + ",".join(f'"{name}":{value}' for name, value in members) + "}")
    return records
