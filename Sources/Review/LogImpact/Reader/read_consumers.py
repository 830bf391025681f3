"""Finds the tables and columns that consumers read, for `loggen impact` and `loggen review`.

The input is JSON with the logged `tables` and the `files` of consumers. The output is JSON with the `consumers`: their uses of
tables, and the indices of the consumers that they depend on. Code is only data: sqlglot parses SQL, and jinja2 renders
templates in its sandbox. A statement that sqlglot does not parse is read by its words.
"""
from __future__ import annotations

import sys

# Modules in the working directory are not imported, because it can have files of anybody.
sys.path = [path for path in sys.path if path]

import bisect
import contextlib
import copy
import itertools
import json
import logging
import os
import re
import resource
import signal
from dataclasses import dataclass, field
from typing import Any, Iterator, NamedTuple, Optional, Sequence

try:
    import sqlglot
    from sqlglot import exp
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.tokens import TokenType
    exp.Select.arg_types["from_"]
except (ImportError, KeyError):
    sys.exit(3)
# The module of templates, if an input may have one.
jinja2: Any = None

# The dialects that are tried, in this order, if the dialect is unknown.
DIALECTS = ["duckdb", "bigquery", "snowflake", "postgres", "spark", "clickhouse", "redshift", "trino", "mysql", "tsql"]
SECONDS_PER_INPUT = 20
BYTES_PER_PROCESS = 4 << 30
MOST_CHARACTERS = 1_000_000
MOST_VARIANTS = 16
MOST_COLUMNS = 5_000

# The certainties of reads, as reports show them. One of a higher rank replaces others.
READS = ""
UNUSED_STAR = "`*` whose columns are not used"
UNRESOLVED = "a name whose relation is unknown"
UNPARSED = "a statement that sqlglot does not parse"
STAR = "`*`"
WHOLE_ROW = "the whole row"
PIVOT = "a pivot"
COMPUTED = "a name that is computed"
MACRO = "an argument of a macro"
STRING = "a statement in a string"
OPEN_RELATION = "a name that can belong to a relation with unknown columns"
AMBIGUOUS = "a name of several tables"
MENTIONED = "a mention outside of a query"
WRITTEN = "a target of INSERT"
RANKS = {UNUSED_STAR: 0, UNRESOLVED: 1, UNPARSED: 1, STAR: 3, READS: 4}

# A name that a template or a shell computes: private characters, around the number of an `Unknown` if there is one.
MARK = re.compile("\ue000+(?:(\\d+)\ue001)?")
WORD = re.compile("[\\w$\ue000\ue001]+")
# The parts of a string that a program or a shell computes, and those of SQL that a tool replaces.
PLACEHOLDERS = {
    "code": re.compile(r"\$?\{+[^{}\n]*\}+|%\(\w+\)s|%[sdv]\b|(?<!\$)\$[A-Za-z_]\w*\b(?!\$)"),
    "": re.compile(r"\$\{[^{}\n]*\}|\{\w*\}")}
QUERY = re.compile(r"\bselect\b.*?\bfrom\b|\bfrom\b\s+\S+\s+\bselect\b", re.I | re.S)

# The start of a file of SQL: a statement, after comments.
STATEMENT = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/|\()*(?:select|with|create|insert|merge|copy|export)\b", re.I | re.S)


def pattern(name: str) -> str:
    """Returns a pattern for names that agree with a name with marks or `*`, which can be empty."""
    return ".*".join(map(re.escape, re.split("\ue000+(?:\\d+\ue001)?|\\*", name)))


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


class Catalog:
    """The logged tables."""

    def __init__(self, tables: list[dict[str, Any]]):
        self.columns: dict[str, dict[str, str]] = {}
        self.by_name: dict[str, list[tuple[list[str], str]]] = {}
        for table in tables:
            self.columns[table["name"]] = {column.lower(): column for column in table["columns"]}
            self.add(table["name"], table["name"])
        self.column_names = {column for columns in self.columns.values() for column in columns}

    def add(self, name: str, table: str) -> None:
        """Adds a name of a table, such as that of its source in a dbt project."""
        path = [part.strip("`\"").lower() for part in name.split(".")]
        self.by_name.setdefault(path[-1], []).append((path, table))

    def named(self, path: list[str]) -> list[str]:
        """Returns the tables with a name. Qualifiers agree as far as both names have them."""
        found = [(parts, name) for parts, name in self.by_name.get(path[-1], [])
                 if all(one == other or MARK.search(one) for one, other in zip(reversed(path), reversed(parts)))]
        return [*dict.fromkeys([name for parts, name in found if parts == path] or [name for _, name in found])]

    def matching(self, name: str) -> list[str]:
        """Returns the tables whose last component agrees with a name with marks or `*`."""
        matcher = re.compile(re.sub(r"^\.\*_", "(.*_)?", re.sub(r"_\.\*$", "(_.*)?", pattern(name))))
        return [*{name: None for last, names in self.by_name.items() if matcher.fullmatch(last) for _, name in names}]

    def in_text(self, text: str) -> list[str]:
        """Returns the tables that code names. A single word is a table in quotes, and after FROM and JOIN."""
        text = text.lower()
        words = set(WORD.findall(text))
        return [*{
            name: None for last, names in self.by_name.items() if last in words for parts, name in names
            if (re.search(r"[`\"]?\.[`\"]?".join(map(re.escape, parts[-2:])), text) if len(parts) > 1 else "__" in last)
            or re.search(rf"\b(from|join)\s+[\w.`\"]*\b{re.escape(last)}\b|[\"'`]{re.escape(last)}[\"'`]", text)}]


# MARK: Names

# A file's name has folders, or the suffix of SQL or data.
FILE = re.compile(r"[/\\]|\.(?:sql|csv|tsv|txt|json\w*|ndjson|parquet|avro|orc|xlsx?|arrow|feather|pkl|gz)$")
# A string that can be a name, which statements and prose are not.
COMPLETE = re.compile("[^\\s()=,;'\"<>|]{1,200}")
# The words of SQL before the name that a statement creates or writes, and those that can be between.
DEFINING = frozenset("create into to overwrite update table view function macro procedure model directory location uri "
                     "outfile prepare declare name alias".split())
BETWEEN = frozenset("or replace if not exists temp temporary materialized external recursive =".split())
TOKENS = re.compile("'[^'\n]*'|(?:[\\w$.@#/\ue000\ue001-]|\"[^\"\n]*\"|`[^`\n]*`|\\[[^\\]\n]*\\])+|\\S")
# `name: "x"`, `table_id = "x"`, and `view: x` of LookML and YAML.
KEYED = re.compile(
    r"[\"']?\b(?P<key>\w*?(?:name|alias|id|uid|uuid|identifier|slug|table|view|explore|dashboard|model|dest\w*|target|sink|output|"
    r"path|uri|location))[\"']?\s*[:=]\s*(?:[rf]?(?P<quote>[\"'`])(?P<a>[^\"'`\n]+)(?P=quote)|(?P<b>[+\w.-]+))", re.I)
# The functions of programs that write a relation or a file, with their arguments; and what follows `.write`.
WRITING = re.compile(
    r"(?:\b\w*(?:save|write|create|register|insert|sink|export|store|upload|cache|unload|publish|materiali[sz]e)\w*"
    r"|\b(?:to|into)_?[A-Za-z]\w*|\bcube|@\w[\w.]*)\s*(?P<arguments>\((?:[^()]|\([^()]*\)){0,2000}\))"
    r"|\.write\b(?P<chain>(?:\s*\.?\s*\w+|\s*\([^()]*\))*)|^@[^\n]*\n(?:async )?def (?P<function>\w+)", re.I | re.M)
PLAIN = re.compile(r"[\"'`]([^\"'`\n]+)[\"'`]")
# The words in the arguments of functions that write, which are not names.
OPTIONS = frozenset("overwrite append replace ignore error parquet csv json orc avro delta iceberg text header true false utf-8 "
                    "table view fail".split())
# The keys whose values only describe, and those whose number is the identifier of another object.
LABELS = frozenset("name id type kind title label description display format color key field_ref".split())
NUMBERED = re.compile(r"(?:\b|_)(?:card|question|quer(?:y|ies)|dataset|datasource|source|model|chart|slice|report)s?(?:_?id)?$", re.I)
NUMBER = re.compile(r"(?:[a-z]\w*_+|#)(\d+)(?:-[\w-]*)?|(\d+)__\w+")


def defined(name: str) -> set[str]:
    """Returns the keys of a name that a consumer defines: the last component, and the folders of a file."""
    path, is_file = components(name)
    return {"=" + path[-1], *(">" + folder for folder in path[:-1])} if is_file else {path[-1]}


def referred(name: str, has_members: bool = True) -> set[str]:
    """Returns the keys of what a name can refer to. `x.y` can be the member `y` of `x`, and a folder has files."""
    path, is_file = components(name)
    if is_file:
        return {">" + path[-1], *("=" + part for part in path)}
    number = NUMBER.fullmatch(path[-1])
    keys = {"#" + (number.group(1) or number.group(2))} if number else set()
    return keys | set(path if has_members else path[-1:])


def components(name: str) -> tuple[list[str], bool]:
    name = re.sub("[`\"'\\[\\]+]", "", name).lower().lstrip("#@")
    if not FILE.search(name):
        return name.split("."), False
    path = re.split(r"[/\\]+", re.sub(r"^\w+:/+", "", name))
    return [part for part in path if part and not re.search("[*?]", part)] or [name], True


def written(text: str) -> set[str]:
    """Returns the keys of the names that a statement creates or writes. A query only has those after INTO."""
    is_query = re.match(r"\W*(?:select|with|from|values)\b", text, re.I)
    keys: set[str] = set()
    before = ""
    for word in TOKENS.findall(text):
        lower = word.lower()
        if lower in DEFINING:
            before = before or lower if before or lower == "into" or not is_query else ""
        elif before and lower not in BETWEEN:
            is_name = WORD.search(word) and lower not in ("as", "on", "for", "select", "with")
            keys |= defined(word) if is_name else set()
            before = before if is_name and before == "create" else ""
    return keys


def keyed(text: str, only: Any = None) -> set[str]:
    """Returns the keys of names in settings: `name: "x"`."""
    return {key for match in KEYED.finditer(text) if only is None or only(match)
            for value in [match.group("a") or match.group("b")] if COMPLETE.fullmatch(value)
            for key in (["#" + value] if value.isdigit() else defined(value))}


class Outline:
    """The settings of YAML and JSON, with the objects that contain them. An object is named by its settings."""

    def __init__(self, text: str, kind: str):
        # The object of each setting, its parent, and its names.
        self.starts: list[int] = []
        self.objects: list[int] = []
        self.parents: list[int] = []
        self.names: list[set[str]] = []
        self.refers: set[str] = set()
        # The places of references to other consumers. What contains one is a consumer, too.
        self.places: list[int] = []
        for at, key, value in self.json(text) if kind == "json" else self.yaml(text):
            self.starts.append(at)
            self.objects.append(self.stack[-1][1])
            if not value:
                continue
            if NUMBERED.search(key) and value.isdigit():
                self.refers.add("#" + value)
                self.places += [] if key.lower().endswith("id") else [at]
            elif KEYED.fullmatch(f"{key}='{value}'") and COMPLETE.fullmatch(value):
                self.names[self.stack[-1][1]] |= {"#" + value} if value.isdigit() else defined(value)
            if key.lower() not in LABELS:
                self.refers |= {name for part in re.split(r"[\s()=,;'\"<>|]+", value)[:20] if part for name in referred(part)}
                if re.search(r"(?:table|identifier|view|explore|model|extends|from|ref|dataset|cube|path)$", key, re.I):
                    self.places.append(at)

    def open(self, indentation: int) -> None:
        self.parents.append(self.stack[-1][1] if self.stack else -1)
        self.names.append(set())
        self.stack.append((indentation, len(self.names) - 1))

    def json(self, text: str) -> Iterator[tuple[int, str, str]]:
        self.stack: list[tuple[int, int]] = []
        self.open(0)
        key, keys = "", [""]
        for match in re.finditer(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]|-?\w+', text):
            if match.group() == "{":
                self.open(0)
                keys.append(key)
            elif match.group() == "}":
                if len(self.stack) > 1:
                    self.stack.pop()
                    key = keys.pop()
            elif match.group(2):
                key = match.group(1)
            else:
                yield match.start(), key, match.group(1) or match.group()
                if key == "id":
                    # `"query": {"id": 12}`
                    yield match.start(), keys[-1], match.group(1) or match.group()

    def yaml(self, text: str) -> Iterator[tuple[int, str, str]]:
        self.stack = []
        self.open(-1)
        for match in re.finditer(r"^( *)((?:- +)*)(?:([\w.\"'-]+)\s*:(?=\s|$))?[^\S\n]*([^\n]*)$", text, re.M):
            indentation = len(match.group(1)) + len(match.group(2))
            if not match.group(3) and not match.group(4):
                continue
            while self.stack[-1][0] > len(match.group(1) if match.group(2) else match.group(1)):
                self.stack.pop()
            if self.stack[-1][0] < indentation:
                self.open(indentation)
            key, value = (match.group(3) or "").strip("\"'"), match.group(4)
            if value[:1] in "{[":
                for pair in re.finditer(r"(?:([\w-]+)\s*:\s*)?(?:\"([^\"]*)\"|'([^']*)'|([^,{}\[\]\"'\s:]+))", value):
                    yield match.start() + len(match.group(1)), pair.group(1) or key, pair.group(2) or pair.group(3) or pair.group(4) or ""
            else:
                yield match.start() + len(match.group(1)), key, re.sub(r"\s+#.*", "", value).strip("\"'")

    def around(self, offsets: list[int]) -> set[str]:
        """Returns the names of the objects that contain places."""
        found: set[str] = set()
        for offset in {*offsets, *self.places}:
            index = bisect.bisect_right(self.starts, offset) - 1
            number = self.objects[index] if index >= 0 else -1
            while number >= 0:
                found |= self.names[number]
                number = self.parents[number]
        return found


# MARK: Places


class SQL:
    """SQL, and the places of its characters in a file."""

    def __init__(self, text: str, offsets: Optional[Sequence[int]] = None):
        self.text, self.offsets = text, range(len(text)) if offsets is None else offsets

    def offset(self, index: int) -> Optional[int]:
        """Returns the offset in the file of a character; nil if the file does not contain it."""
        return self.offsets[min(index, len(self.offsets) - 1)] if self.offsets else None

    def part(self, start: int, end: int) -> SQL:
        return SQL(self.text[start:end], self.offsets[start:end] or self.offsets[-1:])


class Rendered(SQL):
    """SQL that a template or a macro has written. A name has the place of the same name in the template."""

    def __init__(self, text: str, template: SQL):
        super().__init__(text)
        self.template = template
        self.found: dict[str, list[int]] = {}

    def part(self, start: int, end: int) -> SQL:
        return Rendered(self.text[start:end], self.template)

    def offset(self, index: int) -> Optional[int]:
        one, other = self.text, self.template.text
        word = (WORD.match(one, index) or re.compile(".?", re.S).match(one, index)).group()  # type: ignore
        if word not in self.found:
            pattern = rf"(?<!\w){re.escape(word)}(?!\w)" if WORD.match(word) else re.escape(word)
            self.found[word] = [found.start() for found in re.finditer(pattern, other, re.I)][:200]

        def likeness(place: int) -> int:
            end, start = index + len(word), place + len(word)
            before = [one[max(0, index - 40):index][::-1], other[max(0, place - 40):place][::-1]]
            after = [one[end:end + 40], other[start:start + 40]]
            return len(os.path.commonprefix(before)) + len(os.path.commonprefix(after))

        places = self.found[word]
        return self.template.offset(max(places, key=likeness)) if places else None


# MARK: SQL in other files

ESCAPES = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)|'(')|[^\\']+|.", re.S)
STRINGS = re.compile(
    r'"""(?P<a>.*?)"""' r"|'''(?P<b>.*?)'''" r'|"(?P<c>(?:[^"\\]|\\.)*)"' r"|'(?P<d>(?:[^'\\]|\\.|'')*)'|`(?P<e>[^`]*)`"
    r"|<<[-~]?['\"]?(?P<tag>[A-Za-z_]\w*)['\"]?[^\n]*\n(?P<f>.*?)\n\s*(?P=tag)\b", re.S)
FENCES = re.compile(r"^([`~]{3,})[^\n]*\n(?P<sql>.*?)^\1", re.S | re.M)
# A block of YAML, and a scalar without quotes: with the lines below that are indented more.
SCALARS = re.compile(
    r"^(?P<indent> *)(?:- +)*(?:[^\s:'\"#][^:'\"\n]*: +)?"
    r"(?:[|>][-+\d]*[^\S\n]*\n(?P<sql>(?:(?P=indent) +[^\n]*\n?|\s*\n)*)"
    r"|(?P<plain>(?:select|with)\b[^\n]*\n?(?:(?P=indent) +(?![^\s:]+:\s)[^\n]*\n?)*))", re.M | re.I)


def decoded(sql: SQL) -> SQL:
    """Returns a string without its escapes."""
    text: str = ""
    offsets: list[int] = []
    for match in ESCAPES.finditer(sql.text):
        code, escaped, quote = match.groups()
        escaped = {"n": "\n", "t": "\t", "r": "\r"}.get(escaped, escaped)
        text += chr(int(code, 16)) if code else escaped or quote or match.group()
        offsets += sql.offsets[match.start():match.start() + len(text) - len(offsets)]
    return SQL(text, offsets)


def strings(code: SQL, separators: str) -> Iterator[SQL]:
    """Returns the strings in code. Strings are one if only separators are between them, as in a notebook's cell."""
    text, end = "", 0
    offsets: list[int] = []
    for match in STRINGS.finditer(code.text):
        group = "f" if match.group("tag") else match.lastgroup or "a"
        part = code.part(*match.span(group))
        part = decoded(part) if group in "cd" else part
        is_query = re.match(r"\s*(select|with)\b", part.text, re.I) and QUERY.search(part.text)
        is_key = re.match(r"\s*:", code.text[match.end():match.end() + 9])
        if text and (re.search(f"[^{separators}]", code.text[end:match.start()]) or is_key
                     or is_query and text[-2:-1] != "\n"):
            yield SQL(text, offsets)
            text, offsets = "", []
        text += part.text + ("\n" if "," in separators else " ")
        # The separator has the place of the quote.
        offsets += [*part.offsets, code.offsets[match.end() - 1]]
        end = match.end()
    yield SQL(text, offsets)


def pieces(text: str, kind: str) -> Iterator[SQL]:
    """Returns the SQL in a file that is not SQL."""
    rest = text
    for match in {"markdown": FENCES, "yaml": SCALARS}[kind].finditer(text) if kind in ("markdown", "yaml") else []:
        start, end = match.span(match.lastgroup)
        yield SQL(text).part(start, end)
        rest = rest[:start] + " " * (end - start) + rest[end:]
    separators = r"\s,\[" if kind == "json" else r"\s+\\.()frRbu"
    for piece in strings(SQL(rest), separators) if kind in ("yaml", "json", "code") else []:
        if '"""' in piece.text or "'''" in piece.text:
            yield from strings(piece, " ")
        else:
            # `%%sql` is the first line of a notebook's cell.
            yield SQL(re.sub(r"\A\s*%+\w+", blank, piece.text), piece.offsets)


def sqlx(text: str) -> SQL:
    """Returns Dataform's SQL: blocks of settings are blank, those of operations are statements, `${ref("x")}` is `x`."""
    characters = list(text)
    for match in re.finditer(r"^[^\S\n]*(config|js|pre_operations|post_operations)\s*\{", text, re.M):
        # The block ends at the brace that belongs to the first one.
        depth, end = 1, match.end()
        while depth and (brace := re.compile("[{}]").search(text, end)):
            depth, end = depth + (1 if brace.group() == "{" else -1), brace.end()
        if match.group(1) in ("config", "js"):
            characters[match.start():end] = blank(re.compile(".*", re.S).fullmatch(text, match.start(), end))  # type: ignore
        else:
            characters[match.start():match.end()] = ";".ljust(match.end() - match.start())
            characters[end - 1:end] = ";"

    def name(match: re.Match[str]) -> str:
        named = re.search(r"\bname\s*:\s*[\"'`]([^\"'`]+)", match.group()) or [*PLAIN.finditer(match.group())][-1]
        return named.group(1).ljust(len(match.group()))

    return SQL(re.sub(r"\$\{\s*(?:ref|resolve)\([^)]*?[\"'`][^)]*\)\s*\}", name, "".join(characters)))


LOOKML = re.compile(
    r'#[^\n]*|"(?:[^"\\]|\\.)*"|\bview:\s*\+?(?P<view>\w+)|\b(?P<other>explore|filter|parameter|derived_table):'
    r"|\bextends(?:__all)?:\s*\[(?P<parents>[^\]]*)\]"
    r"|\b(?P<key>sql\w*|expression_custom_filter|html):(?P<value>.*?)(?:;;|\Z)"
    r"|\b(?:dimension|dimension_group|measure):\s*(?P<field>\w+)|\btype:\s*(?P<count>count)\b", re.S)


class Views:
    """The views of LookML: their tables, and those with a query. Files refine and extend views of others."""

    def __init__(self, texts: Iterator[str]):
        self.tables: dict[str, str] = {}
        self.derived: set[str] = set()
        parents: dict[str, list[str]] = {}
        for text in texts:
            view = ""
            for match in LOOKML.finditer(text):
                if match.group("view"):
                    view = match.group("view").lower()
                elif match.group("parents"):
                    parents.setdefault(view, []).extend(re.findall(r"\w+", match.group("parents").lower()))
                elif match.group("key") == "sql_table_name":
                    self.tables[view] = match.group("value").strip()
                elif match.group("key") == "sql" and re.match(r"\W*(select|with)\b", match.group("value"), re.I):
                    self.derived.add(view)
        # A view has the table of the nearest view that it extends.
        for _ in range(8):
            for view, names in parents.items():
                for name in names:
                    if name in self.tables:
                        self.tables.setdefault(view, self.tables[name])

    def name(self, match: re.Match[str]) -> str:
        """Returns what `${view.field}` or `${view.SQL_TABLE_NAME}` stands for, with the same length or longer."""
        table = self.tables.get(match[1].lower(), match[1])
        return (table if match[2] == "SQL_TABLE_NAME" else f"{table}.{match[2]}").ljust(len(match[0]))

    def sql(self, text: str) -> Iterator[SQL]:
        """Returns the SQL of a file. An expression becomes a query of its view. A field without SQL reads its name."""
        view = ""
        found: list[tuple[str, SQL]] = []
        # A field that has no SQL yet.
        fields: list[tuple[str, SQL]] = []
        for match in LOOKML.finditer(text + " explore:"):
            kind, key = match.lastgroup, match.group("key")
            if kind in ("view", "other", "field"):
                found += fields
                fields = [(view, SQL(text).part(*match.span(kind)))] if kind == "field" else []
            if kind == "view" or match.group("other") == "explore":
                view = (match.group("view") or "").lower()
            elif kind in ("value", "count") and key not in ("html", "sql_table_name"):
                fields = []
                found += [(view, SQL(text).part(*match.span(kind)))] if kind == "value" else []
        for view, sql in found:
            names = re.sub(r"\$\{TABLE\}", "loggen__", sql.text)
            names = re.sub(r"\$\{\s*(\w+)\.(\w+)\s*\}", self.name, names)
            names = re.sub(r"\$\{[^}]*\}", lambda name: "0".ljust(len(name[0])), names)
            if re.match(r"[^$(\w]*(select|with)\b", sql.text, re.I):
                yield SQL(names, sql.offsets)
            elif view not in self.derived or view in self.tables:
                table = f" FROM {self.tables.get(view, view)} AS loggen__" if view else ""
                yield SQL("SELECT " + names + table, [sql.offsets[0]] * 7 + [*sql.offsets])


# MARK: Templates

MACROS = re.compile(r"\{%[-+]?\s*(?:macro|(?:data_)?(test))\s+(\w+)")


def macro_names(text: str) -> list[str]:
    return [("test_" if test else "") + name for test, name in MACROS.findall(text)]


def without_tags_of_dbt(text: str) -> str:
    """Returns a template without the tags that jinja2 does not know."""
    text = re.sub(r"\{%[-+]?\s*materialization\b.*?endmaterialization\s*[-+]?%\}", blank, text, flags=re.S)
    text = re.sub(r"(\{%[-+]?\s*)(?:data_)?test\s+", r"\1macro test_", text)
    text = re.sub(r"(\{%[-+]?\s*)end(?:data_)?test\b", r"\1endmacro", text)
    return re.sub(r"\{%[-+]?\s*(?:end)?(?:snapshot|docs|condition)\b.*?%\}", blank, text, flags=re.S)


class Unknown:
    """A value that only dbt, a warehouse or another tool knows. Its string is the default, or a mark."""

    def __init__(self, run: Optional[Rendering], words: frozenset[str] = frozenset(), tables: frozenset[str] = frozenset(),
                 default: Any = None, is_call: bool = False):
        self.__dict__.update(_run=run, _words=words, _tables=tables, _default=default, _call=is_call, _text=None)

    def _derived(self, *_: Any) -> Unknown:
        return Unknown(self._run, self._words, self._tables, is_call=self._call)

    def __getattr__(self, name: str) -> Any:
        # jinja2 asks for these members, which the value does not have.
        if name.startswith(("__", "jinja_")) or name in ("unsafe_callable", "alters_data"):
            raise AttributeError(name)
        return self._run.macro(name) or (self if name == "include" else self._derived())

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if self._default is not None:
            return self
        words, tables = self._words, self._tables
        for value in flattened([*arguments, *named.values()]):
            if isinstance(value, Unknown):
                words, tables = words | value._words, tables | value._tables
            elif isinstance(value, str) and not QUERY.search(value):
                words |= set(WORD.findall(value.lower())[:100])
            elif isinstance(value, str) or callable(value):
                # A query, or the content of a `call` block.
                self._run.queries.append(str(value() if callable(value) else value))
        return Unknown(self._run, words, tables, is_call=True)

    def __str__(self) -> str:
        if self._text is None:
            self.__dict__["_text"] = f"\ue000{self._run.number(self)}\ue001"
        return self._text if self._default is None else str(self._default)

    def __bool__(self) -> bool:
        return self._run.choose()

    def __iter__(self) -> Iterator[Any]:
        yield from self._default if isinstance(self._default, (list, tuple)) else [self._derived()]

    def __len__(self) -> int:
        return 1

    def __hash__(self) -> int:
        return id(self)

    __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _derived
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __mod__ = __floordiv__ = __neg__ = _derived  # type: ignore


def flattened(values: Any, depth: int = 0) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple, set, dict)) and depth < 8:
            yield from flattened([*value.keys(), *value.values()] if isinstance(value, dict) else value, depth + 1)
        else:
            yield value


class Returned(Exception):
    """The value of dbt's `return` in a macro."""


class Rendering:
    """Renders a template with the names of dbt, the macros of the project and its packages, and unknown values."""

    def __init__(self, macros: dict[str, str], model: Optional[str], dialect: Optional[str]):
        self.macros, self.compiled = macros, {}  # type: tuple[dict[str, str], dict[str, Any]]
        self.queries: list[str] = []
        self.marks: list[Unknown] = []
        # The numbers of marks, by what is known about them. They are the same in each rendering, so that equal results are.
        self.numbers: dict[Any, int] = {}
        self.written: dict[Any, int] = {}
        # The branches of unknown conditions that have been rendered, and those of the current rendering.
        self.counts: dict[tuple[int, int], list[int]] = {}
        self.current: dict[tuple[int, int], bool] = {}
        run = self

        class Lookup(jinja2.Undefined):  # type: ignore[misc]
            def __new__(cls, hint: Any = None, obj: Any = None, name: Any = None, exc: Any = None) -> Any:
                return run.macro(str(name)) or Unknown(run)

        class Sandbox(jinja2.sandbox.SandboxedEnvironment):  # type: ignore[misc]
            intercepted_binops = frozenset(["**", "*", "%"])

            def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
                # Powers, formats and repetitions can become large.
                is_small = all(isinstance(value, (int, float)) and abs(value) < 1e9 for value in (left, right))
                return super().call_binop(context, operator, left, right) if is_small and operator != "**" else Unknown(run)

        def relation(*names: Any, **_: Any) -> Unknown:
            return Unknown(run, tables=frozenset([".".join(map(str, names))]), default=".".join(map(str, names)))

        def returned(value: Any = "") -> Any:
            raise Returned(value)

        def config(*_: Any, **settings: Any) -> str:
            """Keeps the statements of hooks, which are templates."""
            for hook in flattened(settings.values()):
                if isinstance(hook, str) and QUERY.search(hook):
                    with contextlib.suppress(jinja2.TemplateError):
                        self.queries.append(self.environment.from_string(hook).render())
            return ""

        class Adapter(Unknown):
            def dispatch(self, name: Any, *_: Any, **__: Any) -> Any:
                """Returns the adapter's macro: `bigquery__name`, or `default__name`."""
                names = [f"{prefix}__{name}" for prefix in (dialect, "default")]
                names += [macro for macro in run.macros if macro.endswith(f"__{name}")]
                return next((found for found in map(run.macro, names) if found), None) or Unknown(run, is_call=True)

        self.environment = Sandbox(undefined=Lookup, extensions=[jinja2.ext.do, jinja2.ext.loopcontrols])
        self.environment.globals.update({
            "ref": lambda *names, **_: relation(*names[-1:]), "source": relation, "this": relation(model or "this"),
            "var": lambda _="", default=None: Unknown(self, default=default), "return": returned,
            "env_var": lambda _="", default=None: Unknown(self, default=default),
            "adapter": Adapter(run), "config": config, **{name: lambda *_, **__: "" for name in ("log", "print")}})

    def number(self, mark: Unknown) -> int:
        known = (mark._words, mark._tables, mark._call)
        count = self.written[known] = self.written.get(known, 0) + 1
        number = self.numbers.setdefault((known, count), len(self.marks))
        self.marks += [mark] if number == len(self.marks) else []
        return number

    def choose(self) -> bool:
        """Returns the value of an unknown condition, which is the same in one rendering and differs in others."""
        frame: Any = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != "<template>":
            frame = frame.f_back
        site = (id(frame.f_code), frame.f_lasti) if frame else (0, 0)
        if site not in self.current:
            counts = self.counts.setdefault(site, [0, 0])
            self.current[site] = counts[1] <= counts[0]
            counts[self.current[site]] += 1
        return self.current[site]

    def macro(self, name: str) -> Any:
        text = self.macros.get(name)
        if text is not None and text not in self.compiled:
            self.compiled[text] = None
            with contextlib.suppress(jinja2.TemplateError):
                self.compiled[text] = self.environment.from_string(without_tags_of_dbt(text)).make_module()
        found = getattr(self.compiled[text], name, None) if text is not None else None

        def call(*arguments: Any, **named: Any) -> Any:
            try:
                return found(*arguments, **named)
            except Returned as result:
                return result.args[0]
        return call if found is not None else None

    def render(self, text: str) -> list[str]:
        """Returns the results for all branches of unknown conditions. The template's own macros are called, too."""
        self.macros = {**self.macros, **{name: text for name in macro_names(text)}}
        template = self.environment.from_string(without_tags_of_dbt(text))
        results: dict[str, None] = {}
        last_news = 0
        for count in range(MOST_VARIANTS):
            self.current, self.written = {}, {}
            before = (len(results), len(self.counts))
            with contextlib.suppress(Returned):
                results[template.render()] = None
            results.update({str(self.macro(name)()): None for name in macro_names(text) if self.macro(name)})
            last_news = count if (len(results), len(self.counts)) != before else last_news
            if all(map(all, self.counts.values())) and (not self.counts or count > last_news + 1):
                break
        return list(results) + self.queries


# MARK: Statements


class Leaf(NamedTuple):
    """A column of a use of a table; all columns if it is nil."""
    use: int
    column: Optional[str]


class Column(NamedTuple):
    """A column of a relation. Reading it reads its leaves. It has none if its query has read them."""
    name: str
    leaves: frozenset[Leaf] = frozenset()
    # A column that has a name by its position can be another one.
    certainty: str = READS


@dataclass
class Table:
    """A relation. `star` has the columns that a `*` passes on, and `others` the tables of columns that are not known."""
    columns: list[Column] = field(default_factory=list)
    is_open: bool = False
    star: frozenset[Leaf] = frozenset()
    others: frozenset[Leaf] = frozenset()
    alias: str = ""
    # The use of a logged table itself.
    use: Optional[int] = None
    # The uses that conditions of the scope replace.
    narrowed: dict[int, int] = field(default_factory=dict)

    def leaves(self, leaves: frozenset[Leaf]) -> frozenset[Leaf]:
        return frozenset(leaf._replace(use=self.narrowed.get(leaf.use, leaf.use)) for leaf in leaves)


class Scope:
    """The relations of a query, and other names: those of the select list, of lambdas and of windows."""

    def __init__(self, parent: Optional[Scope], names: Any = ()):
        self.items: list[Table] = []
        self.names = set(names)
        # The names that select items before an expression have.
        self.aliases: set[str] = set()
        self.tables: dict[str, Table] = dict(parent.tables) if parent else {}
        # The scopes whose names the query can use.
        self.chain: list[Scope] = [self, *(parent.chain if parent else [])]


class Statement:
    """The tables and columns that a statement reads."""

    def __init__(self, catalog: Catalog, sql: SQL, marks: list[Unknown], depth: int):
        self.catalog, self.sql, self.marks, self.certainty = catalog, sql, marks, STRING if depth else READS
        self.uses: list[dict[str, Any]] = []
        self.reads: dict[Leaf, tuple[str, dict[int, None]]] = {}
        # The keys of relations that are not logged tables.
        self.unknown: set[str] = set()
        self.names: set[str] = set()
        self.depends_on_all = self.reads_unknown = False
        # The offsets of names whose meaning is known.
        self.explained: set[int] = set()
        # The uses that conditions of derived relations have narrowed, with their copies.
        self.copies: dict[int, list[int]] = {}

    def use(self, table: Optional[str], at: int, certainty: str = READS) -> int:
        self.uses.append({"table": table, "at": at, "filters": [], "certainty": certainty})
        return len(self.uses) - 1

    def read(self, leaves: Any, at: int, certainty: str = READS, keeps_place: bool = False) -> None:
        for leaf in leaves:
            own = certainty or self.uses[leaf.use]["certainty"]
            known, places = self.reads.get(leaf, (own, {}))
            self.reads[leaf] = (max(own, known, key=lambda one: RANKS.get(one, 2)), places)
            if not places or not keeps_place:
                places[at] = None

    def mention(self, tables: list[str], at: int, certainty: str, column: Optional[str] = None) -> None:
        for table in tables[:20]:
            self.read([Leaf(self.use(table, at, certainty), column)], at, certainty)

    def any_table(self, at: int) -> Table:
        leaf = Leaf(self.use(None, at, COMPUTED), None)
        self.read([leaf], at)
        return Table(is_open=True, others=frozenset([leaf]))

    def consume(self, table: Table, at: int, certainty: str = STAR, is_result: bool = False) -> None:
        """Records that the statement depends on the columns that a `*` passes on."""
        self.read(table.leaves(table.star), at, certainty, keeps_place=True)
        self.reads_unknown |= table.is_open
        self.depends_on_all |= not is_result and (table.is_open or bool(table.star))

    def mark(self, name: str) -> Unknown:
        """Returns the unknown value in a name."""
        match = MARK.search(name)
        return self.marks[int(match.group(1))] if match and match.group(1) else Unknown(None)

    def tables(self, mark: Unknown) -> list[str]:
        return [name for table in mark._tables for name in self.catalog.named(table.lower().split("."))]

    def column_name(self, leaf: Leaf) -> Optional[str]:
        return self.catalog.columns.get(self.uses[leaf.use]["table"], {}).get(leaf.column, leaf.column)  # type: ignore

    def result(self, lines: list[int]) -> dict[str, Any]:
        def place(at: int, default: tuple[int, int]) -> tuple[int, int]:
            offset = self.sql.offset(at)
            line = bisect.bisect_right(lines, offset or 0)
            return default if offset is None else (line, offset - lines[line - 1] + 1)

        for use, copies in self.copies.items():
            # A relation that is only read under one condition has no other rows.
            if all(certainty == UNUSED_STAR for leaf, (certainty, _) in self.reads.items() if leaf.use == use):
                self.uses[use]["filters"] = self.uses[copies[-1]]["filters"] if len(set(copies)) == 1 else []
        start = place(len(self.sql.text) - len(self.sql.text.lstrip()), (1, 1))
        places = [place(use["at"], start) for use in self.uses]
        uses = [[use["table"], at, use["filters"], use["certainty"] or self.certainty] for use, at in zip(self.uses, places)]
        reads = [[leaf.use, self.column_name(leaf), certainty or self.certainty,
                  sorted({place(at, places[leaf.use]) for at in found})] for leaf, (certainty, found) in self.reads.items()]
        return {
            "uses": uses, "reads": reads, "unknown": sorted(self.unknown),
            "dependsOnAll": self.depends_on_all, "readsUnknown": bool(self.unknown) and self.reads_unknown,
            "names": sorted(self.names) if self.unknown else []}

    def read_words(self, tables: Optional[list[str]]) -> None:
        """Reads code without its syntax: the tables that it names, with the columns that it names, or with all."""
        text, certainty = self.sql.text, UNPARSED if tables is None else MENTIONED
        words = {match.group(): match.start() for match in reversed(list(WORD.finditer(text.lower())))}
        for match in MARK.finditer(text):
            mark = self.mark(match.group())
            is_relation = re.search(r"(\bfrom\s+|\bjoin\s+|\.|\A\s*)[\w`\"]*\Z", text[:match.start()], re.I)
            # A call at the start can write the statement.
            if is_relation and not mark._tables and (is_relation.group(1).strip() or mark._call):
                self.any_table(match.start())
            self.mention(self.tables(mark), match.start(), MACRO)
            for word in mark._words:
                words.setdefault(word, match.start())
        if match := re.search(r"\b(from|join)\s*\Z", text, re.I):
            self.any_table(match.start())
        # A source with another name passes all columns on.
        has_star = re.search(r"(?<!\()\*\s*(,|\Z|\b(from|except|exclude|replace)\b)|\bidentifier:", text, re.I)
        for last, names in self.catalog.by_name.items():
            for _, name in [pair for pair in names if last in words and (tables is None or pair[1] in tables)]:
                found = [column for column in self.catalog.columns[name] if column in words]
                use = self.use(name, words[last], certainty)
                for column in found + ([] if found and not has_star else [None]):
                    self.read([Leaf(use, column)], words.get(column or "", words[last]))
        for match in re.finditer(r"\b(?:from|join)\s+([\w.`\"]+)", text, re.I) if tables is None else []:
            path = re.sub("[`\"]", "", match.group(1)).lower().split(".")
            if not self.catalog.named(path):
                self.unknown |= referred(match.group(1), False)
        self.reads_unknown = self.depends_on_all = True
        self.names |= self.catalog.column_names & set(words)

    # MARK: Queries

    def at(self, node: Any) -> int:
        """Returns the offset of the first name in a node."""
        names = node.find_all(exp.Identifier) if "start" not in node.meta else [node]
        return min((name.meta["start"] for name in names if "start" in name.meta), default=0)

    def explain(self, *nodes: Any) -> None:
        self.explained |= {node.meta["start"] for node in nodes if node is not None and "start" in node.meta}

    def path(self, node: Any) -> list[tuple[str, int]]:
        return [(part.name.lower(), self.at(part)) for part in node.parts]

    def statement(self, node: Any) -> None:
        """Reads a statement that sqlglot has parsed."""
        scope = Scope(None)
        target = node.this.this if isinstance(node.this, exp.Schema) else node.this
        if isinstance(node, exp.Query):
            self.consume(self.query(node, scope), self.at(node), is_result=True)
        elif isinstance(node, exp.Pivot):
            self.relation(node, scope)
        elif isinstance(node, (exp.DML, exp.Create)) and isinstance(target, exp.Table):
            self.with_clause(node, scope)
            if isinstance(node, (exp.Create, exp.Insert)):
                self.explain(*target.parts)
            else:
                self.relation(node.this, scope)
            if isinstance(node, exp.Insert):
                self.explain(*node.this.expressions)
                for name in self.catalog.named([name for name, _ in self.path(target)]):
                    use, columns = self.use(name, self.at(target), WRITTEN), self.catalog.columns[name]
                    # Without a list, the statement writes all columns by their position.
                    written = [column.name.lower() for column in node.this.expressions] or list(columns)
                    self.read([Leaf(use, column) for column in written if column in columns], self.at(target))
            # Other clauses see the relations of USING and FROM.
            for child in sorted(node.iter_expressions(), key=lambda child: child.arg_key not in ("using", "from_")):
                if child.arg_key in ("using", "from_"):
                    self.relation(child.this if isinstance(child, exp.From) else child, scope)
                elif child.arg_key == "expressions" and isinstance(node, exp.Update):
                    self.assignment(child, scope)
                elif child.arg_key == "expression" and isinstance(child, exp.Query):
                    self.consume(self.query(child, scope), self.at(child), is_result=isinstance(node, exp.Create))
                elif child.arg_key not in ("this", "with_"):
                    self.visit(child, scope)
        else:
            self.visit(node, scope)

    def assignment(self, node: Any, scope: Scope) -> None:
        """Reads `column = expression` of UPDATE, whose column is one of the first relation."""
        inner = Scope(None)
        inner.items = scope.items[:1]
        self.visit(node.this, inner)
        self.visit(node.expression, scope)

    def with_clause(self, node: Any, scope: Scope) -> None:
        with_ = node.args.get("with_")
        for cte in with_.expressions if with_ else []:
            name, names = cte.alias.lower(), self.alias_columns(cte)
            if not isinstance(cte.this, exp.Query):
                # ClickHouse: `WITH expression AS name`.
                self.visit(cte.this, scope)
                scope.names.add(name)
                continue
            inner, is_known = Scope(scope), with_.args.get("recursive") or not self.catalog.named([name])
            if is_known:
                inner.tables[name] = Table(is_open=True)
            query = self.query(cte.this, inner, cte if is_known else None)
            scope.tables[name] = self.renamed(query, names, self.at(cte))

    def alias_columns(self, node: Any) -> list[str]:
        alias = node.args.get("alias")
        if not isinstance(alias, exp.TableAlias):
            return []
        self.explain(alias.this, *alias.columns)
        return [column.name.lower() for column in alias.columns]

    def renamed(self, table: Table, names: list[str], at: int) -> Table:
        """Returns a relation with other names of columns, by position."""
        if not names:
            return Table(table.columns, table.is_open, table.star, table.others, use=table.use)
        self.consume(table, at)
        rest = table.others | table.star
        columns = [column._replace(name=name, certainty=STAR) for name, column in zip(names, [] if table.is_open else table.columns)]
        columns += [Column(name, rest) for name in names[len(columns):]]
        return Table(columns + table.columns[len(names):])

    def query(self, node: Any, parent: Optional[Scope], recursive: Any = None) -> Table:
        """Returns the relation of a query. In a recursive one, the first part is the relation for the others."""
        scope = Scope(parent)
        self.with_clause(node, scope)
        if isinstance(node, exp.Select):
            return self.select(node, scope)
        if isinstance(node, exp.SetOperation):
            result = self.query(node.this, scope, recursive)
            if recursive:
                names = self.alias_columns(recursive)
                scope.tables[recursive.alias.lower()] = self.renamed(result, names, self.at(recursive))
            result = self.united(node, result, self.query(node.expression, scope))
        elif isinstance(node.this, exp.Query) and not node.args.get("joins"):
            result = self.query(node.this, scope, recursive)
        else:
            self.relation(node, scope)
            return self.star(Table(), scope.items, self.at(node))
        scope.items.append(Table([Column(column.name) for column in result.columns]))
        self.visit_clauses(node, scope, ("this", "expression", "with_", "alias"))
        return result

    def united(self, node: Any, left: Table, right: Table) -> Table:
        pairs = itertools.zip_longest(left.columns, right.columns, fillvalue=Column(""))
        columns = [Column(one.name or other.name, one.leaves | other.leaves) for one, other in pairs]
        for side in (left, right):
            self.consume(side, self.at(node))
        is_open, others = left.is_open or right.is_open, left.others | right.others
        return Table(left.columns + right.columns if node.args.get("by_name") else columns, is_open, others=others)

    def select(self, node: exp.Select, scope: Scope) -> Table:
        sources = [node.args["from_"].this] if node.args.get("from_") else []
        for source in sources + (node.args.get("laterals") or []):
            self.relation(source, scope)
        for join in node.args.get("joins") or []:
            self.join(join, scope)
        if node.args.get("where"):
            self.filter(node.args["where"].this, scope, scope.items)
        aliases = {alias.alias.lower() for alias in node.expressions if isinstance(alias, exp.Alias)}
        scope.names |= aliases | {window.name.lower() for window in node.args.get("windows") or []}
        result = Table()
        for expression in node.expressions:
            self.projection(expression, result, scope)
            scope.aliases |= {expression.alias.lower()} if isinstance(expression, exp.Alias) else set()
        group, order = node.args.get("group"), node.args.get("order")
        if node.args.get("distinct") or group and group.args.get("all"):
            self.consume(result, self.at(node))
        for key in order.expressions if order else []:
            # An alias alone is not a column.
            if isinstance(key.this, exp.Column) and not key.this.table and key.this.name.lower() in aliases:
                self.explain(key.this.this)
            else:
                self.visit(key, scope)
        self.visit_clauses(node, scope, ("with_", "from_", "joins", "laterals", "expressions", "order"))
        return result

    def visit_clauses(self, node: Any, scope: Scope, others: tuple[str, ...]) -> None:
        for child in node.iter_expressions():
            if child.arg_key not in others:
                self.visit(child, scope)

    def join(self, join: exp.Join, scope: Scope) -> None:
        first = len(scope.items)
        self.relation(join.this, scope)
        method = (join.method or "").upper()
        # Without a side, these joins keep rows of the left one that do not meet the condition, too.
        side = (join.side or ("LEFT" if (join.kind or "").upper() == "ANTI" or method == "ASOF" else "")).upper()
        filtered = {"LEFT": scope.items[first:], "RIGHT": scope.items[:first], "FULL": []}.get(side, scope.items)
        if join.args.get("on") and not join.this.args.get("joins"):
            self.filter(join.args["on"], scope, filtered)
        for name in join.args.get("using") or []:
            self.names |= {name.name.lower()} & self.catalog.column_names
            self.explain(name)
            for item in scope.items:
                self.read_column(item, name.name.lower(), self.at(name))
        if method == "NATURAL":
            for item in scope.items:
                self.consume(item, self.at(join))
        self.visit_clauses(join, scope, ("this", "using"))

    # MARK: Relations

    def relation(self, node: Any, scope: Scope) -> None:
        """Adds a relation of a FROM clause to a scope."""
        names, first, at = self.alias_columns(node), len(scope.items), self.at(node)
        alias = node.alias.lower() if node.args.get("alias") else ""
        if isinstance(node, exp.Table) and isinstance(node.this, (exp.Identifier, exp.DynamicIdentifier)):
            scope.items.append(self.renamed(self.named_table(node, scope), names, at))
            alias = alias or node.name.lower().split(".")[-1]
        elif isinstance(node, exp.Pivot):
            self.relation(node.this, scope)
            self.pivot(node, scope, first)
        elif isinstance(node, (exp.Subquery, exp.Paren)) and not isinstance(node.this, exp.Query):
            inner = Scope(scope)
            self.relation(node.this, inner)
            scope.items += [self.renamed(self.star(Table(), inner.items, at), names, at)] if alias else inner.items
        elif isinstance(node, exp.Query):
            query = self.query(node.this if isinstance(node, exp.Subquery) else node, scope)
            scope.items.append(self.renamed(query, names, at))
        else:
            # UNNEST, LATERAL, VALUES, functions.
            self.visit_clauses(node, scope, ("alias", "joins", "pivots", "laterals"))
            for name in [part.this for part in node.find_all(exp.Literal, exp.Anonymous) if COMPLETE.fullmatch(str(part.this))]:
                self.mention(self.catalog.named(name.lower().split(".")), at, COMPUTED)
                self.unknown |= referred(name, False)
            scope.items.append(Table([Column(name) for name in names], is_open=not names))
        if node.args.get("alias") and MARK.fullmatch(alias):
            # A template or a program writes the clauses behind the relation.
            self.explain(node.args["alias"].this)
            self.consume(scope.items[-1], at, COMPUTED)
        elif alias:
            scope.items[-1].alias = alias
        for pivot in node.args.get("pivots") or []:
            self.pivot(pivot, scope, first)
        for lateral in node.args.get("laterals") or []:
            self.relation(lateral, scope)
        for join in node.args.get("joins") or []:
            self.join(join, scope)

    def pivot(self, node: exp.Pivot, scope: Scope, first: int) -> None:
        """Replaces relations by their pivot: all of their columns are keys or values."""
        inner = Scope(scope)
        inner.items = scope.items[first:]
        for item in inner.items:
            self.consume(item, self.at(node), PIVOT)
        self.alias_columns(node)
        self.visit_clauses(node, inner, ("this", "alias"))
        others = frozenset(leaf for item in inner.items for leaf in item.star | item.others)
        alias = node.alias.lower() or (inner.items[0].alias if inner.items else "")
        scope.items[first:] = [Table(is_open=True, others=others, alias=alias)]

    def named_table(self, node: exp.Table, scope: Scope) -> Table:
        path, at = [part for name, _ in self.path(node) for part in name.split(".")], self.at(node)
        self.explain(*node.parts)
        if len(path) == 1 and path[0] in scope.tables:
            return scope.tables[path[0]]
        mark, is_computed = self.mark(path[-1]), MARK.search(path[-1]) or path[-1].endswith("*")
        if MARK.fullmatch(path[-1]) and not mark._tables:
            return self.any_table(at)
        found = self.tables(mark) or self.catalog.matching(path[-1]) if is_computed else self.catalog.named(path)
        for outer in scope.chain if not found and len(path) > 1 else []:
            if any(item.alias == path[0] for item in outer.items):
                # BigQuery: `FROM t.tags` is an array of a relation of the query.
                self.resolve(self.path(node), outer)
                return Table(is_open=True)
        if not found:
            self.unknown |= referred(".".join(part.name for part in node.parts), False)
        result = Table(is_open=not found)
        for name in found[:20]:
            use = self.use(name, at, AMBIGUOUS if is_computed or len(found) > 1 else READS)
            columns = self.catalog.columns[name]
            result.columns += [Column(column, frozenset([Leaf(use, column)])) for column in columns]
            result.star |= {Leaf(use, None)}
            result.others |= frozenset() if columns else {Leaf(use, None)}
            result.is_open |= not columns
            result.use = use if len(found) == 1 else None
        return result

    # MARK: Expressions

    def projection(self, node: Any, result: Table, scope: Scope) -> None:
        """Adds an item of a select list to the columns of a query."""
        star = node.this if isinstance(node, exp.Column) else node
        if isinstance(star, exp.Star):
            items = [item for item in scope.items if star is node or item.alias == node.table.lower()]
            if not items and star is not node:
                # The members of a structured column, or a relation of an enclosing query.
                self.resolve(self.path(node)[:-1], scope)
                result.is_open = True
            self.explain(*(node.parts[:-1] if star is not node else []))
            for alias in star.args.get("rename") or []:
                self.resolve([(alias.this.name.lower(), self.at(alias))], scope, STAR)
            self.visit_clauses(star, scope, ("rename",))
            for alias in star.args.get("replace") or []:
                self.resolve([(alias.alias.lower(), self.at(alias.args["alias"]))], scope)
            self.star(result, items, self.star_place(node), star)
            return
        value = node.unalias()
        if isinstance(node, exp.Alias) and self.at(node.args["alias"]) >= self.at(value):
            # Snowflake's `a:b` is an alias before its expression in DuckDB, so it may be a column.
            self.explain(node.args["alias"])
        self.visit(value, scope)
        if MARK.fullmatch(node.alias_or_name):
            result.is_open = True
            result.others |= frozenset(leaf for item in scope.items for leaf in item.star | item.others)
        result.columns.append(Column(node.alias_or_name.lower()))

    def star_place(self, node: Any) -> int:
        """Returns the offset of a `*`, which has none in sqlglot's tree: that before the rest of its query."""
        if isinstance(node, exp.Column):
            return self.at(node)
        others = [self.at(other) for other in node.parent.iter_expressions() if other is not node and self.at(other)]
        return max(self.sql.text.rfind("*", 0, min(others, default=None)), 0)

    def star(self, result: Table, items: list[Table], at: int, node: Any = exp.Star()) -> Table:
        """Adds the columns of a `*` to those of a query."""
        excluded = {part.name.lower() for part in node.args.get("except_") or []}
        replaced = {alias.alias.lower() for alias in node.args.get("replace") or []}
        names = {alias.this.name.lower(): alias.alias.lower() for alias in node.args.get("rename") or []}
        for item in items:
            star = item.leaves(item.star)
            columns = [Column(column.name, frozenset() if column.name in replaced else item.leaves(column.leaves))
                       for column in item.columns if column.name not in excluded]
            if (excluded | replaced) & {column.name for column in item.columns}:
                star = frozenset(leaf for column in columns for leaf in column.leaves) | item.others
            self.read(star, at, UNUSED_STAR)
            result.columns += [column._replace(name=names.get(column.name, column.name)) for column in columns]
            result.star, result.others = result.star | star, result.others | item.others
            result.is_open |= item.is_open
        if len(result.columns) > MOST_COLUMNS:
            result.columns, result.is_open, result.others = [], True, result.star | result.others
        return result

    def visit(self, node: Any, scope: Scope) -> None:
        """Reads the columns in an expression or a clause."""
        if isinstance(node, exp.Table):
            self.explain(*node.parts)
            self.mention(self.catalog.named([name for name, _ in self.path(node)]), self.at(node), MENTIONED)
            self.unknown |= referred(".".join(part.name for part in node.parts), False)
        elif isinstance(node, exp.Query):
            result = self.query(node, scope)
            if not isinstance(node.parent, exp.Exists):
                self.consume(result, self.at(node))
        elif isinstance(node, exp.In) and isinstance(node.args.get("field"), exp.Column) and (
                found := self.catalog.named([name for name, _ in self.path(node.args["field"])])):
            # ClickHouse: `IN table`.
            self.explain(*node.args["field"].parts)
            self.mention(found, self.at(node.args["field"]), STAR)
            self.visit(node.this, scope)
        elif isinstance(node, exp.Column) and MARK.search(node.name):
            self.computed_column(node, scope)
        elif isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            self.resolve(self.path(node), scope)
        elif isinstance(node, (exp.Columns, exp.Star, exp.Column)):
            for item in scope.items if not isinstance(node.parent, exp.Count) else []:
                self.consume(item, self.at(node))
        elif isinstance(node, exp.Lambda):
            self.explain(*node.expressions)
            self.visit(node.this, Scope(scope, (name.name.lower() for name in node.expressions)))
        elif isinstance(node, exp.Update) and all(isinstance(child, exp.EQ) for child in node.expressions):
            for child in node.expressions:
                self.assignment(child, scope)
            self.visit_clauses(node, scope, ("expressions",))
        elif not isinstance(node, exp.DataType):
            if isinstance(node, exp.Alias):
                self.explain(node.args["alias"])
            self.visit_clauses(node, scope, ())

    def read_column(self, item: Table, name: str, at: int, certainty: str = READS) -> bool:
        """Reads a column of a relation. Returns false if the relation is not known to have the column."""
        columns = [column for column in item.columns if column.name == name]
        for column in columns:
            self.read(item.leaves(column.leaves), at, certainty or column.certainty)
        if not columns:
            self.read((leaf._replace(column=name) for leaf in item.others), at, certainty or (
                READS if item.others == item.star else OPEN_RELATION))
        return bool(columns)

    def resolve(self, path: list[tuple[str, int]], scope: Scope, certainty: str = READS) -> None:
        """Reads a column such as `t.properties.position`."""
        name, at = path[0]
        if len(path) == 1:
            self.names |= {name} & self.catalog.column_names
            # Without the column, the name belongs to a relation of an enclosing query, or is an alias.
            having = [item for current in scope.chain for item in current.items if any(one.name == name for one in item.columns)]
            is_own = [any(item is own for own in scope.items) for item in having]
            certainty = certainty or (AMBIGUOUS if any(is_own) and (not all(is_own) or name in scope.aliases) else READS)
        for current in scope.chain:
            found = [self.read_column(item, path[number][0], at, certainty) for number in range(1, min(len(path), 4))
                     for item in current.items if item.alias == path[number - 1][0]]
            if not any(found):
                # `a.b` can be the member `b` of a column `a`.
                found += [self.read_column(item, name, at, certainty) for item in current.items
                          if any(column.name == name for column in item.columns)]
            rows = [item for item in current.items if item.alias == name and len(path) == 1]
            if found or name in current.names or rows:
                self.explained |= {offset for _, offset in path}
                if not found and rows:
                    self.consume(rows[0], at, WHOLE_ROW)
                return
            for item in [item for item in current.items if item.is_open]:
                self.explained |= {offset for _, offset in path[1:]} or {at}
                self.read_column(item, name, at, OPEN_RELATION)
                certainty = certainty or OPEN_RELATION

    def computed_column(self, node: exp.Column, scope: Scope) -> None:
        """Reads the columns that a template can write in the place of a name."""
        at, mark = self.at(node), self.mark(node.name)
        self.explain(*node.parts)
        self.mention(self.tables(mark), at, MACRO)
        for word in mark._words:
            self.resolve([(word, at)], scope, MACRO)
        values = (exp.Binary, exp.In, exp.Between, exp.Limit, exp.Offset, exp.Interval)
        is_value = isinstance(node.parent, values) and not isinstance(node.parent, exp.Connector)
        if mark._tables or mark._words or is_value and MARK.fullmatch(node.name):
            return
        for outer in scope.chain:
            for item in outer.items:
                if MARK.fullmatch(node.name):
                    self.consume(item, at, MACRO if mark._call else COMPUTED)
                for column in item.columns:
                    if re.fullmatch(pattern(node.name.lower()), column.name) and not MARK.fullmatch(node.name):
                        self.read_column(item, column.name, at, COMPUTED)

    # MARK: Conditions

    def filter(self, condition: Any, scope: Scope, items: list[Table]) -> None:
        """Adds conditions such as `column = 'x'` and `column IN ('x', 'y')` to the uses of their tables."""
        condition = condition.unnest()
        if isinstance(condition, exp.And):
            for part in condition.flatten():
                self.filter(part, scope, items)
            return
        path, values = self.equality(condition)
        found = [(item, column) for item in scope.items for column in item.columns if values
                 and column.name == path[-1] and (len(path) == 1 or item.alias == path[-2])]
        if len(found) != 1 or not any(found[0][0] is item for item in items) or len(found[0][1].leaves) != 1:
            return
        item, column = found[0]
        (original,) = column.leaves
        (leaf,) = item.leaves(column.leaves)
        if leaf.column is not None and len(self.uses[leaf.use]["filters"]) < 8:
            use, condition = self.uses[leaf.use], [self.column_name(leaf), values]
            if item.use == leaf.use or original.use in item.narrowed:
                use["filters"].append(condition)
            else:
                self.uses.append({**use, "filters": use["filters"] + [condition]})
                item.narrowed[original.use] = len(self.uses) - 1
                self.copies.setdefault(original.use, []).append(len(self.uses) - 1)

    def equality(self, node: Any) -> tuple[list[str], list[str]]:
        """Returns the column and the strings of a condition; no strings if it has another form."""
        if isinstance(node, exp.Or):
            parts = [self.equality(part.unnest()) for part in node.flatten()]
            is_one = all(path == parts[0][0] and values for path, values in parts)
            return parts[0][0], [value for _, values in parts for value in values] if is_one else []
        sides = [node.this, *([node.expression] if isinstance(node, exp.EQ) else node.expressions)] if isinstance(
            node, (exp.EQ, exp.In)) and not node.args.get("query") else []
        columns = [side for side in sides if isinstance(side, exp.Column)]
        values = [side.this for side in sides if isinstance(side, exp.Literal) and side.is_string]
        is_constant = len(columns) == 1 and len(values) == len(sides) - 1 and not re.search("[\\\\'\"\ue000{]", "".join(values))
        return ([name for name, _ in self.path(columns[0])], values) if is_constant else ([], [])

    def read_rest(self, tokens: list[Any]) -> None:
        """Reads the names in the statement that nothing has explained, so that none is missed."""
        tables = {use["table"] for use in self.uses}
        following = [*tokens[1:], None, None]
        for token, before, after, member in zip(tokens, [None, *tokens], following, following[1:]):
            name = token.text.lower()
            if token.token_type == TokenType.STRING and ("." in name or "__" in name):
                known = [table for table in self.catalog.named(name.split(".")) if table not in tables]
                self.mention(known, token.start, MENTIONED)
            if token.token_type not in (TokenType.VAR, TokenType.IDENTIFIER) or token.start in self.explained or (
                    after and after.token_type == TokenType.L_PAREN) or before and before.token_type == TokenType.ALIAS:
                continue
            is_qualifier = member and after.token_type == TokenType.DOT
            known = [table for table in self.catalog.named([name]) if table not in tables]
            self.mention(known, token.start, UNRESOLVED, member.text.lower() if is_qualifier else None)
            for use, found in enumerate(self.uses[:100]):
                if name in self.catalog.columns.get(found["table"], ()):
                    self.read([Leaf(use, name)], token.start, UNRESOLVED)


# MARK: Inputs


class Reader:
    """Reads the code of consumers. Each process has its own."""

    def __init__(self, dialect: Optional[str], manifests: dict[int, Manifest], tables: list[dict[str, Any]],
                 entries: list[dict[str, Any]]):
        self.dialect, self.logged = dialect, Catalog(tables)
        self.catalogs = {project: manifest.catalog for project, manifest in manifests.items()}
        # The macros of each dbt project. Those in its files replace those of its manifest.
        self.macros = {project: dict(manifest.macros) for project, manifest in manifests.items()}
        self.views = Views(entry["text"] for entry in entries if entry["kind"] == "lookml")
        for entry in entries:
            if entry["project"] is not None:
                self.macros.setdefault(entry["project"], {}).update({name: entry["text"] for name in macro_names(entry["text"])})

    def read(self, entry: dict[str, Any]) -> tuple[dict[str, Any], set[str], set[str]]:
        if entry["kind"] == "other" and STATEMENT.match(entry["text"]) and QUERY.search(entry["text"]):
            entry = {**entry, "kind": "sql"}
        self.catalog, self.entry = self.catalogs.get(entry["project"], self.logged), entry
        self.lines = [0] + [match.end() for match in re.finditer("\n", entry["text"])]
        self.statements: list[dict[str, Any]] = []
        self.is_open = False
        self.marks: list[Unknown] = []
        # The keys of names that the file defines, and of those that it may refer to.
        self.defines: set[str] = set()
        self.refers: set[str] = set()
        # The text outside of SQL.
        self.rest = list(entry["text"])
        # dbt's adapters have the names of dialects, except for those of SQL Server.
        dialect = {"sqlserver": "tsql", "fabric": "tsql"}.get(entry["dialect"], entry["dialect"]) or self.dialect
        self.dialects = [dialect] if dialect and Dialect.get(dialect) else DIALECTS
        try:
            signal.setitimer(signal.ITIMER_REAL, SECONDS_PER_INPUT)
            self.read_input()
            signal.setitimer(signal.ITIMER_REAL, 0)
        except (TimeoutError, RecursionError, MemoryError):
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.read_words(SQL(entry["text"]))
        used = {use[0] for statement in self.statements for use in statement["uses"]}
        unread = [name for name in self.catalog.in_text(entry["text"]) if name not in used]
        if entry["kind"] not in ("other", "markdown"):
            if entry["kind"] in ("yaml", "json", "code", "lookml"):
                rest = "".join(self.rest) if entry["kind"] != "lookml" else ""
                outside = [name for name in self.catalog.in_text(rest) if name in used]
                for text, tables in ((entry["text"], unread), (rest, outside)):
                    if tables:
                        self.read_words(SQL(text), tables=tables)
            unread = []
        try:
            signal.setitimer(signal.ITIMER_REAL, SECONDS_PER_INPUT)
            self.read_names()
        except (TimeoutError, RecursionError, MemoryError):
            self.refers |= {key for word in WORD.findall(entry["text"]) for key in referred(word)}
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return ({"statements": self.statements, "unread": unread, "open": self.is_open},
                self.defines - set(self.logged.by_name), self.refers)

    def read_names(self) -> None:
        """Finds the names that a file defines outside of statements, and those that it may refer to."""
        kind, text = self.entry["kind"], self.entry["text"]
        rest = "".join(self.rest)
        if kind in ("sql", "sqlx"):
            for block in re.finditer(r"\{\{.*?\}\}|\{%.*?%\}|^\s*config\s*\{.*?\}|\$\{.*?\}", text, re.S | re.M):
                self.refers |= {key for word in WORD.findall(block.group()) for key in referred(word)}
                self.refers |= {key for word in PLAIN.findall(block.group()) for key in referred(word)}
                if re.match(r"\W*config\b", block.group()):
                    self.defines |= keyed(block.group(), lambda match: match.group("quote"))
            self.defines |= set(map(str.lower, macro_names(text)))
            self.refers |= {key for word in PLAIN.findall(text) if COMPLETE.fullmatch(word) and re.search("[./]", word)
                            for key in referred(word)}
            self.refers |= {word.lower() for word in re.findall(r"([\w$]+)\s*\(", text)} - self.defines
            self.refers |= {key for word in re.findall(r"\w\(\s*'([^'\n]+)'|([\w@.-]*(?:/[\w.*=-]+)+)", text)
                            for key in referred(word[0] or word[1])}
        elif kind in ("yaml", "json"):
            outline = Outline(text, kind)
            self.defines |= outline.around([offset for offset, character in enumerate(self.rest) if character == "\0"])
            self.refers |= outline.refers
            if kind == "json" and '"cells"' in text:
                # A notebook has code in strings.
                self.read_code("\n".join(decoded(SQL(match[1])).text for match in re.finditer(r'"((?:[^"\\]|\\.)*)"', text)))
        elif kind == "lookml":
            self.defines |= {match[1].lower() for match in re.finditer(r"\b(?:view|explore):\s*\+?(\w+)(?=\s*\{)", text)}
            rest = re.sub(r"\binclude:[^\n]*|\bview:\s*\w+(?=\s*\{)|\b(?:dimension|dimension_group|measure|parameter|label|description|type):\s*\w+", "", text)
            self.refers |= {word.lower() for match in re.finditer(r":\s*\[([^\]]*)\]|:\s*\+?([\w.]+)|(\w+)\.\w+|\{\s*([\w.]+)", rest)
                            for word in WORD.findall(" ".join(filter(None, match.groups())))}
        elif kind == "code":
            self.read_code(text)
        elif kind == "other":
            # A word is a name in quotes, with a character that prose does not have, and after FROM and JOIN.
            words = re.findall(r"[\w.]*_[\w.]*|\b(?:from|join|ref)\b\W+[\w.]+|[\"'`][\w./]+[\"'`]", rest, re.I)
            self.refers |= {key for word in words for key in referred(word.split()[-1])}
            self.defines |= keyed(text)
            # A language that is not known: another file in it can name what this one defines.
            self.defines |= {"?" + name.lower() for name in re.findall(r"\b(?:source|query|cube|model|let|def)\b:?\s+(\w+)", text)}
            self.refers |= {"?" + word for word in WORD.findall(text.lower())}

    def read_code(self, text: str) -> None:
        text = PLACEHOLDERS["code"].sub(lambda match: "\ue000", text)
        self.defines |= keyed(text, lambda match: match.group("quote"))
        names: list[str] = []
        for match in WRITING.finditer(text):
            names += PLAIN.findall(match.group("arguments") or match.group("chain") or "") + [match.group("function") or ""]
        # The files and arguments of a shell: `> x.csv`, `--table=x`.
        names += re.findall(r"(?:>|\btee\s|\s-o\s|--\w+[= ])\s*([\w./-]+)", text)
        names += [self.entry["model"]] if re.search(r"\bdef model\(", text) else []
        self.defines |= {key for name in names if name.lower() not in OPTIONS and COMPLETE.fullmatch(name) for key in defined(name)}
        self.refers |= {key for word in PLAIN.findall(text) if COMPLETE.fullmatch(word) for key in referred(word)}
        words = re.findall(r"\b[A-Z]\w+|\b[a-z]\w*_\w*", text) + WORD.findall(" ".join(re.findall(r"\bdef \w+\(([^)]*)\)", text)))
        self.refers |= set(map(str.lower, words))

    def read_input(self) -> None:
        kind, text = self.entry["kind"], self.entry["text"]
        if kind in ("sql", "sqlx", "lookml", "yaml"):
            self.defines |= defined(self.entry["model"] or "") | defined(f"{self.entry['model']}.sql")
        # Metabase: `{{#12-name}}` is a question.
        text = re.sub(r"\{\{\s*#(\d+)[^}\n]*\}\}", lambda match: f"c__{match[1]}".ljust(len(match[0])), text)
        found = {"sql": lambda: [SQL(text)], "sqlx": lambda: [sqlx(text)], "lookml": lambda: self.views.sql(text)}.get(
            kind, lambda: (piece for piece in pieces(text, kind) if QUERY.search(piece.text)))()
        for piece in found:
            for offset in piece.offsets if kind in ("yaml", "json", "code") else []:
                self.rest[offset] = "\0"
            if jinja2 and kind != "code" and re.search(r"\{[{%#]", piece.text):
                self.read_template(piece)
            else:
                self.read_sql(piece)
        if self.entry["compiled"]:
            self.marks = []
            self.read_sql(Rendered(self.entry["compiled"], SQL(text)))

    def read_template(self, piece: SQL) -> None:
        run = Rendering(self.macros.get(self.entry["project"], {}), self.entry["model"], self.entry["dialect"])
        try:
            variants = run.render(piece.text)
        except TimeoutError:
            raise
        except Exception:
            # A template can fail in any way.
            self.is_open = True
            return self.read_words(piece)
        if self.entry["compiled"] and not run.counts:
            return
        self.marks = run.marks
        self.is_open |= any(mark._call and not mark._words and not mark._tables for mark in run.marks)
        for variant in variants:
            self.read_sql(Rendered(variant, piece))

    def read_sql(self, sql: SQL, depth: int = 0) -> None:
        """Reads the statements of an input, and those in its strings."""
        sql = copy.copy(sql)
        placeholders = PLACEHOLDERS.get(self.entry["kind"], PLACEHOLDERS[""])
        sql.text = placeholders.sub(lambda match: "\ue000" * len(match.group()), sql.text)
        # A macro before a query is a comment or a setting.
        sql.text = re.sub("\\A[\\s;]*(\ue000+(\\d+\ue001)?\\s*)+(?=(select|with|from)\\b)", blank, sql.text, flags=re.I)
        tokens: list[Any] = []
        for dialect in self.dialects if len(sql.text) <= MOST_CHARACTERS else []:
            with contextlib.suppress(sqlglot.errors.SqlglotError):
                tokens = Dialect.get_or_raise(dialect).tokenize(sql.text)
                break
        if not tokens:
            return self.read_words(sql, depth) if sql.text.strip() else None
        ends = [index for index, token in enumerate(tokens) if token.token_type == TokenType.SEMICOLON] + [len(tokens)]
        for first, end in zip([-1, *ends], ends):
            if end - first > 1:
                self.read_statement(sql.part(tokens[first + 1].start, tokens[end - 1].end + 1), depth)

    def read_statement(self, sql: SQL, depth: int) -> None:
        self.defines |= written(sql.text)
        # A macro writes the statement, or sqlglot takes TABLE for a name.
        for dialect in self.dialects if not re.match("\ue000|table\\b", sql.text, re.I) else []:
            found = Statement(self.catalog, sql, self.marks, depth)
            try:
                tokens = Dialect.get_or_raise(dialect).tokenize(sql.text)
                tree = Dialect.get_or_raise(dialect).parser().parse(tokens, sql.text)[0]
                if tree is None or tree.find(exp.Command):
                    continue
                found.statement(tree)
                found.read_rest(tokens)
            except TimeoutError:
                raise
            except Exception:
                # sqlglot can fail in any way on damaged SQL.
                continue
            self.add(found)
            break
        else:
            self.read_words(sql, depth)
        for match in re.finditer(
                r"'((?:[^'\\]|\\.|'')+)'|\"((?:[^\"\\]|\\.)+)\"|\$(\w*)\$(.*?)\$\3\$", sql.text, re.S) if depth < 3 else []:
            string = sql.part(*match.span(1 if match.group(1) else 2 if match.group(2) else 4))
            if QUERY.search(string.text) or re.match(r"\s*select\b", string.text, re.I):
                self.read_sql(string, depth + 1)

    def read_words(self, sql: SQL, depth: int = 0, tables: Optional[list[str]] = None) -> None:
        found = Statement(self.catalog, sql, self.marks, depth)
        found.read_words(tables)
        self.add(found)
        if tables is None:
            self.defines |= written(sql.text)
            self.refers |= {key for word in WORD.findall(sql.text) for key in referred(word)}

    def add(self, found: Statement) -> None:
        result = found.result(self.lines)
        self.refers |= found.unknown
        if (result["uses"] or result["unknown"]) and result not in self.statements:
            self.statements.append(result)


# MARK: Consumers


@dataclass
class Consumer:
    """A file or a node of dbt, with the names by which it is joined with others."""
    kind: str
    name: str
    file: str
    # The code that is read.
    entry: Optional[dict[str, Any]] = None
    statements: list[dict[str, Any]] = field(default_factory=list)
    # The names of what others can read, of what it reads, and of what it mentions outside of the relations of statements.
    names: set[str] = field(default_factory=set)
    dependencies: set[str] = field(default_factory=set)
    possible: set[str] = field(default_factory=set)
    # A node of dbt: its project, identifier, owner and address, the logged tables that it depends on, and the place of its
    # code.
    project: Optional[int] = None
    identifier: Optional[str] = None
    owner: Optional[dict[str, Any]] = None
    url: Optional[str] = None
    tables: list[str] = field(default_factory=list)
    start: tuple[int, int] = (1, 1)
    # Whether the code does not contain the reads that macros write.
    is_open: bool = False

    def document(self, numbers: dict[str, set[int]], own: int) -> dict[str, Any]:
        def may(certainty: str) -> Any:
            return [RANKS.get(certainty, 2), certainty] if certainty else None

        uses = [{"table": table, "place": place, "filters": filters, "may": may(certainty),
                 "reads": [[column, may(one), places] for use, column, one, places in statement["reads"] if use == number]}
                for statement in self.statements for number, (table, place, filters, certainty) in enumerate(statement["uses"])]
        certain = {number for name in self.dependencies for number in numbers.get(name, ())} - {own}
        possible = {number for name in self.possible for number in numbers.get(name, ())} - certain - {own}
        return {
            "kind": self.kind, "name": self.name, "file": self.file, "identifier": self.identifier, "owner": self.owner,
            "url": self.url, "uses": uses, "names": sorted({name for one in self.statements for name in one["names"]}),
            "dependsOnAll": any(one["dependsOnAll"] for one in self.statements),
            "readsUnknown": any(one["readsUnknown"] for one in self.statements),
            "dependencies": sorted(certain), "possibleDependencies": sorted(possible)}


def member(value: Any, *keys: str) -> Any:
    """Returns a value in objects of JSON; nil if one of them has another form."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def string(value: Any, *keys: str) -> Optional[str]:
    found = member(value, *keys)
    return found if isinstance(found, str) else None


def texts(value: Any, *keys: str) -> list[str]:
    found = member(value, *keys)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def members(value: Any, key: str) -> list[tuple[str, Any]]:
    found = member(value, key)
    return list(found.items()) if isinstance(found, dict) else []


def owner(value: Any) -> Optional[dict[str, Any]]:
    """Returns an owner: `ana`, `[ana, ben]`, or an object with a name and an address."""
    def joined(value: Any) -> Optional[str]:
        names = value if isinstance(value, list) else [value]
        return ", ".join(filter(None, (name.strip(" \t\r\n") for name in names if isinstance(name, str)))) or None

    is_object = isinstance(value, dict)
    found = {"name": joined(member(value, "name") if is_object else value), "email": joined(member(value, "email"))}
    return found if any(found.values()) else None


class Manifest:
    """`target/manifest.json` of a dbt project: its nodes, exposures and metrics, and the dependencies among them.

    Columns come from the code of nodes: the raw code gives places, and the compiled code gives reads that macros write. A
    dependency on a logged table without a read in the code is a possible read of all columns.
    """
    KINDS = {**{kind: kind for kind in ("model", "snapshot", "analysis", "test", "operation")},
             "sql_operation": "operation", "sql operation": "operation"}
    OTHERS = {"semantic_models": "semantic model", "metrics": "metric", "saved_queries": "saved query", "exposures": "exposure"}

    def __init__(self, file: dict[str, Any], tables: list[dict[str, Any]]):
        self.root, self.folder, self.project = json.loads(file["text"]), file["folder"], file["project"]
        if not isinstance(member(self.root, "nodes"), dict):
            raise ValueError("the manifest has no `nodes`")
        self.dialect = string(self.root, "metadata", "adapter_type")
        self.names = {(string(node, "alias") or string(node, "name") or "").lower() for _, node in members(self.root, "nodes")}
        self.owners = {string(group, "name"): owner(member(group, "owner")) for _, group in members(self.root, "groups")}
        # The macros without those of dbt itself.
        self.macros = {name: text for package, text in sorted(
            (string(macro, "package_name") or "", string(macro, "macro_sql") or "") for _, macro in members(self.root, "macros"))
            if package not in ("dbt", f"dbt_{self.dialect}") for name in macro_names(text)}
        # The logged tables by the identifiers of sources.
        self.sources: dict[str, str] = {}
        self.catalog, logged = Catalog(tables), Catalog(tables)
        for identifier, source in members(self.root, "sources"):
            alias = string(source, "name") or ""
            # BigQuery's tables of days: `search__show_*`.
            name = re.sub(r"_?\*$", "", string(source, "identifier") or alias)
            path = re.sub("[`\"]", "", ".".join(filter(None, [string(source, "database"), string(source, "schema"), name]))).lower().split(".")
            # If the qualifiers of all tables differ, the last component decides.
            found = logged.named(path) or [table for _, table in logged.by_name.get(path[-1], [])]
            if found:
                self.sources[identifier] = found[0]
                # `source('logs', 'show')` names the source instead of the table.
                other = f"{string(source, 'source_name')}.{alias}"
                if (alias != name or "." in found[0]) and other not in self.catalog.columns:
                    self.catalog.add(other, found[0])

    def path(self, node: Any) -> str:
        path = re.sub(r"^\./", "", string(node, "original_file_path") or "")
        return path if self.folder in ("", ".") else f"{self.folder}/{path}"

    def files(self) -> Iterator[str]:
        """Returns the files that the manifest contains. A file of macros counts if a node or another macro uses one: those
        of `dbt run-operation` have statements of their own.
        """
        project = string(self.root, "metadata", "project_name")
        used = {name for key in ("nodes", "macros") for _, one in members(self.root, key) for name in texts(one, "depends_on", "macros")}
        for key in ("nodes", "macros", "sources", *self.OTHERS):
            for identifier, node in members(self.root, key):
                # Paths of installed packages are relative to those.
                is_own = project is None or (string(node, "package_name") or project) == project
                if is_own and (key != "macros" or identifier in used):
                    yield self.path(node)

    def consumers(self, source: Any) -> Iterator[Consumer]:
        """Returns the nodes.

        source: Returns the text of a file; nil if it cannot be read.
        """
        nodes = [(identifier, node, self.KINDS.get(string(node, "resource_type") or "")) for identifier, node in members(self.root, "nodes")]
        nodes += [(identifier, node, kind) for key, kind in self.OTHERS.items() for identifier, node in members(self.root, key)]
        for identifier, node, kind in nodes:
            if kind:
                yield self.consumer(identifier, node, kind, source)

    def consumer(self, identifier: str, node: Any, kind: str, source: Any) -> Consumer:
        dependencies = texts(node, "depends_on", "nodes")
        tables = [self.sources[name] for name in dependencies if name in self.sources]
        name = string(node, "name")
        model = string(node, "alias") or name
        owners = (owner(member(node, *keys)) for keys in (("owner",), ("config", "meta", "owner"), ("meta", "owner")))
        result = Consumer(
            kind, string(node, "label") or name or identifier, self.path(node), project=self.project, identifier=identifier,
            names={identifier} | ({model.lower()} if model and kind in ("model", "snapshot") else set()),
            dependencies=set(dependencies), tables=sorted(set(tables)), url=string(node, "url"), owner=next(filter(None, owners), None)
            or self.owners.get(string(node, "group") or string(node, "config", "group") or ""))
        raw, compiled = string(node, "raw_code"), string(node, "compiled_code") or string(node, "compiled_sql")
        if isinstance(member(node, "test_metadata"), dict):
            # The raw code of a generic test is a call of its macro.
            raw = None if compiled is None else ""
            if compiled is None:
                result.is_open = self.has_hidden_reads(node)
                # A column with `quote: true` has the quotes of the adapter.
                column = (string(node, "column_name") or "").strip("\"`")
                # The table of the column is unknown in a test that depends on several tables.
                result.statements = [self.reading(table, column, READS if len(tables) == 1 else COMPUTED)
                                     for table in tables if column]
        if raw is None:
            return result
        text = source(result.file) if raw else None
        at = text.find(raw) if text else -1
        if at >= 0:
            result.start = (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
        elif text is not None and result.file.endswith(".sql"):
            # The file is newer than the manifest.
            raw, compiled = text, None
        result.entry = {"text": raw, "kind": "sql", "model": model, "dialect": self.dialect, "compiled": compiled,
                        "project": self.project}
        return result

    def has_hidden_reads(self, node: Any) -> bool:
        """Whether the macro of a generic test can read more than its column. The tests of package `dbt` read their `where`,
        too.
        """
        return bool(string(node, "config", "where") or string(node, "test_metadata", "namespace") is not None
                    or string(node, "test_metadata", "name") not in ("not_null", "unique", "accepted_values"))

    def reading(self, table: str, column: Optional[str], certainty: str, place: tuple[int, int] = (1, 1)) -> dict[str, Any]:
        return {"uses": [[table, place, [], READS]], "reads": [[0, column, certainty, [place]]], "unknown": [],
                "dependsOnAll": False, "readsUnknown": False, "names": []}

    def finish(self, consumer: Consumer, output: dict[str, Any]) -> None:
        """Adds the statements of a node's code, with places in the file."""
        def in_file(place: tuple[int, int]) -> tuple[int, int]:
            line, column = place
            return line + consumer.start[0] - 1, column + (consumer.start[1] - 1 if line == 1 else 0)

        for statement in output["statements"]:
            consumer.statements.append({
                **statement,
                "uses": [[table, in_file(place), *rest] for table, place, *rest in statement["uses"]],
                "reads": [[*rest, [in_file(place) for place in places]] for *rest, places in statement["reads"]]})
        is_open = consumer.is_open or consumer.entry is not None and not consumer.entry["compiled"] and output["open"]
        for table in consumer.tables:
            places = [use[1] for one in consumer.statements for use in one["uses"] if use[0] == table]
            if is_open or not places:
                consumer.statements.append(self.reading(table, None, COMPUTED, places[0] if places else (1, 1)))
        # The manifest knows the nodes that a node reads. Other relations can be those of consumers.
        consumer.dependencies |= {name for one in output["statements"] for name in one["unknown"]} - self.names


class Consumers:
    """The consumers in files, those whose format is not read, and the dependencies among them."""

    def __init__(self, request: dict[str, Any]):
        self.consumers: list[Consumer] = []
        self.manifests: dict[int, Manifest] = {}
        self.unreadable: list[dict[str, Any]] = []
        files = {os.path.normpath(file["path"]): file for file in request["files"]}
        for file in [file for file in files.values() if file["kind"] == "manifest"]:
            try:
                self.manifests[file["project"]] = Manifest(file, request["tables"])
            except (ValueError, RecursionError) as error:
                message = f"this is not JSON: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)
                self.unreadable.append({
                    "file": file["path"], "line": getattr(error, "lineno", 1), "message": message, "hidesOwners": True})
        contained = {os.path.normpath(path) for manifest in self.manifests.values() for path in manifest.files()}

        def source(path: str) -> Optional[str]:
            text = member(files.get(os.path.normpath(path)), "text")
            if text is None and os.path.isfile(path):
                with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace", newline="") as file:
                    text = file.read()
            # dbt reads CRLF as LF.
            return text and text.replace("\r", "")

        for path, file in files.items():
            if file["kind"] == "manifest":
                self.consumers += self.manifests[file["project"]].consumers(source) if file["project"] in self.manifests else []
            elif path not in contained:
                stem = os.path.basename(path).lstrip(".").split(".")[0]
                entry = {"project": None, **file, "model": stem, "dialect": None, "compiled": None}
                self.consumers.append(Consumer("query", stem, file["path"], entry))

    def document(self, outputs: list[tuple[dict[str, Any], set[str], set[str]]]) -> dict[str, Any]:
        """Returns the consumers that read or define something, with the outputs of their entries."""
        every = {key for _, defines, _ in outputs for key in defines}
        partial = [(key, re.compile(pattern(key))) for key in every if is_partial(key)]
        unread: set[int] = set()
        results = iter(outputs)
        for number, one in enumerate(self.consumers):
            output, defines, refers = next(results) if one.entry else ({"statements": [], "open": False}, set(), set())
            if one.project is not None:
                self.manifests[one.project].finish(one, output)
                continue
            one.statements, one.names, one.possible = output["statements"], defines, matching(refers, every, partial)
            one.dependencies = {name for statement in one.statements for name in statement["unknown"]}
            if output["unread"]:
                unread.add(number)
                self.skip(number, f"it names {', '.join(f'`{name}`' for name in sorted(output['unread']))} outside of SQL that loggen finds")
        self.skip_dependents(unread)
        kept = [one for one in self.consumers if one.statements or one.dependencies or one.possible]
        numbers: dict[str, set[int]] = {}
        for number, one in enumerate(kept):
            for name in one.names:
                numbers.setdefault(name, set()).add(number)
        return {"consumers": [one.document(numbers, number) for number, one in enumerate(kept)], "unreadable": self.unreadable}

    def skip(self, number: int, message: str) -> None:
        self.unreadable.append({"file": self.consumers[number].file, "line": None, "message": message, "hidesOwners": False})

    def skip_dependents(self, unread: set[int]) -> None:
        """Lists the files that name what a consumer defines, if the format of one of them is not read."""
        others = {number for number, one in enumerate(self.consumers) if one.entry and one.entry["kind"] == "other"}
        users: dict[str, list[int]] = {}
        for number, one in enumerate(self.consumers):
            for name in one.dependencies | one.possible:
                users.setdefault(name, []).append(number)
        seen = unread | {number for number, one in enumerate(self.consumers) if any(use["uses"] for use in one.statements)}
        waiting = sorted(seen)
        while waiting:
            number = waiting.pop()
            for name in sorted(self.consumers[number].names):
                for user in users.get(name, []):
                    if user not in seen:
                        seen.add(user)
                        waiting.append(user)
                        if user in others or number in unread:
                            unread.add(user)
                            self.skip(user, f"it names `{name.lstrip('=>?')}`, which `{self.consumers[number].file}` defines")
        for number in others:
            self.consumers[number].possible = set()


def stop(*_: Any) -> None:
    raise TimeoutError


def read(entry: dict[str, Any]) -> tuple[dict[str, Any], set[str], set[str]]:
    return reader.read(entry)


def is_partial(key: str) -> bool:
    """Whether a program computes a part of a name, and the other part identifies it."""
    return bool(MARK.search(key)) and len(MARK.sub("", key)) > 1


def matching(keys: set[str], defined: set[str], partial: list[tuple[str, Any]]) -> set[str]:
    """Returns the keys of definitions that references can have."""
    found = keys & defined
    for key in keys:
        if is_partial(key):
            found |= {other for other in defined if re.fullmatch(pattern(key), other)}
        found |= {other for other, matcher in partial if matcher.fullmatch(key)}
    return found


logging.disable(logging.CRITICAL)
sys.setrecursionlimit(6_000)
request = json.load(sys.stdin)
found = Consumers(request)
entries = [one.entry for one in found.consumers if one.entry]
# The start of Python takes longer than most inputs, so modules are imported as needed.
if any(re.search(r"\{[{%#]", entry["text"]) for entry in entries if entry["kind"] not in ("code", "other")):
    try:
        import jinja2
        import jinja2.ext
        import jinja2.sandbox
    except ImportError:
        sys.exit(4)
reader = Reader(request.get("dialect"), found.manifests, request["tables"], entries)
signal.signal(signal.SIGALRM, stop)
with contextlib.suppress(ValueError, OSError):
    resource.setrlimit(resource.RLIMIT_AS, (BYTES_PER_PROCESS, BYTES_PER_PROCESS))
with contextlib.ExitStack() as stack:
    processes = min(os.cpu_count() or 1, len(entries) // 16 + 1)
    results: Iterator[Any] = map(read, entries)
    if processes > 1:
        import concurrent.futures
        import multiprocessing
        pool = stack.enter_context(concurrent.futures.ProcessPoolExecutor(
            processes, mp_context=multiprocessing.get_context("fork")))
        results = pool.map(read, entries, chunksize=min(64, len(entries) // processes // 4 + 1))
    outputs = []
    for number, result in enumerate(results):
        outputs.append(result)
        if request["showsProgress"] and number % 50 == 0:
            print(f"\rreading consumers: {number} of {len(entries)}", end="", file=sys.stderr, flush=True)
document = json.dumps(found.document(outputs), ensure_ascii=False)
# A manifest can have half of a surrogate pair.
sys.stdout.buffer.write(document.encode("utf-8", "replace"))
if request["showsProgress"]:
    print("\r\033[K", end="", file=sys.stderr, flush=True)
