"""The definitions of impact_review.py, records for them, and random changes of both."""
import copy
import dataclasses


@dataclasses.dataclass
class Column:
    type: str
    required: bool = True


@dataclasses.dataclass
class Event:
    columns: dict
    trigger: str | None = None
    sampling: int = 100
    retired: list = dataclasses.field(default_factory=list)
    is_retired: bool = False
    text: str = ""


@dataclasses.dataclass
class Definitions:
    """Definitions with a list of records for each event. A record maps members to strings."""
    common: dict
    types: dict
    events: dict
    records: dict = dataclasses.field(default_factory=dict)
    reserved: list = dataclasses.field(default_factory=list)

    @property
    def live(self):
        return [name for name, event in self.events.items() if not event.is_retired]

    def columns(self, event):
        """Returns the columns of an event by name. The event's own columns replace common ones."""
        return {**self.common, **self.events[event].columns}

    def values(self, type):
        """Returns values of a type. Values repeat, so that joins find rows."""
        if isinstance(self.types.get(type), list):
            return self.types[type]
        type = self.types.get(type, type)
        if type.startswith("enum("):
            return type[5:-1].split(", ")
        match type.split("(")[0]:
            case "string": return ["v0", "v1", "v2", "newest"]
            case "bool": return ["true", "false"]
            case "double" | "decimal": return ["0.25", "1.5", "2.75", "4"]
            case "timestamp": return [f"2026-04-0{day} 12:00:00+00" for day in range(1, 5)]
            case _: return ["1", "2", "3", "4"]

    def files(self):
        """Returns the definition files by name."""
        files = {
            "common.md": "# common\n\n" + rows(self.common, self.reserved),
            "types.md": "# types\n" + "".join(self.type_text(name) for name in self.types),
        }
        for name, event in self.events.items():
            category, event_name = name.split(".")
            details = [("trigger", event.trigger), ("sampling", f"{event.sampling}%" if event.sampling < 100 else None)]
            details = [f"| {key} | {value} |\n" for key, value in details if value]
            heading = f"~~{event_name}~~" if event.is_retired else event_name
            text = files.get(f"{category}.md", f"# {category}\n") + f"\n## {heading}\n\n{event.text}\n\n"
            if details:
                text += "| key | value |\n| --- | --- |\n" + "".join(details) + "\n"
            files[f"{category}.md"] = text + (rows(event.columns, event.retired) if event.columns else "")
        return files

    def type_text(self, name):
        type = self.types[name]
        if not isinstance(type, list):
            return f"\n## {name}: {type}\n"
        return f"\n## {name}\n\n| value |\n| --- |\n" + "".join(f"| {value} |\n" for value in type)


def rows(columns, retired):
    lines = [f"| {name} | {column.type}{'' if column.required else '?'} |\n" for name, column in columns.items()]
    lines += [f"| ~~{name}~~ | {column.type}? |\n" for name, column in retired]
    return "| column | type |\n| --- | --- |\n" + "".join(lines)


def parse(text):
    """Returns columns from `name type, name type?`."""
    columns = {}
    for part in text.split("; "):
        name, type = part.split(" ", 1)
        columns[name] = Column(type.removesuffix("?"), not type.endswith("?"))
    return columns


def base(random):
    definitions = Definitions(
        common=parse("user_id int64?; app string; screen Screen?"),
        types={"Sort": ["newest", "popular", "price"], "Screen": ["home", "list", "detail"], "Item": "int32", "Label": "string"},
        events={
            "search.show": Event(parse("query string; position int32; results int?; order Sort?; item Item; price double?"),
                                 "impression(80%, 2s)", 50),
            "search.tap": Event(parse("query string; position int32; item Item; dwell double?; unused string?")),
            "search.clear": Event(parse("reason enum(user, system)?; query string?")),
            "shop.buy": Event(parse("item Item; price double; quantity int32; coupon string?; order Sort?"), "show"),
            "shop.view": Event(parse("item Item; source Label; seconds int64; position int32?"), None, 20),
            "shop.refund": Event(parse("item Item; amount decimal(10, 2)?; reason string; quantity int32")),
            "profile.login": Event(parse("method enum(mail, apple, google); trial bool; since timestamp?")),
            "profile.update": Event(parse("field string; length int32?; label Label?")),
        })
    for event in definitions.events:
        add_records(definitions, event, random)
    return definitions


def add_records(definitions, event, random, count=12):
    """Adds records of a new event. Every second value of an optional column is NULL in some records."""
    columns = definitions.columns(event)
    start = sum(map(len, definitions.records.values()))
    definitions.records[event] = [
        {
            "event_id": f"01890a5d-ac96-774b-bcce-{start + number:012}",
            "event_category": event.split(".")[0],
            "event_name": event.split(".")[1],
            "schema_version": "1-0-0",
            "occurred_at": f"2026-04-{number % 4 + 1:02} 0{number % 5}:00:00+00",
            "sampling_rate": str(definitions.events[event].sampling / 100),
            **{name: value(definitions, column, random) for name, column in columns.items()},
        }
        for number in range(count)
    ]


def value(definitions, column, random):
    return None if not column.required and random.random() < 0.2 else random.choice(definitions.values(column.type))


# MARK: Changes

# Each change edits the definitions and their records, and returns a description, or nil if it does not apply.
CHANGES = {}


def change(function):
    CHANGES[function.__name__] = function
    return function


def some_column(definitions, random, accepts=lambda type: True):
    """Returns an event with one of its own columns whose type is accepted."""
    found = [(event, name) for event in definitions.live for name, column in definitions.events[event].columns.items()
             if accepts(definitions.types.get(column.type, column.type))]
    return random.choice(found) if found else (None, None)


def is_taken(definitions, name, type):
    """Returns true if another type has the name of an enumeration in a column."""
    return type.startswith("enum(") and name.title() in definitions.types


def is_integer(type):
    return isinstance(type, str) and type.startswith(("int", "uint"))


def fill(definitions, events, name, random):
    """Gives the records of events new values of a column."""
    for event in events:
        for record in definitions.records[event]:
            record[name] = value(definitions, definitions.columns(event)[name], random)


@change
def delete_column(definitions, random):
    event, name = some_column(definitions, random)
    if len(definitions.events[event].columns) == 1:
        return None
    del definitions.events[event].columns[name]
    for record in definitions.records[event]:
        del record[name]
    return f"{event}.{name} is deleted"


@change
def retire_column(definitions, random):
    event, name = some_column(definitions, random)
    if len(definitions.events[event].columns) == 1:
        return None
    definitions.events[event].retired.append((name, definitions.events[event].columns.pop(name)))
    for record in definitions.records[event]:
        del record[name]
    return f"{event}.{name} is retired"


@change
def rename_column(definitions, random):
    event, name = some_column(definitions, random)
    new = random.choice([name + "2", "renamed", *other_names(definitions, event)])
    columns = definitions.events[event].columns
    if new in columns or is_taken(definitions, new, columns[name].type):
        return None
    definitions.events[event].columns = {new if key == name else key: column for key, column in columns.items()}
    for record in definitions.records[event]:
        record[new] = record.pop(name)
    return f"{event}.{name} is renamed to {new}"


def other_names(definitions, event):
    own = definitions.columns(event)
    return sorted({name for other in definitions.live for name in definitions.events[other].columns if name not in own})


@change
def retype_column(definitions, random):
    event, name = some_column(definitions, random)
    column = definitions.events[event].columns[name]
    type = random.choice(["string", "int32", "double", "bool", "Label", "enum(new, newer)"])
    if is_taken(definitions, name, type) or definitions.types.get(type, type) == definitions.types.get(column.type, column.type):
        return None
    column.type = type
    fill(definitions, [event], name, random)
    return f"{event}.{name} becomes {type}"


@change
def widen_column(definitions, random):
    event, name = some_column(definitions, random, lambda type: type == "int32")
    definitions.events[event].columns[name].type = "int64"
    definitions.records[event][0][name] = str(2**31 + 5)
    return f"{event}.{name} becomes wider"


@change
def narrow_column(definitions, random):
    event, name = some_column(definitions, random, lambda type: type in ("int64", "int", "double"))
    column = definitions.events[event].columns[name]
    column.type = "float" if column.type == "double" else "int32"
    for record in definitions.records[event][::2]:
        record[name] = "7"
    return f"{event}.{name} becomes {column.type}"


@change
def swap_required(definitions, random):
    event, name = some_column(definitions, random)
    column = definitions.events[event].columns[name]
    column.required = not column.required
    for record in definitions.records[event]:
        record[name] = value(definitions, column, random) if column.required or random.random() < 0.5 else None
    return f"{event}.{name} becomes {'required' if column.required else 'optional'}"


@change
def add_column(definitions, random):
    event = random.choice(definitions.live)
    name = random.choice(["extra", "rows", "grouped", "united", "most", "place"])
    return insert(definitions, event, name, random.choice(["string?", "int32?", "Sort?"]), random)


@change
def add_known_column(definitions, random):
    """Adds a column with a name of another event's column, so that names without a table become ambiguous."""
    event = random.choice(definitions.live)
    name = random.choice(other_names(definitions, event))
    types = [definitions.events[other].columns[name].type for other in definitions.live
             if name in definitions.events[other].columns]
    return insert(definitions, event, name, random.choice([*types, *types, "string"]) + "?", random)


def insert(definitions, event, name, type, random):
    retired = {name for name, _ in definitions.events[event].retired}
    if is_taken(definitions, name, type) or name in definitions.columns(event) or name in retired:
        return None
    definitions.events[event].columns.update(parse(f"{name} {type}"))
    fill(definitions, [event], name, random)
    return f"{event}.{name} is new"


@change
def lose_value(definitions, random):
    event, name = some_column(definitions, random, lambda type: isinstance(type, list) or type.startswith("enum("))
    column = definitions.events[event].columns[name]
    values = definitions.values(column.type)
    if len(values) < 3:
        return None
    lost = random.choice(values)
    return set_values(definitions, event, name, [value for value in values if value != lost], f"loses {lost}", random)


@change
def gain_value(definitions, random):
    event, name = some_column(definitions, random, lambda type: isinstance(type, list) or type.startswith("enum("))
    values = definitions.values(definitions.events[event].columns[name].type)
    if "gained" in values:
        return None
    return set_values(definitions, event, name, [*values, "gained"], "gains a value", random)


def set_values(definitions, event, name, values, words, random):
    """Changes an enumeration. Lost values become others, and a new value replaces some."""
    column = definitions.events[event].columns[name]
    if column.type in definitions.types:
        definitions.types[column.type] = values
        users = [(other, key) for other in definitions.live for key, one in definitions.columns(other).items()
                 if one.type == column.type]
    else:
        users, column.type = [(event, name)], f"enum({', '.join(values)})"
    for other, key in users:
        for number, record in enumerate(definitions.records[other]):
            if record[key] is not None and (record[key] not in values or "gained" in values and number % 3 == 0):
                record[key] = values[-1]
    return f"{column.type} of {event}.{name} {words}"


@change
def change_named_type(definitions, random):
    name = random.choice([name for name, type in definitions.types.items() if not isinstance(type, list)])
    type = random.choice(["string", "int64", "int16", "double", "string(2)"])
    if type == definitions.types[name]:
        return None
    definitions.types[name] = type
    for event in definitions.live:
        for key, column in definitions.columns(event).items():
            if column.type == name:
                fill(definitions, [event], key, random)
    return f"type {name} becomes {type}"


@change
def change_common_column(definitions, random):
    name = random.choice(sorted(definitions.common))
    column = definitions.common[name]
    match random.randrange(4):
        case 0: column.type = "string" if definitions.values(column.type)[0] != "v0" else "int64"
        case 1: column.type = "int32" if column.type == "int64" else "string(1)"
        case 2: column.required = not column.required
        case _: column.type = "bool"
    # An own column of the same name hides the common one.
    fill(definitions, [event for event in definitions.live if name not in definitions.events[event].columns], name, random)
    return f"common {name} becomes {column}"


@change
def delete_common_column(definitions, random):
    name = random.choice(sorted(definitions.common))
    column = definitions.common.pop(name)
    if random.random() < 0.5:
        definitions.reserved.append((name, column))
    for event in definitions.live:
        for record in definitions.records[event]:
            if name not in definitions.events[event].columns:
                del record[name]
    return f"common {name} is deleted"


@change
def add_common_column(definitions, random):
    names = {name for event in definitions.live for name in definitions.events[event].columns}
    name = random.choice(["extra", "place", "region", "most"])
    if name in names:
        return None
    definitions.common.update(parse(f"{name} string?"))
    fill(definitions, definitions.live, name, random)
    return f"common {name} is new"


@change
def change_trigger(definitions, random):
    event = random.choice(definitions.live)
    triggers = [None, "show", "impression(50%, 1s)", "screen", "impression(80%, 2s)"]
    definitions.events[event].trigger = random.choice([one for one in triggers if one != definitions.events[event].trigger])
    del definitions.records[event][1::3]
    return f"{event} changes its trigger"


@change
def change_sampling(definitions, random):
    event = random.choice(definitions.live)
    shares = [share for share in (10, 25, 100) if share != definitions.events[event].sampling]
    definitions.events[event].sampling = random.choice(shares)
    del definitions.records[event][::2]
    for record in definitions.records[event]:
        record["sampling_rate"] = str(definitions.events[event].sampling / 100)
    return f"{event} changes its sampling"


@change
def retire_event(definitions, random):
    event = random.choice(definitions.live)
    definitions.events[event].is_retired = True
    definitions.records[event] = []
    return f"{event} is retired"


@change
def delete_event(definitions, random):
    event = random.choice(definitions.live)
    del definitions.events[event], definitions.records[event]
    return f"{event} is deleted"


@change
def rename_event(definitions, random):
    event = random.choice(definitions.live)
    if event + "ed" in definitions.events:
        return None
    definitions.events[event + "ed"] = definitions.events.pop(event)
    definitions.records[event + "ed"] = definitions.records.pop(event)
    for record in definitions.records[event + "ed"]:
        record["event_name"] += "ed"
    return f"{event} is renamed"


@change
def delete_category(definitions, random):
    category = random.choice(definitions.live).split(".")[0]
    for event in [event for event in definitions.events if event.startswith(category + ".")]:
        del definitions.events[event], definitions.records[event]
    return f"category {category} is deleted"


@change
def add_event(definitions, random):
    category = random.choice([*definitions.live, "news.show"]).split(".")[0]
    if f"{category}.opened" in definitions.events:
        return None
    definitions.events[f"{category}.opened"] = Event(parse("item Item; query string?; place string?"))
    add_records(definitions, f"{category}.opened", random)
    return f"{category}.opened is new"


@change
def tighten_range(definitions, random):
    event, name = some_column(definitions, random, is_integer)
    column = definitions.events[event].columns[name]
    if column.type in definitions.types or "(" in column.type:
        return None
    column.type += "(0...2)"
    for record in definitions.records[event]:
        if record[name] is not None:
            record[name] = str(min(2, int(record[name])))
    return f"{event}.{name} has a tighter range"


@change
def change_words(definitions, random):
    """Changes no record."""
    event = random.choice(definitions.live)
    definitions.events[event].text = "A description."
    definitions.events[event].columns = dict(reversed(definitions.events[event].columns.items()))
    return f"{event} has other words"


def changed(before, kinds, random):
    """Returns definitions after changes, with the description of each."""
    definitions, words = copy.deepcopy(before), []
    for kind in kinds:
        for _ in range(50):
            if len(definitions.live) < 2:
                break
            attempt = copy.deepcopy(definitions)
            if word := CHANGES[kind](attempt, random):
                definitions = attempt
                words.append(word)
                break
    return definitions, words
