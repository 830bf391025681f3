#!/usr/bin/env python3
"""Tests whether loggen takes linear time, with adversarial documents of size n and 4n.

usage: growth.py [--scale N] [--loggen PATH] [NAME…]

Prints for each document the times of `lint`, `dump` and `format --check` at 4n, their growth from n to 4n, and the
growth of libcmark alone on the same file. A growth of about 4 is linear. If libcmark grows faster, loggen does, too. A
growth is marked as steep if it is above 6 and above 1.5 times that of libcmark. Times are processor time in
milliseconds; memory is in megabytes.
"""
import argparse
import os
import pathlib
import tempfile

import measure

EVENT = "# search\n\n## show\n\n"
COLUMNS = "| column | type | description |\n| --- | --- | --- |\n"


def rows(count, row):
    return "".join(row.format(i=i) for i in range(count))


def word(i):
    """Returns a word of letters that is unique for each number."""
    letters = ""
    while True:
        letters = chr(97 + i % 26) + letters
        i //= 26
        if i == 0:
            return letters


def type_names(count):
    return ["Type" + word(i).capitalize() for i in range(count)]


# Name → (n, a function that returns the text, or several files, for n).
DOCUMENTS = {
    "pipes in one line": (250_000, lambda n: EVENT + "|" * n + "\n"),
    "pipes in a table's cells": (250_000, lambda n: EVENT + COLUMNS + "| a | b | " + "|" * n + "\n"),
    "columns of a table": (16_000, lambda n: EVENT + "| a " * n + "|\n" + "| - " * n + "|\n" + "| b " * n + "|\n"),
    "more columns than a table has": (250_000, lambda n: EVENT + "| a " * n + "|\n" + "| - " * n + "|\n"),
    "repeated headers": (
        16_000,
        lambda n: EVENT + "| column " * n + "| type |\n" + "| - " * (n + 1) + "|\n| a | b |\n",
    ),
    "misspelled headers": (
        16_000,
        lambda n: EVENT + "| column | type |" + " descriptoin |" * n + "\n" + "| - " * (n + 2) + "|\n| a | int |\n",
    ),
    "unknown headers": (
        16_000,
        lambda n: EVENT + "| column | type |" + "".join(f" {word(i)} |" for i in range(n)) + "\n" + "| - " * (n + 2) + "|\n| a | int |\n",
    ),
    "a wide table with short rows": (8_000, lambda n: EVENT + "| column | type |" + " x |" * n + "\n" + "| - " * (n + 2) + "|\n" + "| a | int |\n" * n),
    "rows with too many cells": (50_000, lambda n: EVENT + COLUMNS + rows(n, "| c{i} | int | d | e |\n")),
    "quotes in quotes": (25_000, lambda n: EVENT + "> " * n + "a\n"),
    "lists in lists": (25_000, lambda n: EVENT + "- " * n + "a\n"),
    "a quote in each list": (25_000, lambda n: EVENT + "> - " * n + "a\n"),
    "one paragraph": (2_500_000, lambda n: EVENT + "some words of it\n" * (n // 17)),
    "one line": (2_500_000, lambda n: EVENT + "some words of it " * (n // 17)),
    "one cell": (2_500_000, lambda n: EVENT + COLUMNS + "| a | int | " + "x" * n + " |\n"),
    "one cell of escaped pipes": (1_000_000, lambda n: EVENT + COLUMNS + "| a | int | " + "\\|" * n + " |\n"),
    "one invalid cell of wide letters": (500_000, lambda n: EVENT + COLUMNS + "| " + "検" * n + " | int | x |\n"),
    "one cell of nulls": (1_000_000, lambda n: EVENT + COLUMNS + "| a | int | " + "\0" * n + " |\n"),
    "rows": (50_000, lambda n: EVENT + COLUMNS + rows(n, "| c{i} | int64 | words |\n")),
    "nested items of one lost column": (100_000, lambda n: EVENT + "- a: !integer\n" + "    - words\n" * n),
    "events without columns": (50_000, lambda n: "# search\n\n" + rows(n, "## show_{i}\n\n")),
    "events": (25_000, lambda n: "# search\n\n" + rows(n, "## show_{i}\n\n" + COLUMNS + "| a | int | words |\n\n")),
    "one-table form": (50_000, lambda n: "# search\n\n| event | column | type |\n| - | - | - |\n" + rows(n, "| show_{i} | a | int |\n")),
    "one-table form, wide, with short rows": (
        8_000,
        lambda n: "# search\n\n| event | column |" + " x |" * n + " type |\n" + "| - " * (n + 3) + "|\n" + rows(n, "| show_{i} |\n"),
    ),
    "tables in a row": (50_000, lambda n: EVENT + "| a |\n| - |\n| b |\n\n" * n),
    "tables cut by rules": (50_000, lambda n: EVENT + "| a |\n| - |\n---\n" * n),
    "tables cut by lists": (25_000, lambda n: EVENT + "| a |\n| - |\n- a\n\n" * n),
    "tables cut by quotes": (25_000, lambda n: EVENT + "| a |\n| - |\n> a\n\n" * n),
    "tables that begin in paragraphs": (50_000, lambda n: EVENT + "a\n| a |\n| - |\n" * n),
    "headers without a table": (100_000, lambda n: EVENT + "| a |\n" * n),
    "delimiter rows": (100_000, lambda n: EVENT + "| - |\n" * n),
    "an underlined heading": (250_000, lambda n: "# search\n\n" + "words\n" * n + "---\n"),
    "same column": (50_000, lambda n: EVENT + COLUMNS + "| a | int | words |\n" * n),
    "same event": (25_000, lambda n: "# search\n\n" + "## show\n\n" * n),
    "same derived name": (8_000, lambda n: "# search\n\n" + rows(n, "## a{i}_b\n\n## a{i}__b\n\n")),
    "same column, other types": (25_000, lambda n: "# search\n\n| event | column | type |\n| - | - | - |\n" + rows(n, "| show_{i} | a | string({i}) |\n")),
    "unknown details": (50_000, lambda n: EVENT + "| key | value |\n| - | - |\n" + rows(n, "| ownre{i} | a |\n")),
    "second tables": (25_000, lambda n: EVENT + (COLUMNS + "| a | int | words |\n\n") * n),
    "unknown types": (25_000, lambda n: EVENT + COLUMNS + rows(n, "| c{i} | strng{i} | words |\n")),
    "unknown types among many": (
        2_500,
        lambda n: {
            "search.md": EVENT + COLUMNS + "".join(f"| c{i} | {name}x | words |\n" for i, name in enumerate(type_names(n))),
            "types.md": "# types\n\n" + "".join(f"## {name}: int64\n\n" for name in type_names(n)),
        },
    ),
    "values of an enum": (100_000, lambda n: EVENT + COLUMNS + "| a | enum(" + ", ".join(f"v{i}" for i in range(n)) + ") | words |\n"),
    "the same value of an enum": (50_000, lambda n: EVENT + COLUMNS + "| a | enum(" + ", ".join(["v"] * n) + ") | words |\n"),
    "former names of an event": (25_000, lambda n: EVENT + "| key | value |\n| - | - |\n| renamed from | " + ", ".join(f"a{i}" for i in range(n)) + " |\n"),
    "columns with former names": (25_000, lambda n: EVENT + "| column | type | renamed from |\n| - | - | - |\n" + rows(n, "| c{i} | int | a{i} |\n")),
    "categories with former names": (
        1_000,
        lambda n: {f"c{i}.md": f"# c{i}\n\n| key | value |\n| - | - |\n| renamed from | a{i} |\n\n## show\n" for i in range(n)},
    ),
    "values with former names": (
        25_000,
        lambda n: {"types.md": "# types\n\n## Order\n\n| value | description | renamed from |\n| - | - | - |\n" + rows(n, "| v{i} | words | a{i} |\n")},
    ),
    "arrays of arrays": (100_000, lambda n: EVENT + COLUMNS + "| a | " + "[" * n + "int" + "]" * n + " | words |\n"),
    "a long name": (1_000_000, lambda n: "# search\n\n## " + "a" * n + "\n"),
    "a long repetitive name": (100_000, lambda n: "# search\n\n## " + "a" * n + "&amp;" * n + "\n"),
    "a long repetitive column": (100_000, lambda n: EVENT + COLUMNS + "| " + "a" * n + "\\|" * n + " | int | words |\n"),
    "code spans in a heading": (100_000, lambda n: "# search\n\n## " + "`a` " * n + "\n"),
    "open backticks": (2_000, lambda n: "# search\n\n## " + "".join("`" * i + "a" for i in range(n // 8)) + "\n"),
    "emphasis": (250_000, lambda n: EVENT + "*a " * n + "\n"),
    "brackets": (250_000, lambda n: EVENT + "[" * n + "\n"),
    "entities in a heading": (100_000, lambda n: "# search\n\n## " + "&amp;" * n + "\n"),
    "link references": (50_000, lambda n: EVENT + rows(n, "[a{i}]: b\n")),
    "link references, then a table": (50_000, lambda n: EVENT + rows(n, "[a{i}]: b\n") + COLUMNS + "| a | int | words |\n"),
    "fences": (100_000, lambda n: EVENT + "```\n" * n),
    "open comments": (100_000, lambda n: EVENT + "<!-- " * n + "\n"),
    "open tags": (100_000, lambda n: EVENT + "a <a " * n + "\n"),
    "carriage returns": (500_000, lambda n: EVENT + "\r" * n + COLUMNS + "| a | int | words |\r\n"),
    "blank lines": (1_000_000, lambda n: EVENT + "\n" * n + COLUMNS + "| a | int | words |\n"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1, help="the factor for every n (1)")
    parser.add_argument("names", nargs="*", help="the names of documents (all)")
    parser.add_argument("--loggen", help="a release build to measure (a new build of this clone)")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(DOCUMENTS)
    if unknown:
        parser.error(f"unknown document: {', '.join(sorted(unknown))}")

    with tempfile.TemporaryDirectory(prefix="loggen-growth-") as temporary:
        folder = pathlib.Path(temporary)
        floor = measure.build_floor(folder)
        loggen = arguments.loggen or measure.build_loggen("release")
        print("| document | n | MB at 4n | libcmark ms | lint ms | dump ms | format ms | growth: libcmark | lint | dump | format | peak MB | |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
        for name in arguments.names or DOCUMENTS:
            count, make = DOCUMENTS[name]
            count = int(count * arguments.scale)
            small, large = (write(folder / size, make, n) for size, n in (("n", count), ("4n", 4 * count)))
            commands = {
                "libcmark": lambda path: [floor, path],
                "lint": lambda path: [loggen, "lint", path],
                "dump": lambda path: [loggen, "dump", path],
                "format": lambda path: [loggen, "format", "--check", path],
            }
            # The best of three, because other work on the machine can only add time.
            times, memory = {}, 0
            for command, arguments_of in commands.items():
                runs = [[measure.run(arguments_of(path), accept=(0, 1)) for _ in range(3)] for path in (small, large)]
                times[command] = [min(run.processor for run in of_size) * 1000 for of_size in runs]
                if command != "libcmark":
                    memory = max([memory] + [run.memory for run in runs[1]])
            growth = {command: large / small for command, (small, large) in times.items()}
            megabytes = sum(file.stat().st_size for file in pathlib.Path(large).iterdir()) / 1e6
            limit = max(6, 1.5 * growth["libcmark"])
            steep = ", ".join(c for c in ("lint", "dump", "format") if growth[c] > limit)
            cells = [name, f"{count:,}", f"{megabytes:.1f}"]
            cells += [f"{of_size[1]:.0f}" for of_size in times.values()]
            cells += [f"{value:.1f}" for value in growth.values()]
            cells += [f"{memory:.0f}", f"steep: {steep}" if steep else ""]
            print("| " + " | ".join(cells) + " |", flush=True)


def write(folder, make, count):
    # A child process writes the files, because the peak memory of commands includes that of their parent.
    child = os.fork()
    if child == 0:
        texts = make(count)
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for name, text in (texts if isinstance(texts, dict) else {"search.md": texts}).items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
        os._exit(0)
    os.waitpid(child, 0)
    return str(folder)


if __name__ == "__main__":
    main()
