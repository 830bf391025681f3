"""Measures impact-probe on hostile input of 1 MB and 10 MB, and on 20 MB in 5,000 files.

usage: Tests/Oracles/impact/hostile.py [--probe .build/release/impact-probe]
The time for 10 MB is at most 15 times that for 1 MB.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

from statements import TABLES, Generator

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
    "bytes": lambda n: bytes((i * 7 + i // 255) % 256 for i in range(n)),
}


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


def run(probe, catalog, mode, paths):
    try:
        result = subprocess.run([probe, catalog, mode, *paths], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None
    if result.returncode != 0:
        return None
    return [float(line.split()[-2]) for line in result.stdout.splitlines()], result.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--probe", default=".build/release/impact-probe")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        tables = [{"name": n, "columns": c} for n, c in TABLES.items()]
        catalog = write(folder, "catalog.json", json.dumps({"tables": tables}))
        for name, shape in SHAPES.items():
            if arguments.only and arguments.only not in name:
                continue
            small = write(folder, "small.sql", shape(MEGABYTE))
            large = write(folder, "large.sql", shape(10 * MEGABYTE))
            # The small input runs three times: a shared machine disturbs short measurements.
            times = run(arguments.probe, catalog, "--bench", [small, small, small])
            big = run(arguments.probe, catalog, "--bench", [large])
            if not times or not big:
                print(f"{name:24} CRASH OR TIMEOUT", flush=True)
                good = False
                continue
            base, peak = min(times[0]), big[1].split()[-1]
            ratio = big[0][0] / base
            good = good and (ratio <= 15 or big[0][0] < 0.5)
            print(f"{name:24} {base:8.3f} s {big[0][0]:8.3f} s  ratio {ratio:5.1f}  {peak} MB", flush=True)
        if not arguments.only:
            lines, size, seed = [], 0, 1
            while len(lines) < 5000:
                text = ""
                while len(text) < 4000:
                    dialect = ["bigquery", "snowflake", "duckdb", "spark"][seed % 4]
                    text += Generator(seed, dialect).statement().replace(" FROM ", "\tFROM ") + "; "
                    seed += 1
                    if seed > 400:
                        seed = 1
                lines.append(text)
            path = write(folder, "lines.sql", "\n".join(lines))
            print("files, bytes, reads, seconds, MB:", run(arguments.probe, catalog, "--bench-lines", [path])[1].strip())
    sys.exit(0 if good else 1)


main()
