#!/usr/bin/env python3
"""Writes the fuzzer's seeds: valid and invalid records with each kind of value, alone and in lines.

usage: seeds.py FOLDER
"""
import pathlib
import sys

HEAD = '{"event_id":"01890a5d-ac96-774b-bcce-b302099a8057","event_category":"a","event_name":"%s","schema_version":"%s","occurred_at":"2026-04-01T12:34:56.789Z"'
VALUES = {
    "text": ['"a\\nb"', '"🍳"', "null"], "short": ['"絵文字"', '"\\ud83c\\udf73abc"'], "bytes": ['"é🍳"'], "int8": ["127", "1.28e2"], "int64": ["9223372036854775808"],
    "percent": ["1.0", "-1"], "number": ["1e-400"], "fraction": ["0.50000000000000000001"], "amount": ['"123.45"'], "flag": ["true"],
    "day": ['"1900-02-29"'], "time": ['"2026-04-01T23:59:60.000Z"'], "key": ['"F47AC10B-58CC-4372-A567-0E02B2C3D479"'],
    "link": ['"https://example.com/a?b=c%20d#e"'], "order": ['"\\u65b0着"'], "tags": ['["a", "bcde"]'], "grid": ['[["a"],[]]'],
    "nobody": ["{\"a\":[1,{}]}", "[" * 300 + "]" * 300], "violations": ['["text: maxLength"]'],
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    records = [HEAD % ("b", "1-0-1") + ',"pair":[1,2],"%s":%s}' % (name, value) for name, values in VALUES.items() for value in values]
    records += [HEAD % ("c", "1-0-0") + "}", HEAD % ("b", "1-0-0") + ',"text":"a"}', HEAD % ("d", "9-9-9") + "}", "{}", '{"a":1,"a":2}']
    for number, record in enumerate(records):
        (folder / f"record-{number:03d}").write_text(record, encoding="utf-8")
    (folder / "lines").write_text("\n".join(records[::5]), encoding="utf-8")
    (folder / "array").write_text(",\n".join(records[::7]) + "]", encoding="utf-8")


if __name__ == "__main__":
    main()
