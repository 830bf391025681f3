"""Reports for each line of a file whether it is JSON, according to Python's `json`.

usage: json_lines.py FILE

Writes a letter for each line:

- `j`: JSON, as defined by RFC 8259;
- `b`: only blanks;
- `n`: JSON except for NaN or Infinity, which Python accepts;
- `d`: JSON nested deeper than 512 levels, including the record, without empty lists and objects;
- `x`: not JSON.

Integers are read as strings of any length: Python's limit of 4,300 digits concerns conversion to numbers.
"""

import json
import sys

MOST = 512
sys.setrecursionlimit(20_000)


class Constant(Exception):
    pass


def refuse(name):
    raise Constant


def depth(value):
    """Levels of lists and objects that are not empty."""
    deepest, rest = 0, [(value, 1)]
    while rest:
        value, level = rest.pop()
        if isinstance(value, (list, tuple)) and value:
            deepest = max(deepest, level)
            # An object is a tuple of its pairs, which keeps repeated members.
            rest += [(item[1] if isinstance(value, tuple) else item, level + 1) for item in value]
    return deepest


def verdict(line):
    if not line.strip(b" \t\r"):
        return "b"
    try:
        text = line.decode("utf-8")
        value = json.loads(text, object_pairs_hook=tuple, parse_int=str, parse_float=str, parse_constant=refuse)
    except Constant:
        # The bytes after the constant may be invalid, too.
        try:
            json.loads(text, object_pairs_hook=tuple, parse_int=str, parse_float=str)
        except RecursionError:
            return "d"
        except ValueError:
            return "x"
        return "n"
    except RecursionError:
        return "d"
    except ValueError:
        return "x"
    return "d" if line.count(b"[") + line.count(b"{") > MOST and depth(value) > MOST else "j"


with open(sys.argv[1], "rb") as file:
    lines = file.read().split(b"\n")
print("".join(verdict(line) for line in lines[:-1]))
