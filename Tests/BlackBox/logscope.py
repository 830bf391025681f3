#!/usr/bin/env python3
"""Tests logscope over sockets with apps, hostile clients and other sites, each with a time limit.

Parts: answers, access, hostile, crowd, clocks, faults, headless, sessions, disk, kill, torture, load; the default is all. With --demo,
`headless` also sends what recipe-demo sends. `torture` needs --torture.
"""

import argparse
import datetime
import gzip
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import uuid

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("logscope", help="the built command")
parser.add_argument("folder", help="for sessions and reports; existing files may be overwritten")
parser.add_argument("parts", nargs="*", help="answers, access, hostile, crowd, clocks, faults, headless, sessions, disk, kill, torture, load")
parser.add_argument("--seconds", type=float, default=10, help="the duration of the load")
parser.add_argument("--rate", type=int, default=5000, help="records a second, from 20 connections")
parser.add_argument("--demo", help="the built recipe-demo; `headless` also sends its records")
parser.add_argument("--torture", help="the built outbox-torture, which kills apps while logscope is killed")
parser.add_argument("--rounds", type=int, default=15, help="the number of kills of the torture")
parser.add_argument("--strict", action="store_true", help="fail if the load is late or its p99 is 100 ms or more: for an idle machine and a release build")
options = parser.parse_args()
known = ["answers", "access", "hostile", "crowd", "clocks", "faults", "headless", "sessions", "disk", "kill", "torture", "load"]
if set(options.parts) - set(known):
    parser.error("the parts are " + ", ".join(known))

failures = []
LONGEST = 16 << 20


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        failures.append(what)


def record(number=0, **more):
    """Returns a valid record of the sample."""
    return {
        "event_id": str(uuid.uuid4()), "event_category": "recipe_search", "event_name": "view_search", "schema_version": "1-0-0",
        "occurred_at": "2026-04-01T12:34:56.789Z", "session_id": "0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11", "app_version": "2026.4.0",
        "os_version": "iOS 19.4", "device_kind": "phone", "device_model": f"iPhone18,{number % 4}", "time_zone": "Asia/Tokyo", "locale": "ja-JP",
        "is_premium": False, "experiments": [], **more,
    }


def ndjson(*records):
    return b"".join(json.dumps(r, ensure_ascii=False).encode() + b"\n" for r in records)


class Scope:
    """A running logscope."""

    def __init__(self, name, *arguments, fresh=True):
        self.session = os.path.join(options.folder, name + ".sqlite")
        if fresh:
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(self.session + suffix):
                    os.remove(self.session + suffix)
        self.process = subprocess.Popen(
            [options.logscope, "Definitions", "--session", self.session, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("logscope has not started: " + self.process.stderr.read())
            self.lines.append(line.split(None, 1))
            if self.lines[-1][0] == "session":
                break
        address = self.lines[0][1].strip()
        self.port = int(address.rsplit(":", 1)[1].strip("/"))

    def connect(self, timeout=20):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def ask(self, method, path, body=None, headers={}, timeout=30):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        finally:
            connection.close()

    def post(self, *records, **headers):
        return self.ask("POST", "/", ndjson(*records), headers)[0]

    def get(self, path):
        status, body, _ = self.ask("GET", path)
        if status != 200:
            raise AssertionError(f"{path}: {status} {body[:200]}")
        return json.loads(body)

    def raw(self, data, timeout=20, half=False):
        """Returns the first line of the answer to some bytes."""
        with self.connect(timeout) as client:
            try:
                client.sendall(data)
            except OSError:
                pass
            if half:
                client.shutdown(socket.SHUT_WR)
            try:
                return client.recv(4096).split(b"\r\n")[0].decode("latin-1")
            except OSError as error:
                return type(error).__name__

    def state(self):
        """Returns the counters that the page shows."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", "/stream")
        with connection.getresponse() as stream:
            for line in stream:
                if line.strip() == b"event: state":
                    return json.loads(stream.readline()[6:])["state"]
        raise AssertionError("/stream has no state")

    def memory(self):
        """Returns the largest resident size so far in MB."""
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            _, error = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            check(False, "SIGTERM ends it")
            return ""
        check(self.process.returncode == 0, f"SIGTERM ends it with 0: {error.strip().splitlines()[-1:]}")
        return error


def run(*arguments):
    result = subprocess.run([options.logscope, *arguments], capture_output=True, text=True, timeout=60)
    return result.returncode, result.stdout, result.stderr


# MARK: Parts


def answers():
    scope = Scope("answers")
    check(scope.post(record()) == 204, "a batch is answered with 204")
    status, _, _ = scope.ask("POST", "/", gzip.compress(ndjson(record(), record())), {"Content-Encoding": "gzip"})
    check(status == 204, "gzip is, too")
    body = ndjson(record())
    with scope.connect() as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in (body[:10], body[10:]):
            client.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        client.sendall(b"0\r\n\r\n")
        check(client.recv(100).startswith(b"HTTP/1.1 204"), "chunks are, too")
        client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n" % len(body))
        check(client.recv(100).startswith(b"HTTP/1.1 100"), "on the same connection, a body that waits is asked for")
        client.sendall(body)
        check(client.recv(100).startswith(b"HTTP/1.1 204"), "and taken (its record came again)")
    state = scope.get("/records")["records"]
    check([r["verdict"] for r in state] == ["good"] * 5, "records of the sample are good")
    check([r["again"] for r in state] == [True, False, False, False, False], "the one that came twice is shown as a redelivery")
    check(all((r.get("session"), r.get("device"), r.get("version")) == (record()["session_id"], "iPhone18,0", "1-0-0") for r in state), "a row has its identifiers")
    first = record()
    scope.post(first)
    scope.post({**first, "locale": "en-US"})
    newest = scope.get("/records")["records"][0]
    check(newest["verdict"] == "bad" and not newest["again"], "another record with the same event_id is bad")
    check([v["rule"] for v in scope.get(f"/records/{newest['seq']}")["violations"]] == ["unique"], "for this reason")
    scope.ask("POST", "/", b'{"cut": \nnot json\n\xff\xfe\n[1]\n  \n' + ndjson(record(position=-1)))
    found = scope.get("/records?limit=5")["records"]
    check(len(found) == 5 and all(r["verdict"] == "bad" for r in found), "lines that are not JSON are stored as bad; blank lines are ignored")
    whole = scope.get(f"/records/{found[0]['seq']}")
    check(any(v.get("column") == "position" for v in whole["violations"]), "a violation names its column")
    check(json.loads(whole["raw"])["position"] == -1 and whole["columns"], "a record is shown as it came, with its columns")
    check(scope.ask("POST", "/", b"\n \n")[0] == 400, "a batch without records is refused")
    check(len(scope.get("/records?bad=1&limit=3")["records"]) == 3 and scope.get("/records?bad=1&limit=3")["more"], "filters and pages work")
    check(all(r["event"] == "view_search" for r in scope.get("/records?event=view_search")["records"]), "by event, too")
    check([r["seq"] for r in scope.get("/records?before=3&session=" + record()["session_id"])["records"]] == [2, 1], "by position and session")
    check(scope.get("/records?session=%27%20OR%201=1%20--")["records"] == [], "a filter is no SQL")
    check(scope.get("/records?text=not%20json")["records"][0]["verdict"] == "bad", "a string is found")
    definitions = scope.get("/definitions")
    check(any(e["name"] == "recipe_search.show_recipe" and e["columns"] for e in definitions["events"]), "the definitions are there")
    status, page, headers = scope.ask("GET", "/")
    check(status == 200 and b"<!DOCTYPE html>" in page and "default-src 'none'" in headers["Content-Security-Policy"], "the page is there, with its policy")
    for request, wanted in [(("GET", "/nothing"), 404), (("PUT", "/"), 405), (("GET", "/records/99999"), 404), (("DELETE", "/records"), 405),
                            (("PUT", "/faults"), 405)]:
        check(scope.ask(*request)[0] == wanted, f"{' '.join(request)} is answered with {wanted}")
    status, text, _ = scope.ask("POST", "/logs", ndjson(record()))
    check(status == 404 and b"Send records to / with POST" in text, "records for another path: 404, with the path to use")
    exported = scope.ask("GET", "/export")[1].splitlines()
    check(len(exported) == 11, "the export has each record once")
    state = scope.state()
    counts = [state[name] for name in ("total", "good", "bad", "again")], state["seen"]["recipe_search.view_search"]
    check(counts == ([12, 5, 6, 1], {"good": 5, "bad": 2}), f"a redelivery is no good or bad record: {counts}")
    scope.post({**first, "locale": "en-US"})
    check(scope.get("/records")["records"][0]["again"], "the other record of an event_id can be redelivered, too")
    scope.ask("POST", "/", "\n".join(["% 5 %-1 %4 %zz JJ", "な x", '{"event_category":"se\\u0061rch","event_name":"\\udc00","event_id":"7f"}']).encode())
    newest = scope.get("/records?limit=1")["records"][0]
    check(newest["category"] == "search" and newest["event"] and newest["id"] == "7f", "half of a surrogate pair hides no names")
    for query in ("%E3%81%AA+x&text=y", "%+5+%-1+%4+%zz+JJ", "%4a%4A"):
        check(len(scope.get("/records?text=" + query)["records"]) == 1, f"{query} is decoded, or kept with an invalid escape, and the first value counts")
    scope.ask("POST", "/", ndjson(record(experiments=[]))[:-2] + b',"more":1e400}\n')
    scope.post(record(violations=["position: maximum"]), {"event_category": "な" * 5000, "event_name": "a"})
    long, declared, number = scope.get("/records?limit=3")["records"]
    check(number["event"] == "view_search" and number["known"], "and so does a number beyond all doubles")
    found = scope.get(f"/records/{declared['seq']}")["violations"]
    check(declared["verdict"] == "bad" and [(v["column"], v["rule"]) for v in found] == [("position", "maximum")], "a violation that the app reports is one")
    check(len(long["category"]) < 300, "a long name is cut")
    scope.ask("POST", "/", ndjson(*[record(session_id=f"s{n}", device_model=f"d{n}", event_name=f"e{n}") for n in range(1000)]))
    state = scope.state()
    check(len(state["unknown"]) <= 203 and sum(state["unknown"].values()) >= 1000, "the names of a client are limited, and all are counted")
    check(len(state["sessions"]) <= 200 and state["sessions"][-1] == "s999", "so are its sessions")
    scope.end()
    scope = Scope("auth", "--expect-authorization", "Bearer secret")
    check(scope.post(record()) == 401, "without the expected Authorization: 401")
    check(scope.post(record(), Authorization="Bearer wrong1") == 401, "with another one: 401")
    check(scope.post(record(), Authorization="Bearer secret") == 204, "with it: 204")
    scope.end()


def access():
    scope = Scope("access")
    scope.post(record())
    paths = ["/", "/records", "/records/1", "/definitions", "/stream", "/export"]
    for path in paths:
        check(scope.ask("GET", path, headers={"Host": "evil.example"})[0] == 403, f"{path} is refused under a name that is not ours")
        check(scope.ask("GET", path, headers={"Origin": "http://evil.example"})[0] == 403, f"{path} is refused to another site")
    for host in ("localhost", "LOCALHOST", "127.0.0.1:1", "[::1]", "[::1]:2", "[fe80::1]", "192.168.1.5:8090"):
        check(scope.ask("GET", "/records", headers={"Host": host})[0] == 200, f"{host} is ours")
    for host in ("127.0.0.1.evil.example", "localhost.evil.example", "0x7f.1", "0x7f.0.0.1", "256.0.0.1", "1.2.3", "1.2.3.4.5", "", "[evil]",
                 "\uff11.2.3.4".encode()):
        check(scope.ask("GET", "/records", headers={"Host": host})[0] == 403, f"{host!r} is not")
    check(scope.raw(b"GET /records HTTP/1.1\r\n\r\n").split()[1:2] == ["403"], "without a Host: 403")
    for origin, wanted in (("null", 403), ("https://127.0.0.1:80", 403), ("http://127.0.0.1:81", 403), ("http://127.0.0.1:80", 200)):
        status = scope.ask("GET", "/records", headers={"Host": "127.0.0.1:80", "Origin": origin})[0]
        check(status == wanted, f"the origin {origin} is answered with {wanted}")
    fault = json.dumps({"drop": "100%"}).encode()
    check(scope.ask("POST", "/faults", fault, {"Content-Type": "application/json", "Origin": "http://evil.example"})[0] == 403, "another site sets no faults")
    check(scope.ask("POST", "/faults", fault, {"Content-Type": "text/plain"})[0] == 415, "a form sets none")
    status, _, headers = scope.ask("POST", "/", ndjson(record()), {"Origin": "http://localhost:3000", "Host": "mac.local:80"})
    check(status == 204 and headers.get("Access-Control-Allow-Origin") == "*", "an app in a browser may send records, under any name")
    status, body, headers = scope.ask("OPTIONS", "/", headers={"Origin": "http://localhost:3000"})
    check(status == 204 and headers["Access-Control-Allow-Methods"] == "POST", "and may ask for it")
    for body, wanted in ((b"abcd", 400), (b"x\n" * 100_001, 413)):
        status, _, headers = scope.ask("POST", "/", body, {"Origin": "http://localhost:3000", **({"Content-Encoding": "gzip"} if wanted == 400 else {})})
        check(status == wanted and headers.get("Access-Control-Allow-Origin") == "*", f"and may read why a batch is refused: {status}")
    scope.end()

    scope = Scope("here")
    check([line[0] for line in scope.lines] == ["address", "session"], f"one address for records and page is one line: {scope.lines}")
    scope.end()

    scope = Scope("beyond", "--host", "0.0.0.0")
    pages = [line[1].strip() for line in scope.lines if line[0] == "page"]
    token = pages[0].split("token=")[1]
    check(len(token) == 32 and all(p.endswith(token) for p in pages), "beyond this machine, the page's address has a token")
    for path in paths:
        check(scope.ask("GET", path)[0] == 401, f"{path} needs it")
    check(scope.ask("GET", "/?token=" + "0" * 32)[0] == 401, "another one does not do")
    status, _, headers = scope.ask("GET", "/?token=" + token)
    cookie = headers["Set-Cookie"]
    check(status == 200 and "HttpOnly" in cookie and "SameSite=Strict" in cookie, "it opens the page, which remembers it")
    pair = cookie.split(";")[0]
    check(scope.ask("GET", "/records", headers={"Cookie": "a=b; " + pair})[0] == 200, "the page reads with the cookie")
    for other in (pair[:-1], pair.replace("=", "1=")):
        check(scope.ask("GET", "/records", headers={"Cookie": other})[0] == 401, f"but not with {other}")
    check(scope.post(record()) == 204, "records need none")
    scope.end()


def hostile():
    scope = Scope("hostile")
    page = b"POST / HTTP/1.1\r\nHost: x\r\n"

    def status(data, wanted, what, **more):
        answer = scope.raw(data, **more)
        check(answer.split(" ")[1:2] == [str(wanted)], f"{what}: {answer}")

    status(b"NONSENSE\r\n\r\n", 400, "no request line")
    status(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n", 400, "TLS")
    status(b"GET / HTTP/3.0\r\n\r\n", 505, "another version")
    status(b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400, "a header without a colon")
    status(b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400, "a blank before a colon")
    for line in (b"GET", b"GET / HTTP/1.1 x", b"GET  / HTTP/1.1", b"GET http://x/ HTTP/1.1", b"G\0T / HTTP/1.1", b"GET / HTTP/1.1\r\n folded",
                 b"GET / HTTP/1.1\r\n: x", b"GET / HTTP/1.1\r\nA b: x", b"GET / HTTP/1.1\r\nA: \x01", b"GET / HTTP/1.1\r\nHost: a\r\nhost: a"):
        status(line + b"\r\n\r\n", 400, f"{line} can be read in two ways")
    for version, more, closes in (("1.1", "", False), ("1.1", "Connection: x, Close", True), ("1.1", "Connection: x\r\nconnection:\tclose ", True), ("1.0", "", True),
                                  ("1.0", "Connection: keep-alive", False)):
        with scope.connect() as client:
            client.sendall(f"\r\n\nGET /nothing HTTP/{version}\r\nHost: localhost\n{more}{more and chr(10)}\n".encode())
            client.recv(4096)
            client.settimeout(1)
            try:
                isClosed = client.recv(100) == b""
            except TimeoutError:
                isClosed = False
            check(isClosed == closes, f"HTTP/{version} with {more!r} {'closes' if closes else 'keeps'} the connection")
    status(page + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400, "two lengths")
    status(page + b"Content-Length: -1\r\n\r\n", 400, "a negative length")
    status(page + b"Content-Length: 99999999999999999999\r\n\r\n", 400, "a length beyond 64 bits")
    status(page + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "a length and chunks")
    status(page + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, "another transfer encoding")
    status(page + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "a chunk without a size")
    status(page + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 5000, 400, "a size without end")
    status(b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 200_000, 431, "a header of 200,000 bytes")
    status(b"GET / HTTP/1.1\r\n" + b"".join(b"X%d: 1\r\n" % n for n in range(1000)) + b"\r\n", 431, "1,000 headers")
    status(b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n", 431, "a path of 100,000 bytes")
    status(page + b"Content-Length: 100\r\n\r\nhalf", 400, "a body that is shorter than its length, half-closed", half=True)
    status(page + b"Content-Encoding: br\r\nContent-Length: 1\r\n\r\na", 415, "another encoding")
    status(page + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd", 400, "invalid gzip")
    packed = gzip.compress(ndjson(record()))[:-9]
    status(page + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed) + packed, 400, "truncated gzip")
    status(page + b"Content-Length: %d\r\n\r\n" % (LONGEST + 1), 413, "a length of more than 16 MiB")
    times = []
    for name in ("different", "equal"):
        start = time.time()
        body = ndjson(*[{"event_id": f"{name}{n if name == 'different' else ''}"} for n in range(10_000)])
        check(scope.ask("POST", "/", body, timeout=300)[0] == 204, f"10,000 {name} identifiers")
        times.append(time.time() - start)
    check(times[1] < 5 * times[0], f"a repeated identifier costs as much as others: {times[1]:.1f} s, {times[0]:.1f} s")

    with scope.connect() as client:
        client.sendall(page + b"Transfer-Encoding: chunked\r\n\r\n")
        sent, answer = 0, b""
        client.settimeout(5)
        try:
            while sent < 200 << 20:
                client.sendall(b"10000\r\n" + b"a" * 65536 + b"\r\n")
                sent += 65536
        except OSError:
            pass
        try:
            answer = client.recv(200)
        except OSError as error:
            answer = type(error).__name__.encode()
        check(sent < 100 << 20, f"an endless body ends after {sent >> 20} MiB: {answer[:30]}")
    bomb = gzip.compress(b"\0" * (1 << 30), 9)
    status(page + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb) + bomb, 413, f"a gzip bomb of 1 GiB in {len(bomb) >> 10} KiB", timeout=30)
    lines = gzip.compress(b"x\n" * (8 << 20), 9)
    before = scope.memory()
    status(page + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(lines) + lines, 413, f"8 million lines in {len(lines) >> 10} KiB", timeout=30)
    check(scope.memory() < max(before, 300), f"they take {scope.memory():.0f} MB at most, {before:.0f} before")
    million = b'{"event_id":"' + b",".join(b'"c%d":1' % n for n in range(1_000_000)) + b"}\n"
    status(page + b"Content-Length: %d\r\n\r\n" % len(million) + million, 413, "a million columns in one record")
    columns = {**record(), **{f"c{n}": n for n in range(60_000)}}
    check(scope.post(columns) == 204, "60,000 columns, below the limit of a record, are taken")
    newest = scope.get("/records?limit=1")["records"][0]
    whole = scope.get(f"/records/{newest['seq']}")
    check(newest["verdict"] == "bad" and len(whole["violations"]) <= 101, f"and {len(whole['violations'])} violations are kept")
    deep = b'{"a":' * 5000 + b"1" + b"}" * 5000
    check(scope.ask("POST", "/", deep)[0] == 204, "a record 5,000 deep is taken")
    check(scope.ask("POST", "/", b"x\n" * 100_001)[0] == 413, "more than 100,000 lines: 413")
    check(scope.ask("POST", "/", b"x\n" * 100_000, timeout=120)[0] == 204, "100,000 lines that are not JSON are accepted")
    markup = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'`]]>--></style>"
    html = record(**{markup: markup, "locale": markup, "session_id": markup, "device_model": markup, "event_name": markup, "event_category": markup})
    check(scope.post(html) == 204, "HTML in every value is taken")
    newest = scope.ask("GET", "/records?limit=1")
    check(newest[2]["Content-Type"].startswith("application/json") and newest[2]["X-Content-Type-Options"] == "nosniff", "and handed over as JSON alone")

    # Open pages that never read while records arrive.
    deaf = []
    for _ in range(10):
        client = scope.connect()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"GET /stream?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        deaf.append(client)
    for _ in range(20):
        scope.post(*[record() for _ in range(500)])
    start = time.time()
    check(scope.post(record()) == 204, f"with 10 pages that never read, a batch takes {time.time() - start:.2f} s")

    # Slow clients in parallel: each byte arrives in time, but the whole request does not.
    loris = [scope.connect(30) for _ in range(40)]
    slow = [scope.connect(30) for _ in range(5)]
    for client in slow:
        client.sendall(page + b"Content-Length: 1000\r\n\r\n")
    begin, ended = time.time(), {}
    while time.time() - begin < 14 and len(ended) < len(loris):
        for number, client in enumerate(loris):
            if number in ended:
                continue
            try:
                client.sendall(b"G" if time.time() - begin < 1 else b"a")
                client.setblocking(False)
                answer = client.recv(200)
                ended[number] = answer
            except BlockingIOError:
                pass
            except OSError as error:
                ended[number] = type(error).__name__.encode()
            client.setblocking(True)
        time.sleep(0.3)
        if int(time.time() - begin) == 5:
            start = time.time()
            assert scope.post(record()) == 204
            check(time.time() - start < 2, f"meanwhile a batch takes {time.time() - start:.2f} s")
            time.sleep(1)
    check(len(ended) == len(loris) and sum(a.startswith(b"HTTP/1.1 408") for a in ended.values()) >= 35, f"{len(ended)} of 40 slow heads are ended, with {set(a[:12] for a in ended.values())}")
    for client in loris:
        client.close()

    # More connections than the limit. The oldest waiting ones are closed.
    many = []
    for _ in range(1500):
        try:
            many.append(scope.connect(5))
        except OSError:
            break
    start = time.time()
    check(scope.post(record()) == 204, f"with {len(many)} idle connections a batch takes {time.time() - start:.2f} s")
    for client in many:
        client.close()
    for _ in range(300):
        client = scope.connect()
        client.sendall(page + b"Content-Length: 100\r\n\r\n{")
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    check(scope.post(record()) == 204, "after 300 resets a batch is taken")
    # Unfinished bodies occupy memory for the bytes sent, up to the limit.
    holders = []
    for _ in range(20):
        client = scope.connect()
        client.sendall(page + b"Content-Length: %d\r\n\r\n" % LONGEST)
        client.settimeout(10)
        try:
            client.sendall(b"x" * (LONGEST - 1))
        except OSError:
            pass
        holders.append(client)
    for client in holders:
        client.close()
    time.sleep(1)
    check(scope.post(record()) == 204, "after 20 bodies of 16 MiB without an end a batch is taken")
    dice = random.Random(1)
    for _ in range(300):
        data = bytearray(page + b"Content-Length: 40\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"{}"))
        for _ in range(dice.randint(1, 10)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        with scope.connect(5) as client:
            client.sendall(data[: dice.randint(1, len(data))])
            if dice.random() < 0.5:
                client.shutdown(socket.SHUT_WR)
    check(scope.post(record()) == 204, "after 300 mutated requests a batch is taken")
    check(scope.process.poll() is None and scope.memory() < 600, f"it still runs, with {scope.memory():.0f} MB at most")
    for client in slow + deaf:
        client.close()
    scope.end()


def crowd():
    """Sends slow bodies on as many connections as logscope keeps, and connects again when one is closed."""
    scope = Scope("crowd")
    stop = threading.Event()
    closed = [0]

    def dawdle():
        clients = []
        while not stop.is_set():
            while len(clients) < 128:
                client = scope.connect()
                client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n ")
                clients.append(client)
            for client in list(clients):
                try:
                    client.sendall(b" ")
                except OSError:
                    closed[0] += 1
                    clients.remove(client)
            stop.wait(0.2)
        for client in clients:
            client.close()

    threads = [threading.Thread(target=dawdle) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(3)
    answers = []
    for _ in range(10):
        try:
            answers.append(scope.post(*[record() for _ in range(1000)]))
        except OSError as error:
            answers.append(type(error).__name__)
    stop.set()
    for thread in threads:
        thread.join()
    check(answers == [204] * 10, f"next to 512 bodies that arrive byte by byte, large batches are answered with {answers}; {closed[0]} connections were closed")
    scope.end()


def clocks():
    for seconds, words in ((30, None), (-3600, "(3599|3600|3601) s behind"), (90, "(88|89|90) s ahead")):
        scope = Scope("clocks")
        sent = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
        unit = "seconds" if seconds == 90 else "milliseconds"
        for value in (sent.isoformat(timespec=unit).replace("+00:00", "Z"), "yesterday"):
            check(scope.post(record(), **{"Sent-At": value}) == 204, f"Sent-At: {value}")
        told = re.search(r"the device's clock is (.*)", scope.end())
        check(re.fullmatch(words, told[1]) if words else not told, f"a clock that differs by {seconds} s: {told and told[0]}")


def faults():
    scope = Scope("faults", "--fail", "503:2s")
    check(scope.post(record()) == 503, "--fail answers with the status")
    time.sleep(2.1)
    check(scope.post(record()) == 204, "and ends")
    kind = {"Content-Type": "application/json"}

    def answer():
        try:
            return scope.post(record())
        except OSError as error:
            return type(error).__name__

    check(scope.ask("POST", "/faults", json.dumps({"delay": "1s"}), kind)[0] == 204, "the page sets a delay")
    start = time.time()
    check(scope.post(record()) == 204 and time.time() - start > 1, f"the answer takes {time.time() - start:.1f} s")
    scope.ask("POST", "/faults", json.dumps({"delay": None, "drop": "100%"}), kind)
    dropped = answer()
    check(dropped in ("ConnectionResetError", "RemoteDisconnected"), f"a dropped batch: {dropped}")
    scope.ask("POST", "/faults", json.dumps({"drop": "0%", "fail": "429"}), kind)
    check(scope.post(record()) == 429, "a failure without an end")
    for wrong in ({"fail": "200"}, {"delay": "-1s"}, {"delay": "61s"}, {"drop": "101%"}, {"other": "1s"}, [], {"drop": "x"}, {"drop": 1}):
        check(scope.ask("POST", "/faults", json.dumps(wrong), kind)[0] == 400, f"{wrong} is refused")
    scope.ask("POST", "/faults", json.dumps({"fail": None}), kind)
    check(scope.post(record()) == 204 and len(scope.get("/records")["records"]) == 3, "what failed or was dropped is not stored")
    scope.ask("POST", "/faults", json.dumps({"drop": "50%"}), kind)
    taken = [answer() for _ in range(60)].count(204)
    check(10 < taken < 50, f"half of the batches are dropped: {taken} of 60 are taken")
    scope.end()


def headless():
    report = os.path.join(options.folder, "report.md")
    seen = ["--until-idle", "1s", "--first-within", "20s", "--require-seen", "recipe_search.view_search", "--report", report]

    def pipeline(wanted, what, send, *more):
        scope = Scope("headless", *seen, *more)
        send(scope)
        out, error = scope.process.communicate(timeout=60)
        check(scope.process.returncode == wanted, f"{what}: {scope.process.returncode}; {(out + error).strip().splitlines()[-1:]}")
        return out, open(report, encoding="utf-8").read()

    pipeline(0, "the app's events arrive and are good", lambda scope: scope.post(record()))
    out, text = pipeline(1, "an event is missing", lambda scope: scope.post(record()), "--require-seen", "recipe_search.search")
    check("recipe_search.search did not occur" in out and "search" in text and "❌" in text, "and it is named, here and in the report")
    out, text = pipeline(1, "a record is bad", lambda scope: scope.post(record(), record(locale=5)))
    check("locale" in out and "common.md" in out and "locale" in text, "and its column and its definition's line are named")
    out, text = pipeline(1, "no record arrives", lambda scope: None, "--first-within", "1s")
    check("nothing has been checked" in out and "nothing has been checked" in text, "and both reports name it")
    out, text = pipeline(1, "only bad records of an event arrive", lambda scope: scope.post(record(**{"<b>|x": 1})))
    check("recipe_search.view_search has only bad records: 1" in out, "and the event is named")
    check("<b>" not in text and text.count("&lt;b&gt;\\|x") >= 1, "text of a record is escaped in the report")
    out, text = pipeline(
        1, "batches are refused for several reasons",
        lambda scope: [scope.post(record(), Authorization="a"), scope.post(record()), scope.post(record()), scope.ask("POST", "/", b"", {"Authorization": "a"})],
        "--expect-authorization", "a")
    check("1 batch refused with 400, whose" in out and "2 batches refused with 401, whose" in out, "and are counted by status")
    for send, wanted, what in [
        (lambda scope: (scope.post(record()), [scope.ask("POST", "/", b"") for _ in range(10)]), 1, "ten batches are refused"),
        (lambda scope: (scope.post(record()), scope.raw(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{", half=True)), 0, "a batch is cut off"),
    ]:
        out, text = pipeline(wanted, what, send)
        check(("10 batches refused with 400" in out) == ("refused with 400" in text) == (wanted == 1), "and both reports name refusals alone")
    out, text = pipeline(0, "a failure is requested", lambda scope: (scope.post(record()), time.sleep(0.6), scope.post(record())), "--fail", "400:500ms")
    first = record()
    earlier = Scope("again")
    earlier.post(first, record(locale=5))
    earlier.end()
    scope = Scope("again", "--until-idle", "1s", fresh=False)
    scope.post(first)
    out, error = scope.process.communicate(timeout=60)
    check(scope.process.returncode == 1 and "only redeliveries" in out, f"a run of redeliveries checks nothing: {scope.process.returncode}, {out!r}")
    scope = Scope("again", *seen, fresh=False)
    scope.post(first)
    out, error = scope.process.communicate(timeout=60)
    check(
        scope.process.returncode == 1 and "recipe_search.view_search did not occur" in out and "locale" not in out,
        f"the verdict is that of the run, not of the session: {scope.process.returncode}, {out!r}")
    small = os.path.join(options.folder, "full")
    os.makedirs(small, exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", small], capture_output=True).returncode == 0:
        open(os.path.join(small, "full"), "w").write("x" * 4096)
        scope = Scope("report", "--until-idle", "1s", "--require-seen", "recipe_search.search", "--report", os.path.join(small, "report.md"))
        scope.post(record())
        out, error = scope.process.communicate(timeout=60)
        left = os.listdir(small)
        subprocess.run(["umount", "-l", small])
        check(
            scope.process.returncode == 2 and "did not occur" in out and "No space left" in error and left == ["full"],
            f"a report that cannot be written hides no verdict and leaves no file: {scope.process.returncode}, {left}, {(out + error)!r}")
    definitions = os.path.join(options.folder, "own.md")
    text = "# own\n\n## open\n\n| column | type |\n| --- | --- |\n| card | int |\n"
    open(definitions, "w").write(text)
    session = os.path.join(options.folder, "own.sqlite")
    open(os.path.join(options.folder, "loggen.yml"), "w").write("rules: {}\n")
    for output in (definitions, session, session + "-wal", os.path.join(options.folder, "loggen.yml")):
        code, out, error = run(definitions, "--session", session, "--until-idle", "1s", "--first-within", "0s", "--report", output)
        check(code == 2 and "cannot be the output" in error and open(definitions).read() == text, f"a report replaces no input: {code}, {error}")
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        unused = os.path.join(options.folder, "unused.sqlite")
        code, out, error = run("Definitions", "--session", unused, "--port", str(busy.getsockname()[1]))
        check(code == 2 and "cannot listen" in error and not os.path.exists(unused), f"a busy port leaves no session: {code}")
    if options.demo:
        demo = lambda scope: check(
            subprocess.run(
                [options.demo, "--speed", "20", "--output", os.path.join(options.folder, "demo"), "--collector", f"http://127.0.0.1:{scope.port}/"],
                capture_output=True, timeout=100).returncode == 0, "recipe-demo runs")
        pipeline(0, "recipe-demo sends good records", demo, "--until-idle", "4s")
        pipeline(1, "events that recipe-demo does not post are missing", demo, "--until-idle", "4s", "--require-seen", "all")
    for wrong, what in [
        (["--until-idle", "10"], "is not a time"), (["--fail", "200:1s"], "has no status"), (["--drop", "10"], "is not a percentage"), (["--delay", "2h"], "a minute"),
        (["--require-seen", "all"], "--until-idle"), (["--until-idle", "1s", "--require-seen", "owner:@serch-team"], "did you mean"), (["--port", "99999"], "port"),
        (["--host", "nowhere.invalid"], "cannot listen"),
    ]:
        code, out, error = run("Definitions", *wrong)
        check(code == 2 and what in error, f"{' '.join(wrong)}: {code}, {error.strip().splitlines()[:1]}")
    for option, texts, what in [
        ("--until-idle", ["10", "s", "-1s", "1e3s", "infs", "nan s", "1..2s", "25h", "5mm", "5mh", "\uff11s"], "`ms`, `s`, `m`, `min` or `h`"),
        ("--drop", ["10", "101%", "-1%", "%"], "%"), ("--fail", ["5033:1s", ":1s", "503:", "503:1", "abc", "399"], "`503:30s`"),
    ]:
        for text in texts:
            code, out, error = run("Definitions", f"{option}={text}")
            check(code == 2 and (what in error or "10s" in error or "maximum of a day" in error), f"{option} {text!r}: {error.strip().splitlines()[:1]}")
    for option, texts in [("--first-within", ["10s", "500ms", "1.5s", "2min", "2m", "1h", "0s"]), ("--drop", ["10%", "0.5%"]), ("--fail", ["503:30s", "429"])]:
        for text in texts:
            code, out, error = run("--session", os.path.join(options.folder, "none.sqlite"), "--export", "-", option, text)
            check("does not exist" in error, f"{option} {text} is valid: {error.strip()}")
    code, out, error = run()
    check(code == 2 and "Name the definitions" in error, "without definitions: 2")
    code, out, error = run("--help")
    check(code == 0 and "--until-idle" in out and "logscope Definitions/" in out, "--help shows examples")


def sessions():
    one = Scope("one")
    one.post(record(), record(locale=5))
    same = record()
    one.post(same)
    one.post(same)
    before = one.state()
    one.end()
    copy = os.path.join(options.folder, "copy.sqlite")
    shutil.copy(one.session, copy)
    code, out, error = run("--session", one.session, "--export", "-")
    lines = out.splitlines()
    check(code == 0 and len(lines) == 3 and json.loads(lines[2]) == same, "--export - writes each record once, as it came")
    target = os.path.join(options.folder, "export.ndjson")
    open(target, "w").write("mine")
    check(run("--session", one.session, "--export", target)[0] == 2 and open(target).read() == "mine", "--export does not overwrite a file")
    check(run("--session", one.session, "--export", target, "--force")[0] == 0 and open(target).read() == out, "except with --force")
    check(run("--session", one.session, "--export", one.session, "--force")[0] == 2, "--export never overwrites its session")
    check("exists already" not in run("--session", one.session, "--export", "/dev/full")[2], "and asks for no --force for a device")
    check("remove the definitions" in run("Definitions", "--session", one.session, "--export", "-")[2], "--export takes no definitions")
    check(run("--session", copy, "--export", "-")[1] == out, "the file of a session that has ended is complete")
    again = Scope("one", fresh=False)
    check("(4 records so far)" in again.lines[-1][1], "a session is opened again")
    check(len(again.get("/records")["records"]) == 4, "with its records")
    check(again.state() == before, f"and its counters: {again.state()} {before}")
    again.end()
    import sqlite3
    database = sqlite3.connect(one.session)
    database.execute("UPDATE records SET violations = '[{\"kind\":1}]' WHERE bad")
    database.executemany("INSERT INTO records VALUES (?, ?, 'a', 'b', NULL, NULL, NULL, NULL, 0, 0, 0, NULL, '')", [(n, n * 60_000) for n in range(10, 100)])
    database.commit()
    database.close()
    again = Scope("one", fresh=False)
    check([r["verdict"] for r in again.get("/records?before=5")["records"]] == ["good", "good", "bad", "good"], "a bad record stays bad")
    check(again.get("/records/2")["summary"]["verdict"] == "bad" and len(again.state()["minutes"]) <= 60, "and the minutes are those of an hour")
    again.end()
    other = os.path.join(options.folder, "other.sqlite")
    if os.path.exists(other):
        os.remove(other)
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE mine (a)")
    database.commit()
    database.close()
    code, _, error = run("Definitions", "--session", other)
    check(code == 2 and "another program's database" in error, "another program's database is left alone")
    none = os.path.join(options.folder, "none.sqlite")
    code, _, error = run("--session", none, "--export", "-")
    check(code == 2 and "does not exist" in error and not os.path.exists(none), "a missing session is an error, and is not created")
    open(other, "w").write("not a database, but something of mine")
    code, _, error = run("Definitions", "--session", other)
    check(code == 2 and open(other).read() == "not a database, but something of mine", "a file that is no session stays as it is")


def disk():
    """Tests a full disk: a record that is not stored is not acknowledged."""
    folder = os.path.join(options.folder, "small")
    os.makedirs(folder, exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder], capture_output=True).returncode != 0:
        print("        skipped: no tmpfs can be mounted")
        return
    try:
        scope = Scope("small/full")
        acknowledged, answer = set(), 204
        while answer == 204 and len(acknowledged) < 50_000:
            batch = [record() for _ in range(200)]
            answer = scope.post(*batch)
            if answer == 204:
                acknowledged.update(r["event_id"] for r in batch)
        check(answer == 503, f"a full disk is answered with {answer}, after {len(acknowledged)} records")
        check(scope.post(record()) in (204, 503) and scope.ask("GET", "/definitions")[0] == 200, "and it goes on")
        subprocess.run(["mount", "-o", "remount,size=30m", folder], check=True)
        check(scope.post(record()) == 204, "with room again, a batch is taken")
        scope.end()
        code, out, _ = run("--session", scope.session, "--export", "-")
        stored = {json.loads(line)["event_id"] for line in out.splitlines()}
        check(code == 0 and acknowledged <= stored, f"of what was acknowledged {len(acknowledged - stored)} are lost")
        # A full disk of the session is another error: SQLite cannot open it.
        session = shutil.copy(scope.session, os.path.join(options.folder, "exported.sqlite"))
        target = os.path.join(folder, "records.ndjson")
        with open(target, "w") as file:
            file.write("mine")
        before = sorted(os.listdir(folder))
        with open(os.path.join(folder, "filler"), "wb") as filler:
            try:
                while filler.write(bytes(1 << 16)):
                    filler.flush()
            except OSError:
                filler.close()
        for arguments in [[os.path.join(folder, "new.ndjson")], [target, "--force"]]:
            code, _, error = run("--session", session, "--export", *arguments)
            check(code == 2 and "cannot write" in error and "No space left" in error, f"a full disk ends an export with {code}: {error}")
        os.remove(os.path.join(folder, "filler"))
        check(sorted(os.listdir(folder)) == before and open(target).read() == "mine", "no part of an export stays, and the file that it would replace does")
    finally:
        subprocess.run(["umount", "-l", folder])


def kill():
    """Kills logscope during writes and restarts it: all acknowledged records are stored."""
    sent = {}
    acknowledged = set()
    for round in range(5):
        scope = Scope("kill", fresh=round == 0)
        stop = threading.Event()

        def send():
            while not stop.is_set():
                batch = [record() for _ in range(20)]
                try:
                    if scope.post(*batch) == 204:
                        acknowledged.update(r["event_id"] for r in batch)
                except OSError:
                    return

        threads = [threading.Thread(target=send) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(random.uniform(0.5, 1.5))
        scope.process.kill()
        stop.set()
        for thread in threads:
            thread.join()
        scope.process.communicate()
    code, out, _ = run("--session", scope.session, "--export", "-")
    stored = {json.loads(line)["event_id"] for line in out.splitlines()}
    check(code == 0 and acknowledged and acknowledged <= stored, f"killed 5 times: {len(acknowledged)} acknowledged, {len(acknowledged - stored)} of them lost, {len(stored)} stored")


def torture():
    """Tests the outbox's guarantee over a bad network to logscope, while apps and logscope are killed."""
    if not options.torture:
        print("        skipped: --torture is missing")
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    received = os.path.join(options.folder, "received.ndjson")
    scope = Scope("torture", "--port", str(port))
    tool = subprocess.Popen(
        [options.torture, "--rounds", str(options.rounds), "--next", f"http://127.0.0.1:{port}/", "--received", received],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    kills = 0
    while tool.poll() is None:
        time.sleep(random.uniform(1, 4))
        if tool.poll() is None and kills < 10:
            scope.process.kill()
            scope.process.communicate()
            kills += 1
            scope = Scope("torture", "--port", str(port), fresh=False)
    out = tool.communicate()[0].strip().splitlines()
    check(tool.returncode == 0, f"{out[-1:]}")
    code, out, _ = run("--session", scope.session, "--export", "-")
    stored = {json.loads(line)["event_id"] for line in out.splitlines()}
    accepted = {json.loads(line)["event_id"] for line in open(received, encoding="utf-8")}
    check(
        code == 0 and accepted and accepted <= stored,
        f"logscope was killed {kills} times: of {len(accepted)} records that were accepted, {len(accepted - stored)} are lost; it has {len(stored)}")
    bad = scope.get("/records?bad=1")["records"]
    check(not bad, f"all of them are good {bad[:1]}")
    scope.end()


def load():
    scope = Scope("load")
    clients, size = 20, 100
    batches = int(options.rate * options.seconds / clients / size)
    names = [[[str(uuid.UUID(int=random.getrandbits(128), version=4)) for _ in range(size)] for _ in range(batches)] for _ in range(clients)]
    template = json.dumps(record(), ensure_ascii=False)
    marker = json.loads(template)["event_id"]
    bodies = [[gzip.compress("\n".join(template.replace(marker, n) for n in batch).encode(), 1) for batch in of] for of in names]
    posted, shown, acknowledged, behind, problems = {}, {}, [], [], []
    left = [0]
    listening = threading.Event()

    def watch():
        connection = http.client.HTTPConnection("127.0.0.1", scope.port, timeout=60)
        connection.request("GET", "/stream")
        stream = connection.getresponse()
        listening.set()
        kind = ""
        try:
            while True:
                line = stream.readline()
                if not line:
                    return
                if line.startswith(b"event: "):
                    kind = line[7:].strip()
                elif line.startswith(b"data: ") and kind == b"records":
                    now = time.time()
                    news = json.loads(line[6:])
                    left[0] += news["left"]
                    for r in news["records"]:
                        shown[r["id"]] = now
        except OSError:
            pass

    threading.Thread(target=watch, daemon=True).start()
    listening.wait(10)
    begin = time.time() + 0.5

    def send(number):
        connection = http.client.HTTPConnection("127.0.0.1", scope.port, timeout=60)
        for index, body in enumerate(bodies[number]):
            at = begin + (index + number / clients) * clients * size / options.rate
            time.sleep(max(0, at - time.time()))
            start = time.time()
            for name in names[number][index]:
                posted[name] = start
            connection.request("POST", "/", body, {"Content-Encoding": "gzip"})
            answer = connection.getresponse()
            answer.read()
            acknowledged.append(time.time() - start)
            behind.append(len(acknowledged) * size - len(shown) - left[0])
            if answer.status != 204:
                problems.append(answer.status)

    threads = [threading.Thread(target=send, args=(n,)) for n in range(clients)]
    for thread in threads:
        thread.start()
    memories = []
    while any(t.is_alive() for t in threads):
        time.sleep(1)
        memories.append(scope.memory())
    elapsed = time.time() - begin
    count = clients * batches * size
    end = time.time() + 30
    while len(shown) + left[0] < count and time.time() < end:
        time.sleep(0.1)
    waits = sorted(shown[n] - posted[n] for n in shown if n in posted)
    acknowledged.sort()
    behind.sort()
    p = lambda list, share: list[min(len(list) - 1, int(len(list) * share))] * 1000 if list else float("inf")
    usage = open(f"/proc/{scope.process.pid}/stat").read().split()
    cpu = (int(usage[13]) + int(usage[14])) / os.sysconf("SC_CLK_TCK")
    print(
        f"        {count} records from {clients} connections in {elapsed:.1f} s: {count / elapsed:.0f} a second; processor {cpu:.1f} s; "
        f"acknowledged after {p(acknowledged, .5):.0f} ms (p50), {p(acknowledged, .99):.0f} ms (p99); "
        f"on the page after {p(waits, .5):.0f} ms (p50), {p(waits, .99):.0f} ms (p99), {left[0]} skipped, {p(behind, .99) / 1000:.0f} behind (p99); "
        f"memory {memories[len(memories) // 4]:.0f} MB, then {memories[-1]:.0f} MB at most")
    check(not problems and len(acknowledged) == clients * batches, "every batch is acknowledged")
    # On a busy machine, the time depends on the other processes, and the processor's time hardly does.
    if options.strict:
        check(count / elapsed > options.rate * 0.9, "in time")
    else:
        check(count / cpu > options.rate * 0.2, "with little of the processor's time")
    check(len(shown) + left[0] == count, "the page receives every record, or the number of skipped ones")
    check(memories[-1] < 400, "memory is bounded")
    # The machine delays the page as it delays the answers, so the distance between both is measured in records.
    check(p(behind, .99) / 1000 < options.rate, "the page is less than a second's records behind the answers")
    if options.strict:
        check(p(waits, .99) < 100, "records are on the page at once")
    scope.end()
    code, out, _ = run("--session", scope.session, "--export", "-")
    check(out.count("\n") == count, "and in the session")


os.makedirs(options.folder, exist_ok=True)
# A missing answer fails the test.
signal.alarm(int(1800 + options.seconds))
for part in options.parts or known:
    print(f"\n{part}", flush=True)
    globals()[part]()
print(f"\n{len(failures)} failures" if failures else "\nall is well")
sys.exit(1 if failures else 0)
