"""Measures the reader of SQL on hostile input of 1 MB and 10 MB, and on 5,000 models.

usage: Tests/Oracles/impact/hostile.py [--only NAME]
A text is read for at most 20 seconds; after that, it is read by its words. So no text takes more than 40 seconds.
"""
import argparse
import sys
import time

from lineage import read
from statements import Generator

MEGABYTE = 1_000_000
SHAPES = {
    "parentheses": lambda n: "(" * n,
    "subqueries": lambda n: "SELECT (" * (n // 8),
    "from parentheses": lambda n: "SELECT a FROM " + "(" * n,
    "quotes": lambda n: "'" * n,
    "escaped quotes": lambda n: "\\'" * (n // 2),
    "unclosed string": lambda n: "SELECT 'a " + "b " * (n // 2),
    "unclosed comment": lambda n: "/* " * (n // 3),
    "unclosed dollar quotes": lambda n: "".join(f"$t{i}$ " for i in range(n // 9)),
    "unclosed templates": lambda n: "{{ ' }} {% " * (n // 11),
    "template quotes": lambda n: "{{ a" * (n // 4),
    "one line": lambda n: "SELECT " + "position, " * (n // 10) + "1 FROM search__show",
    "unions": lambda n: "SELECT * FROM search__show UNION ALL " * (n // 37),
    "common tables": lambda n: "WITH " + ", ".join(f"c{i + 1} AS (SELECT * FROM c{i})" for i in range(n // 30)),
    "doubling": lambda n: "WITH c0 AS (SELECT * FROM wide), " + ", ".join(
        f"c{i + 1} AS (SELECT * FROM c{i} a, c{i} b)" for i in range(n // 35)) + " SELECT * FROM c9",
    "comma joins": lambda n: "SELECT position FROM " + ", ".join(f"search__show t{i}" for i in range(n // 20)),
    "derived relations": lambda n: "SELECT " + ", ".join(f"x{i}" for i in range(n // 40)) + " FROM " + ", ".join(
        f"(SELECT a{i} x{i} FROM users) q{i}" for i in range(n // 50)),
    "semicolons": lambda n: "SELECT position FROM search__show;" * (n // 34),
    "brackets": lambda n: "[({" * (n // 3),
    "closing brackets": lambda n: "([{" + ")]}" * (n // 3),
    "dots": lambda n: "SELECT a" + ".a" * (n // 2) + " FROM users",
    "blocks": lambda n: "{% if x %}" * (n // 10),
    "case": lambda n: "SELECT " + "CASE WHEN position THEN " * (n // 24) + " FROM search__show",
    "conditions": lambda n: "SELECT 1 FROM wide WHERE " + "event_name = 'a' OR " * (n // 20),
    "filters": lambda n: "SELECT position FROM wide WHERE " + "event_name = 'a' AND " * (n // 21),
    "filtered stars": lambda n: "WITH c0 AS (SELECT * FROM wide), " + ", ".join(
        f"c{i + 1} AS (SELECT * FROM c{i} WHERE event_name = 'x')" for i in range(n // 50)) + " SELECT title FROM c9",
    "casts": lambda n: "SELECT " + "CAST(" * (n // 5) + " FROM users",
    "words": lambda n: "SELECT " + " ".join(f"w{i}" for i in range(n // 8)) + " FROM users",
    "joins": lambda n: "SELECT 1 FROM users " + "LEFT " * (n // 5),
    "lambdas": lambda n: "SELECT f(" + ", ".join(f"x{i} -> x{i}" for i in range(n // 16)) + ") FROM users",
    "macros": lambda n: "SELECT " + "{{ f('position') }}, " * (n // 21) + "1 FROM search__show",
    "macro arguments": lambda n: "SELECT {{ f(" + "'position', " * (n // 12) + ") }} FROM search__show",
    "variables": lambda n: "{% set a = ['position'] %}" + "{% for b in a %}{% set a = b %}" * (n // 32) + "SELECT {{ a }} FROM wide",
    "wildcards": lambda n: "SELECT 1 FROM " + ", ".join(f"`x{i}_*`" for i in range(n // 12)),
    "embedded": lambda n: "EXECUTE IMMEDIATE 'SELECT position FROM search__show " + "''a'' " * (n // 6) + "'",
    "characters": lambda n: "".join(chr((i * 7 + i // 255) % 256) for i in range(n)),
}


def seconds(texts, dialect=None):
    start = time.monotonic()
    read(texts, dialect)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only")
    arguments = parser.parse_args()
    good = True
    for name, shape in SHAPES.items():
        if arguments.only and arguments.only not in name:
            continue
        small, large = seconds([shape(MEGABYTE)]), seconds([shape(10 * MEGABYTE)])
        good = good and large < 40
        print(f"{name:24} {small:8.1f} s {large:8.1f} s", flush=True)
    if not arguments.only:
        models = ["{{ config(materialized='table') }}\n" + Generator(seed, "duckdb").statement() for seed in range(5000)]
        print(f"5,000 models: {seconds(models, 'duckdb'):.1f} s")
    sys.exit(0 if good else 1)


main()
