#!/usr/bin/env python3
"""Tests `loggen lsp` over standard input and output, like an editor. Each answer has a time limit.

Parts: features, edits, speed, memory, hostile, neovim; the default is all.
- features: pytest-lsp's client with every feature, in UTF-16 and UTF-8 (lsp_features.py);
- edits: random edits, each followed by a comparison of the diagnostics with those of `loggen lint`;
- speed: the time from a change to its diagnostics, in a folder of 1,000 files;
- memory: the server's memory over 10,000 edits;
- hostile: clients that break the protocol;
- neovim: Debian's neovim, without a screen (lsp.lua).
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAMPLE = ROOT / "Definitions"
LIMIT = 30  # seconds for one answer: only a server that hangs takes as long
failures = []


def check(condition, what, seen=None):
    if condition:
        print("ok      " + what, flush=True)
    else:
        print("FAILED  " + what + ("" if seen is None else f": {shortened(seen)}"), flush=True)
        failures.append(what)
    return bool(condition)


def shortened(value, most=1500):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= most else text[:most] + " …"


# Positions as in the protocol: lines end with LF, CRLF or CR, and characters are counted in units of the encoding.

LINE_END = re.compile("\r\n|\n|\r")


def width(text, encoding):
    """Returns the length of a text in units of an encoding."""
    return len(text.encode("utf-16-le")) // 2 if encoding == "utf-16" else len(text.encode("utf-8"))


def line_starts(text):
    return [0] + [match.end() for match in LINE_END.finditer(text)]


def position(text, offset, encoding):
    """Returns the position of a scalar. A place between CR and LF becomes the one before CR."""
    if 0 < offset < len(text) and text[offset - 1] == "\r" and text[offset] == "\n":
        offset -= 1
    before = text[:offset]
    starts = line_starts(before)
    # A CR at the end of `before` ends a line, because no LF follows.
    return {"line": len(starts) - 1, "character": width(before[starts[-1]:], encoding)}


def offset(text, place, encoding):
    """Returns the scalar offset of a position, which must exist."""
    starts = line_starts(text)
    assert place["line"] < len(starts), f"line {place['line']} does not exist"
    at = starts[place["line"]]
    count = 0
    while count < place["character"]:
        assert at < len(text) and text[at] not in "\r\n", f"character {place['character']} of line {place['line']} does not exist"
        count += width(text[at], encoding)
        at += 1
    assert count == place["character"], f"character {place['character']} of line {place['line']} is inside a scalar"
    return at


def applied(text, edits, encoding):
    """Applies edits, whose ranges all refer to the original text."""
    spans = sorted(((offset(text, e["range"]["start"], encoding), offset(text, e["range"]["end"], encoding), e["newText"]) for e in edits), key=lambda s: s[:2])
    for one, following in zip(spans, spans[1:]):
        assert one[1] <= following[0], "edits overlap"
    for begin, end, new in reversed(spans):
        assert begin <= end, "a range ends before it begins"
        text = text[:begin] + new + text[end:]
    return text


def lines(text):
    return LINE_END.split(text)


def uri(path):
    return "file://" + urllib.parse.quote(str(path))


def path_of(text):
    return urllib.parse.unquote(urllib.parse.urlsplit(text).path)


class Server:
    """A running `loggen lsp` with a client that follows the protocol by default."""

    def __init__(self, *folders, encodings=None, start=True, environment=None, capabilities=None):
        self.process = subprocess.Popen(
            [options.loggen, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})}, cwd=options.folder)
        self.changed = threading.Condition()
        # The reading thread answers the server's requests, but not while a message is being sent in pieces.
        self.writing = threading.RLock()
        self.answers, self.published, self.requests, self.notes = {}, {}, [], []
        self.ended = False
        self.broken = None
        self.error = b""
        self.number = 0
        self.last_published = 0
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.read_error, daemon=True).start()
        self.folders = [pathlib.Path(f) for f in folders]
        self.encoding = "utf-16"
        if start:
            self.initialize(encodings, capabilities)

    def initialize(self, encodings=None, capabilities=None):
        wanted = {
            "textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}, "synchronization": {"didSave": True}},
            "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True},
            **(capabilities or {}),
        }
        if encodings:
            wanted["general"] = {"positionEncodings": encodings}
        result = self.request("initialize", {
            "processId": os.getpid(), "rootUri": uri(self.folders[0]) if self.folders else None, "capabilities": wanted,
            "workspaceFolders": [{"uri": uri(f), "name": f.name} for f in self.folders] or None,
        })
        self.encoding = result["capabilities"].get("positionEncoding") or "utf-16"
        self.notify("initialized", {})
        return result

    # MARK: Reading

    def read(self):
        stream = self.process.stdout
        try:
            while True:
                length, any_header = None, False
                while True:
                    header = stream.readline()
                    if not header:
                        if any_header:
                            self.broken = "the output ends inside a header"
                        return
                    any_header = True
                    if header == b"\r\n":
                        break
                    if not header.endswith(b"\r\n"):
                        self.broken = f"a header without CRLF: {header[:200]}"
                        return
                    name, _, value = header.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if length is None:
                    self.broken = "a message without Content-Length"
                    return
                body = stream.read(length)
                if len(body) != length:
                    self.broken = "the output ends inside a message"
                    return
                self.receive(json.loads(body.decode("utf-8")))
        except Exception as error:
            self.broken = f"the output cannot be read: {error!r}"
        finally:
            with self.changed:
                self.ended = True
                self.changed.notify_all()

    def read_error(self):
        self.error = self.process.stderr.read()

    def receive(self, message):
        now = time.monotonic()
        if message.get("jsonrpc") != "2.0":
            self.broken = f"not JSON-RPC 2.0: {message}"
        with self.changed:
            if "method" not in message:
                if ("result" in message) == ("error" in message):
                    self.broken = f"an answer needs a result or an error: {message}"
                self.answers[json.dumps(message.get("id"))] = message
            elif "id" in message:
                self.requests.append(message)
            elif message["method"] == "textDocument/publishDiagnostics":
                parameters = message["params"]
                self.published[parameters["uri"]] = (parameters.get("version"), parameters["diagnostics"], now)
                self.last_published = now
            else:
                self.notes.append(message)
            self.changed.notify_all()
        if "method" in message and "id" in message:
            known = ("client/registerCapability", "client/unregisterCapability", "window/workDoneProgress/create")
            if message["method"] in known:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            elif message["method"] == "workspace/configuration":
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": [None for _ in message["params"]["items"]]})
            else:
                self.send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "unknown"}})

    # MARK: Writing

    def raw(self, data):
        try:
            with self.writing:
                self.process.stdin.write(data)
                self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass

    def send(self, message):
        body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, parameters=None):
        self.send({"jsonrpc": "2.0", "method": method, **({} if parameters is None else {"params": parameters})})

    def ask(self, method, parameters=None, identifier=None):
        """Sends a request and returns its id."""
        if identifier is None:
            self.number += 1
            identifier = self.number
        self.send({"jsonrpc": "2.0", "id": identifier, "method": method, **({} if parameters is None else {"params": parameters})})
        return identifier

    def wait(self, condition, seconds=LIMIT):
        with self.changed:
            return self.changed.wait_for(lambda: self.ended or condition(), seconds) and condition()

    def answer(self, identifier, seconds=LIMIT):
        """Returns the whole answer to a request; None after the timeout."""
        key = json.dumps(identifier)
        self.wait(lambda: key in self.answers, seconds)
        return self.answers.pop(key, None)

    def request(self, method, parameters=None):
        answer = self.answer(self.ask(method, parameters))
        if answer is None:
            raise AssertionError(f"{method} is not answered; {self.state()}")
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def code(self, method, parameters=None, identifier=None):
        """Returns the error code of the answer to a request; 0 for a result."""
        answer = self.answer(self.ask(method, parameters, identifier))
        return None if answer is None else answer.get("error", {}).get("code", 0)

    def open(self, path, text, version=1, name=None):
        self.notify("textDocument/didOpen", {"textDocument": {"uri": name or uri(path), "languageId": "markdown", "version": version, "text": text}})

    def change(self, path, version, *changes, name=None):
        self.notify("textDocument/didChange", {"textDocument": {"uri": name or uri(path), "version": version}, "contentChanges": list(changes)})

    def diagnostics(self, path, version=None, seconds=LIMIT):
        """Returns the newest diagnostics of a document, at least of this version; None after the timeout."""
        key = uri(path)
        if not self.wait(lambda: key in self.published and (version is None or (self.published[key][0] or 0) >= version), seconds):
            return None
        return self.published[key]

    # MARK: Ending

    def alive(self):
        return self.process.poll() is None

    def state(self):
        time.sleep(0.2)
        code = self.process.poll()
        return f"{'running' if code is None else f'exit code {code}'}{', ' + self.broken if self.broken else ''}; {self.error[-500:].decode(errors='replace')}"

    def end(self, shut_down=True):
        """Ends the server with a shutdown or by closing standard input. Returns the exit code."""
        if shut_down and self.alive():
            self.ask("shutdown")
            self.answer(self.number)
            self.notify("exit")
        return self.closed()

    def closed(self):
        try:
            self.process.stdin.close()
        except OSError:
            pass
        return self.exit_code()

    def exit_code(self, seconds=LIMIT):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "hangs"

    def processor(self):
        """Returns the processor time in seconds."""
        ticks = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()[11:13]
        return sum(int(tick) for tick in ticks) / os.sysconf("SC_CLK_TCK")

    def memory(self, which="VmRSS"):
        """Returns the memory in MB."""
        lines = [line for line in open(f"/proc/{self.process.pid}/status") if line.startswith(which + ":")]
        return sum(int(line.split()[1]) for line in lines) / 1024


def fresh(name):
    """Creates an empty folder."""
    folder = pathlib.Path(options.folder) / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


def sample(folder):
    """Copies the sample's definitions, without generated files."""
    for file in SAMPLE.iterdir():
        if file.suffix in (".md", ".yml", ".lock"):
            shutil.copy(file, folder / file.name)
    return folder


def linted(folder, texts, encoding):
    """Returns the problems of `loggen lint`: file, severity, rule, line, character, message, and the optional end."""
    result = subprocess.run(
        [options.loggen, "lint", folder.name, "--diagnostics", "json"], cwd=folder.parent, capture_output=True, timeout=120)
    if result.returncode not in (0, 1):
        raise AssertionError(f"lint: exit code {result.returncode}: {result.stderr.decode(errors='replace')[:500]}")
    found = collections.Counter()
    for line in result.stdout.decode().splitlines():
        problem = json.loads(line)
        name = problem["file"].removeprefix(folder.name + "/")
        text = texts[name]
        # Columns do not count a byte order mark, but characters do, because the client sent it.
        mark = text.startswith("\ufeff") and problem["line"] == 1
        source = lines(text)[problem["line"] - 1].removeprefix("\ufeff" if mark else "")
        at = lambda column: width(source[:column - 1], encoding) + (width("\ufeff", encoding) if mark else 0)
        end = at(problem["endColumn"]) if problem["endColumn"] > problem["column"] else None
        found[(name, problem["severity"], problem["rule"], problem["line"] - 1, at(problem["column"]), end, problem["message"])] += 1
    return found


def told(server, folder, expected=None):
    """Returns the published diagnostics of a folder, in the form of `linted`."""
    found = collections.Counter()
    ends = {(key[:5] + key[6:]) for key in expected or () if key[5] is None}
    with server.changed:
        published = dict(server.published)
    for name, (_, diagnostics, _) in published.items():
        file = os.path.relpath(path_of(name), folder)
        for one in diagnostics:
            if one.get("source") != "loggen":
                continue
            start, end = one["range"]["start"], one["range"]["end"]
            severity = {1: "error", 2: "warning"}.get(one.get("severity"))
            key = (file, severity, one.get("code"), start["line"], start["character"])
            message = one["message"].split("\n")[0]
            # The server may choose the width of an empty range.
            last = None if key + (message,) in ends else end["character"] if end["line"] == start["line"] else ("line", end["line"])
            found[key + (last, message)] += 1
    return found


# MARK: Random edits

WORDS = [
    "int64", "string(256)", "ListOrder", "RecipeID", "[string(64); 1...10]", "int(0...)?", "enum(newest, popular)", "decimal(10, 2)", "bool", "text", "Listorder", "strng",
    "column", "type", "description", "カラム", "型", "説明", "key", "value", "キー", "値", "event", "owner", "担当", "trigger", "発火条件", "privacy", "個人情報", "platforms",
    "impression(80%, 2s)", "tap(A.b)", "screen", "use search", "ios, android", "2027-03-31", "10%", "recipe_id", "position", "keyword", "user_id", "event_id",
    "search", "show_recipe", "~~", "[obsolete] ", "# ", "## ", "### ", "`", "``` ", "| ", " |", "| --- | --- |", "---", "- a: !integer\n", "> ", "<!--", "-->", "<div>\n", "\\|",
]
CHARACTERS = "|`#-~?()[],.;:_*\\/<>&! \tazAZ09" + "あ漢字ー|#?、。" + "😀👩‍👩‍👧🇯🇵\u0301\u3099\u200d\u00a0\u2028\u0085\ufeff\u202e"


class Mirror:
    """A client's copy of the documents of a folder, some of which are open."""

    def __init__(self, server, folder, copy, dice):
        self.server, self.folder, self.copy, self.dice = server, folder, copy, dice
        # Read as bytes, because universal newlines would lose CR.
        self.disk = {f.name: f.read_bytes().decode() for f in folder.iterdir()}
        self.texts = dict(self.disk)
        self.versions = {}
        self.undo = []
        write(copy, self.texts)

    def documents(self):
        return sorted(name for name in self.texts if name.endswith(".md") and name != "README.md")

    def open(self, name):
        self.version(name)
        # Versions begin again, so diagnostics from an earlier time when the document was open do not count.
        key = uri(self.folder / name)
        with self.server.changed:
            if key in self.server.published:
                self.server.published[key] = (None, *self.server.published[key][1:])
        self.server.open(self.folder / name, self.texts[name], self.versions[name])

    def version(self, name):
        # Versions only have to increase.
        self.versions[name] = self.versions.get(name, 0) + self.dice.choice((1, 1, 1, 5))

    def close(self, name):
        del self.versions[name]
        self.put(name, self.disk[name])
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": uri(self.folder / name)}})

    def put(self, name, text):
        self.texts[name] = text
        (self.copy / name).write_bytes(text.encode())

    def replace(self, text, begin, end, new):
        """Returns the change and the resulting text. Places between CR and LF move before CR, like their positions."""
        inside = lambda at: at - 1 if 0 < at < len(text) and text[at - 1] == "\r" and text[at] == "\n" else at
        begin, end = inside(begin), inside(end)
        encoding = self.server.encoding
        change = {"range": {"start": position(text, begin, encoding), "end": position(text, end, encoding)}, "text": new}
        if self.dice.random() < 0.2:  # the member is deprecated, but may be sent
            change["rangeLength"] = width(text[begin:end], encoding)
        return change, text[:begin] + new + text[end:]

    def change(self, name, *changes, text):
        self.version(name)
        self.put(name, text)
        self.server.change(self.folder / name, self.versions[name], *changes)

    def edit(self):
        """Makes a random edit of an open document. Returns its name and the kind of edit."""
        dice = self.dice
        name = dice.choice(sorted(self.versions))
        text = self.texts[name]
        kind = dice.choices(
            ["insert", "delete", "word", "line", "lines", "cell", "restore", "undo", "several", "ends", "whole", "mark"],
            [20, 15, 15, 6, 5, 15, 4, 12, 10, 1, 1, 1])[0]
        if kind == "restore" or len(text) > 40_000:
            # The whole text by a range.
            change, new = self.replace(text, 0, len(text), self.disk[name])
            self.change(name, change, text=new)
        elif kind == "whole":
            new = self.disk[name]
            self.change(name, {"text": new}, text=new)
        elif kind == "ends":
            new = dice.choice(("\n", "\r\n", "\r")).join(lines(text))
            self.change(name, {"text": new}, text=new)
        elif kind == "undo" and self.undo and self.undo[-1][0] in self.versions:
            name, old = self.undo.pop()
            text = self.texts[name]
            change, new = self.replace(text, 0, len(text), old) if dice.random() < 0.3 else self.smallest(text, old)
            self.change(name, change, text=new)
        elif kind == "several":
            changes, new = [], text
            for _ in range(dice.randint(2, 5)):
                change, new = self.one(new, dice.choice(["insert", "delete", "word", "line", "cell"]))
                changes.append(change)
            self.remember(name, text)
            self.change(name, *changes, text=new)
        elif kind == "mark":
            change, new = self.replace(text, 0, 1, "") if text.startswith("\ufeff") else self.replace(text, 0, 0, "\ufeff")
            self.remember(name, text)
            self.change(name, change, text=new)
        else:
            change, new = self.one(text, kind)
            self.remember(name, text)
            self.change(name, change, text=new)
        return name, kind

    def remember(self, name, text):
        self.undo = (self.undo + [(name, text)])[-20:]

    def smallest(self, text, new):
        """Returns the change for the part that differs."""
        begin = 0
        while begin < min(len(text), len(new)) and text[begin] == new[begin]:
            begin += 1
        rest = 0
        while rest < min(len(text), len(new)) - begin and text[-1 - rest] == new[-1 - rest]:
            rest += 1
        end = len(text) - rest
        split = lambda at, in_text: 0 < at < len(in_text) and in_text[at - 1] == "\r" and in_text[at] == "\n"
        if split(begin, text) or split(end, text) or split(begin, new) or split(len(new) - rest, new):
            return self.replace(text, 0, len(text), new)
        return self.replace(text, begin, end, new[begin:len(new) - rest])

    def one(self, text, kind):
        dice = self.dice
        at = dice.randint(0, len(text))
        if kind == "insert":
            new = dice.choice((dice.choice(CHARACTERS), dice.choice(CHARACTERS), dice.choice(("\n", "\r\n", "\r", "\n\n", "|", "| a | b |\n", "😀", "が"))))
            return self.replace(text, at, at, new)
        if kind == "delete":
            return self.replace(text, at, min(len(text), at + dice.choice((1, 1, 1, 2, 5, 20))), "")
        if kind == "word":
            words = [m.span() for m in re.finditer(r"[\w()~.]+", text)] or [(at, at)]
            begin, end = dice.choice(words)
            return self.replace(text, begin, end, dice.choice(WORDS))
        if kind == "cell":
            cells = [m.span(1) for m in re.finditer(r"\|([^|\r\n]*)(?=\|)", text)] or [(at, at)]
            begin, end = dice.choice(cells)
            how = dice.random()
            if how < 0.5:
                return self.replace(text, begin, end, dice.choice((" ", "")) + dice.choice(WORDS + [""]).replace("\n", "") + " ")
            if how < 0.75:
                return self.replace(text, begin, min(len(text), end + 1), "")
            return self.replace(text, begin, begin, " " + dice.choice(WORDS).replace("\n", "") + " |")
        # Lines are deleted, duplicated, or moved.
        spans = [m.span() for m in re.finditer(r"[^\r\n]*(?:\r\n|\n|\r|$)", text)]
        begin, end = dice.choice(spans)
        if kind == "lines":
            end = min(len(text), end + dice.randint(0, 200))
        how = dice.random()
        if how < 0.4:
            return self.replace(text, begin, end, "")
        other = dice.choice(spans)[0]
        return self.replace(text, begin, begin, text[begin:end]) if how < 0.7 else self.replace(text, other, other, text[begin:end])


class Questions:
    """Requests at random places between edits. Each is answered, and formatting equals that of `loggen format`."""

    def __init__(self, server, mirror, dice, folder):
        self.server, self.mirror, self.dice, self.folder = server, mirror, dice, folder
        self.count = self.formatted = 0
        self.wrong = []

    def ask(self, number):
        dice, texts = self.dice, self.mirror.texts
        name = dice.choice(sorted(self.mirror.versions))
        text = texts[name]
        document = {"textDocument": {"uri": uri(self.mirror.folder / name)}}
        # Most requests are at cells and headings, which have results.
        places = [m.start() for m in re.finditer(r"(?<=[|#`] )\S|(?<=[\w(\[])\b", text)] + [dice.randint(0, len(text))]
        there = {"position": position(text, dice.choice(places), self.server.encoding)}
        options_ = {"options": {"tabSize": 4, "insertSpaces": True}}
        for method, more in (
            ("completion", there), ("definition", there), ("references", {**there, "context": {"includeDeclaration": dice.random() < 0.5}}),
            ("prepareRename", there), ("rename", {**there, "newName": dice.choice(("ResultOrder", "ListOrder", "int", "ばつ", ""))}),
            ("onTypeFormatting", {**there, **options_, "ch": dice.choice("|\n")}),
            ("codeAction", {"range": {"start": {"line": 0, "character": 0}, "end": position(text, len(text), self.server.encoding)}, "context": {"diagnostics": []}}),
        ):
            self.count += 1
            answer = self.server.answer(self.server.ask("textDocument/" + method, {**document, **more}))
            code = None if answer is None else answer.get("error", {}).get("code", 0)
            if code not in (0, -32602, -32803) or code and method not in ("rename", "prepareRename"):
                self.wrong.append((number, name, method, more, answer))
            elif method == "onTypeFormatting":
                applied(text, answer["result"] or [], self.server.encoding)
        if number % 10:
            return
        self.formatted += 1
        edits = self.server.request("textDocument/formatting", {**document, **options_}) or []
        for file, content in texts.items():
            (self.folder / file).write_bytes(content.encode())
        # `loggen format` refuses to write if loggen.yml names a deleted column. The language server formats anyway.
        (self.folder / "loggen.yml").write_text("")
        subprocess.run([options.loggen, "format", self.folder.name + "/" + name], cwd=self.folder.parent, capture_output=True, timeout=60)
        wanted = (self.folder / name).read_bytes().decode()
        if (found := applied(text, edits, self.server.encoding)) != wanted:
            kept = pathlib.Path(options.folder) / f"format-{self.server.encoding}-{number}"
            write(kept, {**texts, name + ".wanted": wanted, name + ".found": found})
            self.wrong.append((number, name, f"formatting differs from the command's; the folder is in {kept}"))


def difference(expected, found):
    missing, extra = expected - found, found - expected
    return f"lint reports {sorted(missing.items(), key=repr)[:5]}, the server {sorted(extra.items(), key=repr)[:5]} ({sum(missing.values())}, {sum(extra.values())})"


def edits():
    for encoding in ("utf-16", "utf-8"):
        seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
        print(f"        {options.edits} edits in {encoding}, --seed {seed}", flush=True)
        dice = random.Random(seed)
        folder, copy = sample(fresh("edits")), fresh("edited")
        (folder / "README.md").unlink()
        # Another test compares the lock file. Two rules are enabled here.
        (folder / "loggen.yml").write_text("sampling-key: user_id\nrules:\n  require-owner: warning\n  require-description: warning\n")
        server = Server(folder, encodings=[encoding, "utf-16"])
        check(server.encoding == encoding, f"{encoding} is taken if it is offered", server.encoding)
        mirror = Mirror(server, folder, copy, dice)
        for name in ("types.md", "common.md", "recipe_search.md", "recipe_detail.md", "video_playback.md"):
            mirror.open(name)
        questions = Questions(server, mirror, random.Random(seed), fresh("formatted"))
        counts, shown, wrong, waits = collections.Counter(), collections.Counter(), 0, []
        for number in range(options.edits):
            before = dict(mirror.texts)
            roll = dice.random()
            closed = [n for n in mirror.documents() if n not in mirror.versions]
            if roll < 0.01 and len(mirror.versions) > 3:
                name, kind = dice.choice(sorted(mirror.versions)), "close"
                mirror.close(name)
            elif roll < 0.03 and closed:
                name, kind = dice.choice(closed), "open"
                mirror.open(name)
            else:
                name, kind = mirror.edit()
            begin = time.monotonic()
            counts[kind] += 1
            if name in mirror.versions:
                newest = server.diagnostics(folder / name, mirror.versions[name])
                if newest is None:
                    check(False, f"edit {number} ({kind} in {name}): its diagnostics come, with its version", server.state())
                    break
                if newest[0] != mirror.versions[name]:
                    check(False, f"edit {number}: the version is {mirror.versions[name]}, and {newest[0]} is published")
                waits.append(newest[2] - begin)
            expected = linted(copy, mirror.texts, server.encoding)
            if number % 5 == 0 and not questions.wrong:
                try:
                    questions.ask(number)
                except AssertionError as error:
                    questions.wrong.append((number, str(error)))
            # The other files of the folder are updated.
            same = server.wait(lambda: told(server, folder, expected) == expected, 10)
            shown.update(key[2] for key in expected)
            if not same:
                wrong += 1
                kept = pathlib.Path(options.folder) / f"edit-{encoding}-{number}"
                for part, texts in (("before", before), ("after", mirror.texts)):
                    shutil.rmtree(kept / part, ignore_errors=True)
                    write(kept / part, texts)
                check(False, f"edit {number} ({kind} in {name}; the folders are in {kept})", difference(expected, told(server, folder, expected)))
                if wrong == 5 or not server.alive():
                    break
        check(not wrong and sum(counts.values()) == options.edits, f"{sum(counts.values())} edits: the published diagnostics are those of `loggen lint`", server.state())
        check(not questions.wrong, f"{questions.count} questions between them are answered, and {questions.formatted} documents formatted as `loggen format` does", questions.wrong)
        print(f"        {dict(counts)}; {len(shown)} rules: {dict(shown.most_common())}; open: {sorted(mirror.versions)}")
        check(options.edits < 500 or len(shown) > 20, "the edits broke more than 20 rules")
        check(server.end() == 0, "it ends", server.state())


# MARK: Speed

FEATURES = ["search", "detail", "posting", "feed", "profile", "settings", "purchase", "video", "comment", "share"]


def many(folder, count):
    """Returns definitions as in large teams: five events per file, with shared types, in two languages."""
    files = {"types.md": "# 共通の型 `types`\n", "common.md": "# 共通 `common`\n\n| column | type |\n| --- | --- |\n| user_id | int64? |\n| session_id | uuid |\n"}
    for number in range(40):
        files["types.md"] += f"\n## Kind{number}\n\n種類 {number}。\n\n| value | description |\n| --- | --- |\n" + "".join(f"| v{v} | 値 {v} |\n" for v in range(6))
        files["types.md"] += f"\n## Code{number}: string({number + 10})\n\n符号。\n"
    for number in range(count - 2):
        name = f"{FEATURES[number % 10]}_{number}"
        text = f"# 機能 {number} `{name}`\n\n画面 {number} のログ。\n\n| key | value |\n| --- | --- |\n| owner | @team-{number % 17} |\n"
        for event in range(5):
            trigger = ["screen", "show", "impression(80%, 2s)", "tap(RecipeViewController.saveButton)", "impression"][event]
            text += f"\n## 操作 {event} `act_{event}`\n\n利用者が操作した。`{FEATURES[(number + 1) % 10]}_{(number + 1) % (count - 2)}.act_{event}` の前。\n\n"
            text += f"| key | value |\n| --- | --- |\n| trigger | {trigger} |\n\n"
            text += "| column | type | description | example |\n| --- | --- | --- | --- |\n"
            text += f"| recipe_id | int64 | レシピのID | `42` |\n| kind_{number % 40} | Kind{number % 40} | 種類 | `v1` |\n"
            text += f"| code_{(number + event) % 40} | Code{(number + event) % 40}? | 符号 | |\n| tags | [string(64); 0...10] | 付いた印 | |\n| position | int(0...) | 位置 | |\n"
        files[f"{name}.md"] = text
    return write(folder, files)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] * 1000


def keystrokes(server, folder, name, text, count, version, dice, rest=0.0, every=None):
    """Types characters into a document and deletes them again.

    Returns the last version of the text, and the time from each change to its diagnostics with its place.
    """
    path = folder / name
    waits = []
    places = {
        "a type": [m.end() for m in re.finditer(r"\| (?:int64|string\(\d+\)|Kind\d+|RecipeID|ListOrder)", text)],
        "a description": [m.end() for m in re.finditer("レシピ|種類|印", text)],
        "a name": [m.end() for m in re.finditer(r"\| (?:recipe_id|tags|position)", text)],
        "text": [m.end() for m in re.finditer("。", text)],
        "a heading": [m.end(1) for m in re.finditer("^## ([^`\r\n]*)", text, re.M)],
    }
    places = [(kind, at) for kind, at in places.items() if at]
    for number in range(count // 2):
        kind, at = dice.choice(places)
        at = dice.choice(at)
        letter = dice.choice("xあ😀1|")
        with_it = text[:at] + letter + text[at:]
        there, behind = position(text, at, server.encoding), position(with_it, at + 1, server.encoding)
        for change in ({"range": {"start": there, "end": there}, "text": letter}, {"range": {"start": there, "end": behind}, "text": ""}):
            version += 1
            begin = time.monotonic()
            server.change(path, version, change)
            newest = server.diagnostics(path, version)
            if newest is None:
                raise AssertionError(f"a change is not answered: {server.state()}")
            waits.append((newest[2] - begin, f"{letter!r} in {kind}, line {there['line'] + 1}"))
            if rest:
                time.sleep(rest)
        if every:
            every(number, there)
    return version, waits


def speed():
    count = 1000
    folder, copy = many(fresh("many"), count), many(fresh("many-copy"), count)
    texts = {f.name: f.read_bytes().decode() for f in folder.iterdir()}
    dice = random.Random(options.seed or 1)
    begin = time.monotonic()
    server = Server(folder)
    names = ["search_0.md", "types.md", "feed_503.md", "share_909.md"]
    for name in names:
        server.open(folder / name, texts[name])
        server.diagnostics(folder / name, 1)
    print(f"        {count} files, {sum(t.count('## ') for t in texts.values())} events and types; first diagnostics after {time.monotonic() - begin:.2f} s", flush=True)
    waits, slowest = {}, []
    before = server.processor()
    for name in names:
        _, timed = keystrokes(server, folder, name, texts[name], options.keystrokes // len(names), 1, dice, rest=0.02)
        waits[name] = [wait for wait, _ in timed]
        slowest += [(wait, name, place) for wait, place in timed]
    used = server.processor() - before
    everything = [w for list in waits.values() for w in list]
    for name, list in waits.items():
        print(f"        {name}: p50 {percentile(list, .5):.1f} ms, p99 {percentile(list, .99):.1f} ms", flush=True)
    for wait, name, place in sorted(slowest, reverse=True)[:3]:
        print(f"        slowest: {wait * 1000:.1f} ms, {name}, {place}", flush=True)
    place = {"textDocument": {"uri": uri(folder / names[0])}, "position": position(texts[names[0]], texts[names[0]].index("Kind0") + 2, server.encoding)}
    for method in ("completion", "references"):
        times = []
        for _ in range(20):
            begin = time.monotonic()
            server.request("textDocument/" + method, {**place, "context": {"includeDeclaration": True}} if method == "references" else place)
            times.append(time.monotonic() - begin)
        print(f"        {method}: p50 {percentile(times, .5):.1f} ms, at most {max(times) * 1000:.1f} ms", flush=True)
    p50, p99, most = percentile(everything, .5), percentile(everything, .99), max(everything) * 1000
    print(f"        {len(everything)} keystrokes: p50 {p50:.1f} ms, p99 {p99:.1f} ms, at most {most:.1f} ms; processor {used / len(everything) * 1000:.1f} ms each; memory {server.memory():.0f} MB", flush=True)
    if options.strict:
        check(p99 < 50, "p99 is below 50 ms", f"{p99:.1f} ms")
    # The final diagnostics are right.
    path, text = folder / "types.md", texts["types.md"].replace("## Kind7\n", "## Kindd7\n")
    server.change(path, 9999, {"text": text})
    write(copy, {"types.md": text})
    texts["types.md"] = text
    expected = linted(copy, texts, server.encoding)
    check(len(expected) > 20 and server.wait(lambda: told(server, folder, expected) == expected, 60),
          f"a type that is renamed is missed in all its files ({len(expected)} problems)", difference(expected, told(server, folder, expected)))
    check(server.end() == 0, "it ends", server.state())


def memory():
    folder = sample(fresh("memory"))
    names = ["recipe_search.md", "types.md", "recipe_detail.md", "common.md"]
    texts = {name: (folder / name).read_bytes().decode() for name in names}
    server = Server(folder)
    versions = {name: 1 for name in names}
    for name in names:
        server.open(folder / name, texts[name])
    dice = random.Random(options.seed or 1)
    seen = []
    rounds = 20
    for number in range(rounds):
        for name in names:
            path = folder / name

            def ask(count, place):
                if count % 10 == 0:
                    document = {"textDocument": {"uri": uri(path)}}
                    for method, more in (("completion", {"position": place}), ("definition", {"position": place}),
                                         ("formatting", {"options": {"tabSize": 4, "insertSpaces": True}})):
                        server.request("textDocument/" + method, {**document, **more})

            versions[name], _ = keystrokes(server, folder, name, texts[name], options.changes // rounds // len(names), versions[name], dice, every=ask)
        seen.append(server.memory())
    print(f"        memory after each {options.changes // rounds} edits: {', '.join(f'{m:.0f}' for m in seen)} MB; at most {server.memory('VmHWM'):.0f} MB", flush=True)
    early, late = max(seen[:2]), max(seen[-2:])
    check(late - early < 20, f"{options.changes} edits: memory grows by less than 20 MB after the first tenth ({late - early:+.0f} MB)")
    check(server.end() == 0, "it ends", server.state())


# MARK: Clients that break the protocol


def quietly(server, what, wanted):
    """Checks that the server has exited with the wanted code and without a crash message."""
    code = server.exit_code()
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    time.sleep(0.05)
    text = server.error.decode(errors="replace")
    return check(code in wanted and not re.search("Fatal error|Crash|SIG|terminated by|Backtrace|Program crashed", text) and not server.broken,
                 f"{what}: exit code {' or '.join(map(str, wanted))}", f"{code}, {server.broken}, {text[-800:]}")


# A request that is answered without a document.
PING = ("textDocument/definition", {"textDocument": {"uri": "file:///nowhere.md"}, "position": {"line": 0, "character": 0}})


def answers_still(server, what):
    """Checks that the server still answers a request."""
    answer = server.answer(server.ask(*PING))
    return check(answer is not None and "result" in answer, f"{what}: the next request is answered", f"{answer}; {server.state()}")


def hostile():
    for part in (framing, bodies, lifecycle, parameters, documents, names, folders):
        print(f"    {part.__name__}", flush=True)
        try:
            part()
        except Exception as error:
            check(False, f"hostile, {part.__name__}", repr(error))


def framing():
    folder = write(fresh("framing"), {"search.md": "# search\n\n## show\n"})
    body = json.dumps({"jsonrpc": "2.0", "id": "late", "method": PING[0], "params": PING[1]}).encode()

    def good(data, what):
        """Checks that bytes contain a request that is answered."""
        server = Server(folder)
        server.raw(data)
        answer = server.answer("late", 20)
        check(answer is not None and "result" in answer, f"{what}: understood", f"{answer}; {server.state()}")
        check(server.end() == 0, f"{what}: it ends", server.state())

    good(b"content-length: %d\r\n\r\n%s" % (len(body), body), "a header in small letters")
    good(b"Content-Length:%d\r\n\r\n%s" % (len(body), body), "no blank after the colon")
    good(b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body), "a content type first")
    good(b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\nX-More: a: b\r\n\r\n%s" % (len(body), body), "more headers")
    padded = b" \t\n" * 5000 + body + b"\n"
    good(b"Content-Length: %d\r\n\r\n%s" % (len(padded), padded), "blanks around the JSON")

    server = Server(folder)
    with server.writing:
        for byte in b"Content-Length: %d\r\n\r\n%s" % (len(body), body):
            server.raw(bytes([byte]))
    check("result" in (server.answer("late") or {}), "byte for byte", server.state())
    server.raw((b"Content-Length: %d\r\n\r\n%s" % (len(body), body)) * 200)
    check("result" in (server.answer("late") or {}), "200 requests in one write", server.state())
    check(server.end() == 0, "it ends", server.state())

    # Data without valid framing: the server exits with a code and without a crash, or answers an error and continues.
    for what, data in {
        "no Content-Length": b"X: 1\r\n\r\n" + body,
        "no number": b"Content-Length: many\r\n\r\n" + body,
        "a negative length": b"Content-Length: -5\r\n\r\n" + body,
        "a length beyond 64 bits": b"Content-Length: 99999999999999999999999\r\n\r\n" + body,
        "a length of 2^62": b"Content-Length: 4611686018427387904\r\n\r\n" + body,
        "a length of 2 GB": b"Content-Length: 2147483647\r\n\r\n" + body,
        "two lengths": b"Content-Length: 5\r\nContent-Length: 7\r\n\r\n" + body,
        "a header without a colon": b"Content-Length 5\r\n\r\n" + body,
        "a header of 10 MB": b"X: " + b"a" * 10_000_000 + b"\r\n",
        "100,000 headers": b"X: 1\r\n" * 100_000,
        "a header without end": b"Content-Length: 5",
        "headers without end": b"Content-Length: 5\r\n",
        "a body without end": b"Content-Length: 500\r\n\r\n{",
        "line ends of LF alone": b"Content-Length: %d\n\n" % len(body) + body,
        "bytes that are not text": bytes(range(256)) * 10,
        "nothing but line ends": b"\r\n\r\n\r\n\r\n",
        "HTTP": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    }.items():
        server = Server(folder)
        server.raw(data)
        time.sleep(0.05)
        before = server.memory("VmHWM") if server.alive() else 0
        server.closed()
        quietly(server, what, (1, 2))
        check((before or 0) < 300, f"{what}: memory is bounded", before)

    server = Server(folder)
    # The client stops reading. The stream cannot be closed, because a thread that waits in it holds its lock.
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, server.process.stdout.fileno())
    os.close(null)
    for number in range(200):
        server.ask(PING[0], {**PING[1], "more": "s" * 1000})
    code = server.closed()
    check(code in (0, 1, 2), "standard output is closed: it ends without a signal", f"{code}; {server.error[-500:]}")


def bodies():
    folder = write(fresh("bodies"), {"search.md": "# search\n\n## show\n"})
    server = Server(folder)

    def sent(data, what, code, identifier=None):
        """Checks the error code of the answer without an id, or with this one."""
        server.raw(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        answer = server.answer(identifier, 20)
        wanted = code if isinstance(code, tuple) else (code,)
        check(answer is not None and answer.get("error", {}).get("code") in wanted, f"{what}: {code}", f"{answer}; {server.state()}")

    parse, invalid = -32700, -32600
    sent(b"{", "half an object", parse)
    sent(b"", "an empty body", parse)
    sent(b"nonsense", "no JSON", parse)
    sent(b'{"jsonrpc":"2.0","id":1,"method":"a"}}', "content after the object", parse)
    sent(b'{"jsonrpc":"2.0","method":"\xff\xfe"', "bytes that are not UTF-8", parse)
    sent(b'{"jsonrpc":"2.0","id":79,"method":"\xff\xfe"}', "a method that is not UTF-8", (invalid, -32601), 79)
    sent(b"[" * 100_000 + b"]" * 100_000, "100,000 arrays in each other", (parse, invalid))
    sent(b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "100,000 objects in each other", (parse, invalid))
    sent(b"[" * 1_000_000, "a million brackets", (parse, invalid))
    for value in (b"1", b"[]", b"[1]", b'"text"', b"null", b"true", b"{}", b"1e999"):
        sent(value, f"a body that is {value.decode()}", (parse, invalid))
    sent(b'{"jsonrpc":"2.0","method":1,"id":77}', "a method that is a number", (invalid, parse), 77)
    sent(b'{"jsonrpc":"2.0","id":78}', "a request without a method", (invalid, -32601), 78)
    answers_still(server, "invalid bodies")
    # Ids of every kind are returned unchanged.
    for identifier in ("text", "", "日本語 😀 \" \\ \u0000", 0, -1, 2**31 - 1, "1"):
        check(server.code(*PING, identifier) == 0, f"the id {identifier!r} comes back", server.state())
    # Answers to requests that the server did not send.
    server.send({"jsonrpc": "2.0", "id": 12345, "result": None})
    server.send({"jsonrpc": "2.0", "id": "unknown", "error": {"code": 1, "message": "no"}})
    server.send({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "no"}})
    # Unknown members, and another order.
    unusual = json.dumps({"params": {**PING[1], "x": [1, {"y": None}]}, "more": 1, "method": PING[0], "id": 55, "jsonrpc": "2.0"}).encode()
    server.raw(b"Content-Length: %d\r\n\r\n%s" % (len(unusual), unusual))
    check("result" in (server.answer(55) or {}), "unknown members and another order", server.state())
    answers_still(server, "unexpected answers")
    check(server.end() == 0, "it ends", server.state())


def lifecycle():
    folder = write(fresh("lifecycle"), {"search.md": "# search\n\n## show\n"})
    server = Server(folder, start=False)
    for method in ("textDocument/completion", "textDocument/definition", "nothing/known", "shutdown"):
        check(server.code(method, {}) == -32002, f"{method} before initialize: -32002", server.state())
    server.open(folder / "search.md", "# search\n")
    server.notify("nothing/known", {})
    check("capabilities" in server.initialize(), "then initialize is answered", server.state())
    check(server.code("initialize", {"capabilities": {}, "processId": None, "rootUri": None}) == -32600, "a second initialize: -32600", server.state())
    check(server.code("nothing/known", {}) == -32601, "an unknown request: -32601", server.state())
    check(server.code("$/unknown", {}) == -32601, "an unknown request that begins with $/: -32601", server.state())
    server.notify("nothing/known", {})
    server.notify("$/unknown", {"a": 1})
    server.notify("$/setTrace", {"value": "verbose"})
    answers_still(server, "unknown notifications")
    for number in range(200):
        identifier = server.ask("textDocument/formatting", {"textDocument": {"uri": uri(folder / "search.md")}, "options": {"tabSize": 4, "insertSpaces": True}})
        server.notify("$/cancelRequest", {"id": identifier})
        answer = server.answer(identifier)
        if answer is None or ("error" in answer and answer["error"]["code"] != -32800):
            check(False, "a cancelled request is answered, or with -32800", f"{answer}; {server.state()}")
            break
    server.notify("$/cancelRequest", {"id": "never asked"})
    server.notify("$/cancelRequest", {"id": [1]})
    server.notify("$/cancelRequest")
    answers_still(server, "cancelled requests")
    check(server.code("shutdown") == 0, "shutdown is answered", server.state())
    check(server.code(*PING) == -32600, "a request after shutdown: -32600", server.state())
    check(server.code("shutdown") == -32600, "a second shutdown: -32600", server.state())
    server.open(folder / "search.md", "# search\n")
    server.notify("exit")
    quietly(server, "exit after shutdown", 0)

    server = Server(folder)
    server.notify("exit")
    quietly(server, "exit without shutdown", 1)
    server = Server(folder, start=False)
    server.notify("exit")
    quietly(server, "exit before initialize", 1)
    server = Server(folder)
    server.closed()
    quietly(server, "standard input ends", 1)
    server = Server(folder, start=False)
    server.closed()
    quietly(server, "standard input ends at once", 1)
    server = Server(folder)
    server.request("shutdown")
    server.closed()
    quietly(server, "standard input ends after shutdown", (0, 1))
    server = Server(folder)
    server.process.send_signal(signal.SIGTERM)
    code = server.exit_code()
    check(code in (-signal.SIGTERM, 0, 1, 143), "SIGTERM ends it", code)

    server = Server(folder)
    answers_still(server, "a client that then is silent")
    begin = server.processor()
    time.sleep(2)
    check(server.processor() - begin < 0.1, "while nothing is asked, nothing is done", f"{server.processor() - begin:.2f} s of processor in 2 s")
    server.end()

    for more in ({}, {"processId": None}, {"processId": "1"}, {"capabilities": None}, {"rootUri": 5}, {"workspaceFolders": {}}, {"workspaceFolders": [1]},
                 {"workspaceFolders": []}, {"rootUri": "http://example.com"}, {"rootUri": "file:///nowhere/at/all"}, {"rootPath": "/nowhere"}, {"initializationOptions": [1]},
                 {"capabilities": {"general": {"positionEncodings": "utf-8"}}}, {"capabilities": {"general": {"positionEncodings": []}}},
                 {"capabilities": {"general": {"positionEncodings": ["utf-32", "utf-7"]}}}):
        server = Server(start=False)
        answer = server.answer(server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}, **more}))
        good = answer is not None and ("result" in answer or answer["error"]["code"] == -32602)
        encoding = (answer or {}).get("result", {}).get("capabilities", {}).get("positionEncoding", "utf-16")
        check(good and encoding == "utf-16", f"initialize with {more}: answered", f"{answer}; {server.state()}")
        server.end()


def parameters():
    folder = write(fresh("parameters"), {"search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | int64 |\n"})
    server = Server(folder)
    path = folder / "search.md"
    server.open(path, path.read_text())
    place = {"line": 0, "character": 2}
    document = {"uri": uri(path)}
    methods = {
        "textDocument/completion": {"textDocument": document, "position": place},
        "textDocument/definition": {"textDocument": document, "position": place},
        "textDocument/references": {"textDocument": document, "position": place, "context": {"includeDeclaration": True}},
        "textDocument/prepareRename": {"textDocument": document, "position": place},
        "textDocument/rename": {"textDocument": document, "position": place, "newName": "Other"},
        "textDocument/formatting": {"textDocument": document, "options": {"tabSize": 4, "insertSpaces": True}},
        "textDocument/onTypeFormatting": {"textDocument": document, "position": place, "ch": "|", "options": {"tabSize": 4, "insertSpaces": True}},
        "textDocument/codeAction": {"textDocument": document, "range": {"start": place, "end": place}, "context": {"diagnostics": []}},
    }
    for method, good in methods.items():
        wrong = [None, [], {}, 5, "text", [good]]
        if "textDocument" in good:
            wrong += [{**good, "textDocument": bad} for bad in (None, 5, {}, {"uri": 5}, {"uri": None}, [])]
        if "position" in good:
            wrong += [{**good, "position": bad} for bad in (None, 5, {}, {"line": "0", "character": 0}, {"line": -1, "character": 0}, {"line": 0, "character": -1},
                                                           {"line": 0}, {"line": 1.5, "character": 0}, {"line": 1e300, "character": 0})]
        codes = set()
        for bad in wrong:
            codes.add((code := server.code(method, bad)))
            if code is None:
                check(False, f"{method} with {bad}", server.state())
                return
        check(codes <= {-32602, -32600}, f"{method} with {len(wrong)} wrong parameters: -32602", codes)
    # Valid parameters at places and in documents that do not exist are answered without an error.
    for method, good in methods.items():
        seen = {}
        if "position" in good:
            for line, character in ((0, 10_000), (10_000, 0), (2**31 - 1, 2**31 - 1), (6, 2**31 - 1), (2**32 - 1, 0)):
                seen[line, character] = server.code(method, {**good, "position": {"line": line, "character": character}})
        if "textDocument" in good:
            for other in (uri(folder / "unknown.md"), "untitled:Untitled-1", "http://example.com/a.md", "file://", "", "nonsense", "file:///", "git:/a/b.md?x", uri(folder),
                          uri("/dev/zero"), uri("/etc/passwd"), "file:///%00", "file:///%FF%FE.md", "file:///%zz", "file://otherhost/a/search.md"):
                seen[other] = server.code(method, {**good, "textDocument": {"uri": other}})
        strange = {k: v for k, v in seen.items() if v is None or v in (-32603, -32700)}
        check(not strange, f"{method} at {len(seen)} places that do not exist: answered", f"{strange}; {server.state()}")
        if not server.alive():
            return
    for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave", "workspace/didChangeWatchedFiles",
                   "workspace/didChangeConfiguration", "workspace/didChangeWorkspaceFolders", "initialized", "textDocument/willSave"):
        for bad in (None, [], {}, 5, "text", {"textDocument": None}, {"textDocument": {"uri": 5}}, {"changes": 5}, {"changes": [5]}, {"event": 5}, {"settings": None}):
            server.notify(method, bad)
    answers_still(server, "notifications with wrong parameters")
    check(server.end() == 0, "it ends", server.state())


def documents():
    text = "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| 😀a | int64 |\n"
    folder = write(fresh("documents"), {"search.md": text})
    path = folder / "search.md"
    server = Server(folder)
    point = lambda line, character: {"line": line, "character": character}
    at = lambda begin, end, new: {"range": {"start": point(*begin), "end": point(*end)}, "text": new}
    server.change(path, 2, at((0, 0), (0, 1), "x"))
    server.notify("textDocument/didClose", {"textDocument": {"uri": uri(path)}})
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri(path)}})
    answers_still(server, "a document that was never opened is changed, saved and closed")
    server.open(path, text)
    server.open(path, text, version=2)
    check(server.diagnostics(path, 2) is not None, "a document is opened twice: the second counts", server.state())
    # Out of range: a character after the end of a line means its end, a line after the last means the end of the text.
    server.change(path, 3, at((0, 500), (0, 600), "X"))
    newest = server.diagnostics(path, 3)
    check(newest and any("searchX" in d["message"] for d in newest[1]), "a character past a line's end is its end", newest)
    server.change(path, 4, at((0, 8), (0, 9), ""), at((5000, 3), (6000, 9), "\n## BadName\n"))
    newest = server.diagnostics(path, 4)
    check(newest and any("BadName" in d["message"] for d in newest[1]), "a line past the last is the end", newest)
    for number, change in enumerate((
        at((3, 0), (0, 0), "x"), at((0, 5), (0, 2), "y"), at((6, 3), (6, 3), "z"), at((6, 3), (6, 4), ""), at((-1, -1), (0, 0), "x"), at((2**31 - 1, 0), (2**31 - 1, 0), ""),
        {"range": None, "text": text}, {"text": None}, {"range": {}, "text": ""}, {}, 5, {"range": {"start": point(0, 0), "end": point(0, 0)}, "rangeLength": -5, "text": ""},
    )):
        server.change(path, 5 + number, change)
        if not answers_still(server, f"the change {change}"):
            return
    server.change(path, 40, {"text": text})
    newest = server.diagnostics(path, 40)
    check(newest is not None and len(newest[1]) == 1, "a full text repairs a document", newest)
    # Half a surrogate pair, which JSON can express but a string cannot contain.
    body = b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"%s","version":41},"contentChanges":[{"text":"# search\\n\\n## \\ud83d show\\n"}]}}'
    body = body % uri(path).encode()
    server.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    answers_still(server, "half a surrogate pair")
    server.change(path, 42, {"text": "# search\n\n## a\u0000b\n\x1b[31m\u202e\u2028\n"})
    check(server.diagnostics(path, 42) is not None, "control characters", server.state())
    for number, (what, long) in enumerate({
        "a line of a million characters": "# search\n\n" + "あ" * 1_000_000, "100,000 lines": "# search\n" + "\n" * 100_000, "a row of 10,000 cells": "# search\n\n|" + " a |" * 10_000 + "\n|" + "-|" * 10_000,
        "10,000 quotes in each other": "# search\n\n" + ">" * 10_000, "10,000 brackets": "# search\n\n" + "[" * 10_000, "no text": "", "a byte-order mark": "\ufeff",
    }.items()):
        begin = time.monotonic()
        server.change(path, 50 + number, {"text": long})
        newest = server.diagnostics(path, 50 + number)
        took = time.monotonic() - begin
        check(newest is not None and took < 10, f"{what}: diagnostics come within 10 s", f"{took:.1f} s; {server.state()}")
    server.change(path, 60, {"text": text})
    # Versions that decrease or are missing.
    server.change(path, 7, {"text": text + "\n## again\n"})
    server.notify("textDocument/didChange", {"textDocument": {"uri": uri(path), "version": None}, "contentChanges": [{"text": text}]})
    server.change(path, 61)
    answers_still(server, "versions that go backwards, and no change at all")
    # Many documents.
    for number in range(300):
        server.open(folder / f"more_{number}.md", f"# more_{number}\n\n## show\n")
    check(server.diagnostics(folder / "more_299.md", 1) is not None, "300 documents that are not on disk are open", server.state())
    for number in range(300):
        server.notify("textDocument/didClose", {"textDocument": {"uri": uri(folder / f"more_{number}.md")}})
    answers_still(server, "and closed")
    check(server.end() == 0, "it ends", server.state())


def names():
    text = "# 検索 `search`\n\n## show\n\n| column | type |\n| --- | --- |\n| a | Strng |\n"
    for name in ("定義 フォルダー", "a b#c?d%e", "[x]'\"&;", "é e\u0301", "😀", "%41"):
        folder = write(fresh("names") / name, {"search.md": text, "other.md": "# other\n\n## show\n\n| column | type |\n| --- | --- |\n| a | Unknwn |\n"})
        server = Server(folder)
        path = folder / "search.md"
        server.open(path, text)
        newest = server.diagnostics(path, 1, 10)
        check(newest is not None and len(newest[1]) == 1, f"a folder called {name!r}", f"{newest}; {server.state()}")
        check(server.wait(lambda: any(path_of(u) == str(folder / "other.md") and p[1] for u, p in server.published.items()), 10), "and its other file", list(server.published))
        check(server.end() == 0, "it ends", server.state())
    # The same file with other spellings of its name. Diagnostics are published under the client's spelling.
    folder = write(fresh("spelled"), {"search.md": text})
    plain = uri(folder / "search.md")
    for what, name in {
        "every letter as a percent code": "file://" + "".join(c if c == "/" else f"%{ord(c):02x}" for c in str(folder / "search.md")),
        "FILE:": plain.replace("file:", "FILE:"), "localhost": plain.replace("file://", "file://localhost"),
    }.items():
        server = Server(folder)
        server.open(None, text, name=name)
        check(server.wait(lambda: name in server.published, 5) and len(server.published[name][1]) == 1, f"a name with {what} is answered by the same name", list(server.published))
        check(not server.published.get(plain, (0, [], 0))[1] or name == plain, f"a name with {what}: nothing twice", list(server.published))
        server.end()
    server = Server(folder)
    for name in ("untitled:Untitled-1", "git:/x/search.md?ref", "vscode-notebook-cell:/a.md#1", "http://example.com/search.md", "nonsense", "", "file://", "file:///", "file:relative.md", plain.replace("file://", "file:")):
        server.open(None, text, name=name)
        server.change(None, 2, {"text": text + "\n"}, name=name)
        server.answer(server.ask("textDocument/completion", {"textDocument": {"uri": name}, "position": {"line": 6, "character": 8}}))
        server.notify("textDocument/didClose", {"textDocument": {"uri": name}})
        if not answers_still(server, f"a document called {name!r}"):
            break
    check(server.end() == 0, "it ends", server.state())
    # README.md, hidden files and other files are not definitions.
    folder = write(fresh("others"), {"search.md": "# search\n\n## show\n", "README.md": "# Read me\n", ".hidden.md": "# x\n", "note.txt": "# x\n", "loggen.yml": "name-length: 64\n"})
    server = Server(folder)
    for name in ("README.md", ".hidden.md", "note.txt", "search.md"):
        server.open(folder / name, "# Read me\n\n## Not a name\n")
    server.diagnostics(folder / "search.md", 1)
    answers_still(server, "files that are not definitions are opened")
    wrong = {u: p[1] for u, p in server.published.items() if p[1] and not u.endswith("search.md")}
    check(not wrong, "README.md, hidden files and text files are not definitions", wrong)
    check(server.end() == 0, "it ends", server.state())


def folders():
    one = {"types.md": "# types\n\n## Kind\n\n| value |\n| --- |\n| a |\n", "search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | Kind |\n"}
    two = {"search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | Kind |\n"}
    first, second = write(fresh("first"), one), write(fresh("second"), two)
    server = Server(first, second)
    server.open(first / "search.md", one["search.md"])
    server.open(second / "search.md", two["search.md"])
    newest = server.diagnostics(second / "search.md", 1)
    check(newest and [d["code"] for d in newest[1]] == ["unknown-type"], "two folders are two vocabularies", newest)
    newest = server.diagnostics(first / "search.md", 1)
    check(newest and not newest[1], "neither disturbs the other", newest)
    # A folder is deleted while its documents are open.
    shutil.rmtree(first)
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri(first / name), "type": 3} for name in one]})
    server.change(first / "search.md", 2, {"text": one["search.md"] + "\n## another\n"})
    newest = server.diagnostics(first / "search.md", 2)
    check(newest is not None, "the folder of an open document is deleted", server.state())
    check(newest and not newest[1], "it is not a definition anymore: it has no diagnostics", newest)
    server.notify("textDocument/didClose", {"textDocument": {"uri": uri(first / "search.md")}})
    check(server.wait(lambda: not server.published[uri(first / "search.md")][1], 10), "closed, the file that is gone has no problems", server.published.get(uri(first / "search.md")))
    answers_still(server, "a folder that is gone")
    write(first, one)
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri(first / name), "type": 1} for name in one]})
    server.open(first / "search.md", one["search.md"], 5)
    newest = server.diagnostics(first / "search.md", 5)
    check(newest and server.wait(lambda: not server.published[uri(first / "search.md")][1], 10), "it comes back", newest)
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [{"uri": uri(second), "name": "second"}]}})
    answers_still(server, "a folder is taken out of the workspace")
    check(server.end() == 0, "it ends", server.state())

    # Unusual contents of a folder.
    strange = write(fresh("strange"), {"search.md": one["search.md"], "types.md": one["types.md"]})
    (strange / "folder.md").mkdir()
    (strange / "broken.md").symlink_to("nowhere.md")
    (strange / "loop").symlink_to(strange)
    (strange / "bad.md").write_bytes(b"# bad\n\n\xff\xfe\n")
    os.mkfifo(strange / "pipe.md")
    (strange / "loggen.yml").write_bytes(b"\xff")
    (strange / "loggen.lock").write_bytes(b"\0" * 100)
    server = Server(strange)
    server.open(strange / "search.md", one["search.md"])
    # The command cannot read these either. The server reports it or ignores them.
    check(server.wait(lambda: uri(strange / "search.md") in server.published or server.notes, 15), "a folder with a pipe, loops, broken links, bytes that are not text", server.state())
    answers_still(server, "a strange folder")
    check(server.end() == 0, "it ends", server.state())


def neovim():
    if not shutil.which("nvim"):
        check(False, "nvim is installed")
        return
    version = subprocess.run(["nvim", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    print("        " + version, flush=True)
    repository = fresh("neovim 定義")
    folder = repository / "Definitions"
    folder.mkdir()
    sample(folder)
    for command in (["init", "--quiet"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "-m", "sample"]):
        subprocess.run(["git", "-C", str(repository), *command], check=True)
    # The expected output.
    code = subprocess.run(
        ["nvim", "--headless", "-i", "NONE", "-n", "-u", "NONE", "-S", str(HERE / "lsp.lua")], cwd=repository, capture_output=True, text=True, timeout=180,
        env={**os.environ, "LOGGEN": os.path.abspath(options.loggen), "XDG_STATE_HOME": options.folder, "XDG_CACHE_HOME": options.folder, "XDG_DATA_HOME": options.folder, "XDG_CONFIG_HOME": options.folder})
    output = (code.stdout + code.stderr).replace("\r", "")
    for line in output.splitlines():
        print("        " + line, flush=True)
    check(code.returncode == 0 and "neovim: all is well" in output, "neovim's own client", f"exit code {code.returncode}")
    said = linted(folder, {f.name: f.read_text() for f in folder.glob("*.md")}, "utf-16")
    check(not said, "what neovim saved has no problem", list(said))
    result = subprocess.run([options.loggen, "format", "--check", str(folder)], capture_output=True, text=True)
    check(result.returncode == 0, "and is in canonical form", result.stdout + result.stderr)
    whole = "".join(f.read_text() for f in folder.glob("*.md"))
    check(not re.search(r"\bListOrder\b", whole) and len(re.findall(r"\bRecipeOrder\b", whole)) == 4, "a type is renamed in every file on disk", len(re.findall("RecipeOrder", whole)))

    article = (ROOT / "Sources/Generator/loggen/Documentation.docc/Editors.md").read_text()
    snippets = re.findall(r"```lua\n(.*?)```", article, re.S)
    check(len(snippets) == 2, "the article has settings for neovim of two ages", len(snippets))
    is_new = tuple(map(int, re.findall(r"\d+", version)[:2])) >= (0, 11)
    for name, place in (("below the working folder", repository), ("elsewhere", pathlib.Path(options.folder))):
        shown = settings_of_the_article(snippets[0 if is_new else -1], folder / "recipe_search.md", place)
        check("unknown-type" in shown and "the script" not in shown, f"the article's settings show a problem of a document {name}", shown)


def settings_of_the_article(settings, document, place):
    """Returns what neovim shows of a document with a typo, with only these settings."""
    scripts = fresh("neovim settings")
    (scripts / "init.lua").write_text(settings)
    (scripts / "loggen").symlink_to(options.loggen)
    text = document.read_text()
    (scripts / "check.lua").write_text("""
vim.cmd('filetype on')
vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.DOCUMENT))
vim.cmd('split ' .. vim.fn.fnameescape(vim.fn.fnamemodify(vim.env.DOCUMENT, ':h') .. '/types.md'))
vim.wait(20000, function() return #vim.diagnostic.get() > 0 end, 50)
local clients = vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()
print(#clients == 1 and 'one client' or 'the script has started ' .. #clients .. ' clients')
for _, problem in ipairs(vim.diagnostic.get()) do print(problem.code or (problem.user_data or {}).lsp.code, problem.message) end
vim.cmd('qall!')
""")
    document.write_text(re.sub(r"\bRecipeOrder\b", "RecipeOrdr", text, count=1))
    try:
        result = subprocess.run(
            ["nvim", "--headless", "-i", "NONE", "-n", "-u", str(scripts / "init.lua"), "-S", str(scripts / "check.lua")], cwd=place, capture_output=True,
            text=True, timeout=60, env={
                **os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "DOCUMENT": str(document), "XDG_STATE_HOME": options.folder,
                "XDG_CACHE_HOME": options.folder, "XDG_DATA_HOME": options.folder, "XDG_CONFIG_HOME": options.folder})
        return (result.stdout + result.stderr).replace("\r", "")
    finally:
        document.write_text(text)


def features():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto", "-W", "error::pytest_lsp.LspSpecificationWarning", "--tb=short", "-rfE",
               "--no-header", "--color=no", "--basetemp", str(fresh("features")), str(HERE / "lsp_features.py")]
    if options.match:
        command += ["-k", options.match]
    code = subprocess.run(command, env={**os.environ, "LOGGEN": os.path.abspath(options.loggen), "PYTHONDONTWRITEBYTECODE": "1"}).returncode
    check(code == 0, "an independent client finds every feature")


if __name__ == "__main__":
    known = ["features", "edits", "speed", "memory", "hostile", "neovim"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loggen", help="the built command")
    parser.add_argument("folder", help="for written files; existing ones may be overwritten")
    parser.add_argument("parts", nargs="*", help=", ".join(known))
    parser.add_argument("--edits", type=int, default=1000, help="the number of random edits in each of the two encodings")
    parser.add_argument("--seed", type=int, help="of the random edits; it is printed")
    parser.add_argument("--keystrokes", type=int, default=300, help="the number of timed changes")
    parser.add_argument("--changes", type=int, default=10_000, help="the number of changes for the measurement of memory")
    parser.add_argument("--strict", action="store_true", help="fail at 50 ms or more (p99): for an idle machine and a release build")
    parser.add_argument("--match", help="only these features, as for pytest's -k")
    options = parser.parse_args()
    if set(options.parts) - set(known):
        parser.error("the parts are " + ", ".join(known))
    options.loggen = os.path.abspath(options.loggen)
    options.folder = os.path.abspath(options.folder)
    os.makedirs(options.folder, exist_ok=True)
    for part in options.parts or known:
        print(f"\n{part}", flush=True)
        try:
            globals()[part]()
        except Exception as error:
            check(False, part, f"{type(error).__name__}: {error}")
    print(f"\n{len(failures)} failures" if failures else "\nall is well")
    sys.exit(1 if failures else 0)
