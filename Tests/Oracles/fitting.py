"""Random valid records, made from the output of `loggen dump`."""

import uuid

PLAIN = "abcdefgh 検索レシピ"


def value(kind, types, chance, letters=PLAIN, external=("x",)):
    """Returns a value of a type.

    `external` has the values of types that an app declares, of which the definitions have only the name.
    """
    match kind["kind"]:
        case "named":
            declared = types[kind["name"]]
            if declared["kind"] == "enum":
                return chance.choice([entry["value"] for entry in declared["values"]])
            return value(declared["type"], types, chance, letters, external) if declared["kind"] == "scalar" else chance.choice(external)
        case "string":
            most = min(kind.get("maxLength") or kind.get("maxBytes") or 40, 24)
            # With a limit in bytes, only letters of one byte.
            some = letters if "maxLength" in kind else "abc-"
            return "".join(chance.choice(some) for _ in range(chance.randint(most // 2, most)))[:most]
        case "integer":
            low = kind.get("minimum", 0)
            return chance.randint(low, min(kind.get("maximum", low + 100), 127 if kind["bits"] == 8 else 10**6))
        case "number":
            return round(chance.uniform(kind.get("minimum", 0), kind.get("maximum", 100)), 3)
        case "decimal":
            return "12.50" if kind["precision"] - kind["scale"] > 1 and kind["scale"] > 1 else "0"
        case "boolean":
            return chance.random() < 0.5
        case "date":
            return "2026-04-01"
        case "timestamp":
            return "2026-04-01T12:34:56.789Z"
        case "uuid":
            return str(uuid.UUID(int=chance.getrandbits(128)))
        case "url":
            return f"https://example.com/recipes/{chance.randint(1, 10**6)}?from=search"
        case "enum":
            return chance.choice(kind["values"])
        case "array":
            low = kind.get("minItems", 0)
            return [value(kind["items"], types, chance, letters, external) for _ in range(chance.randint(low, min(kind.get("maxItems", 3), low + 3)))]


def members(category, event, model, chance, letters=PLAIN, external=("x",)):
    """Returns the members of a record, with nine of ten optional columns."""
    types = {entry["name"]: entry for entry in model["types"]}
    made = {
        "event_id": str(uuid.UUID(int=chance.getrandbits(128))), "event_category": category["name"], "event_name": event["name"],
        "schema_version": event["version"], "occurred_at": "2026-04-01T12:34:56.789Z",
    }
    for column in model["common"]["columns"] + event["columns"]:
        if column["status"] != "retired" and (column["required"] or chance.random() < 0.9):
            made[column["name"]] = value(column["type"], types, chance, letters, external)
    return made
