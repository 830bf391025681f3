#!/usr/bin/env python3
"""A receiver of OTLP that is independent of loggen: the generated code of OpenTelemetry's definitions.

usage: otlp.py BODIES RECORDS    compares requests with the records that they should carry
       otlp.py --listen          prints a port, and answers requests on it with their records

Each request is one `ExportLogsServiceRequest` in JSON. It is parsed strictly (unknown members, members that occur
twice, and names or numbers in another form than OTLP's are errors), encoded as Protocol Buffers, and decoded again.
Its log records become records: JSON on one line.

BODIES has a request on each line. The records of all requests together must be the lines of RECORDS, with the same
types and values.

Exit codes: 0 the records are the same; 1 they are not, or a request is invalid; 2 a file or a module is missing.
"""

import datetime
import json
import re
import sys

try:
    from google.protobuf import json_format
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
except ImportError as error:
    sys.exit(print(f"otlp.py: {error}; pip install opentelemetry-proto protobuf", file=sys.stderr) or 2)

EPOCH = datetime.datetime(1970, 1, 1)
ENVELOPE = ["event_id", "event_category", "event_name", "schema_version"]


class Invalid(Exception):
    pass


def check(holds, message):
    if not holds:
        raise Invalid(message)


def check_form(value):
    """Checks the parts of OTLP/JSON that the JSON form of Protocol Buffers leaves open."""
    if isinstance(value, list):
        for item in value:
            check_form(item)
    if not isinstance(value, dict):
        return
    for name, member in value.items():
        check(re.fullmatch("[a-z][A-Za-z]*", name), f"{name} is not in lowerCamelCase")
        if name in ("intValue", "timeUnixNano"):
            check(isinstance(member, str), f"{name} is not a string: {member!r}")
        if name == "severityNumber":
            check(type(member) is int, f"{name} is not a number: {member!r}")
        check_form(member)


def plain(value):
    """The value of an `AnyValue`."""
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if kind == "array_value":
        return [plain(item) for item in value.array_value.values]
    check(kind in ("string_value", "bool_value", "int_value", "double_value"), f"a value is a {kind}")
    return getattr(value, kind)


def members(attributes):
    result = {}
    for attribute in attributes:
        check(attribute.key, "an attribute has no name")
        check(attribute.key not in result, f"the attribute {attribute.key} occurs twice")
        result[attribute.key] = plain(attribute.value)
    return result


def record(log):
    """The record of a log record, as bytes."""
    if log.HasField("body"):
        check(log.severity_number == 13 and not log.attributes and not log.event_name, "a body next to attributes")
        check(log.body.WhichOneof("value") == "bytes_value", "the body is not bytes")
        return log.body.bytes_value
    check(log.severity_number == 9, f"the severity is {log.severity_number}")
    all_members = members(log.attributes)
    names = [all_members.get("event_category"), all_members.get("event_name")]
    are_texts = all(isinstance(name, str) for name in names)
    check(log.event_name == (".".join(names) if are_texts else ""), f"the event's name is {log.event_name!r}")
    result = {name: all_members.pop(name) for name in ENVELOPE if name in all_members}
    if log.time_unix_nano:
        check("occurred_at" not in all_members, "two times")
        check(log.time_unix_nano % 1_000_000 == 0, "the time has fractions of milliseconds")
        time = EPOCH + datetime.timedelta(milliseconds=log.time_unix_nano // 1_000_000)
        result["occurred_at"] = time.isoformat(timespec="milliseconds") + "Z"
    result.update(all_members)
    return json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode()


def records(body):
    """The records of a request."""
    try:
        check_form(json.loads(body))
        parsed = json_format.Parse(body, ExportLogsServiceRequest(), ignore_unknown_fields=False)
        binary = parsed.SerializeToString()
        request = ExportLogsServiceRequest.FromString(binary)
    except (ValueError, RecursionError, json_format.ParseError) as error:
        raise Invalid(str(error)) from None
    check(request == parsed, "the encoded request is another one")
    check(len(request.resource_logs) == 1, "not one resource")
    resource = request.resource_logs[0]
    check(members(resource.resource.attributes).get("service.name"), "the resource has no service.name")
    check(len(resource.scope_logs) == 1, "not one scope")
    scope = resource.scope_logs[0]
    check(scope.scope.name == "loggen" and scope.scope.version, f"the scope is {scope.scope}")
    check(scope.log_records, "an empty request")
    return [record(log) for log in scope.log_records]


def typed(line):
    """A record with the types of its values: `1`, `1.0` and `true` differ. Bytes that are not a record stay the same."""
    try:
        pairs = json.loads(line.decode(), object_pairs_hook=list)
    except (ValueError, RecursionError):
        return line
    return line if not isinstance(pairs, list) else repr(sorted(map(repr, pairs)))


def compare(bodies, lines):
    received = [line for body in bodies for line in records(body)]
    check(len(received) == len(lines), f"{len(received)} records for {len(lines)}")
    for number, (one, other) in enumerate(zip(received, lines), 1):
        check(typed(one) == typed(other), f"record {number}: received {one!r} for {other!r}")
    print(f"{len(received)} records in {len(bodies)} requests are the same")


def listen():
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                status, answer = 200, b"\n".join(records(body))
            except Invalid as error:
                status, answer = 400, str(error).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


def main(arguments):
    if arguments == ["--listen"]:
        return listen()
    if len(arguments) != 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        bodies, lines = [open(path, "rb").read().split(b"\n")[:-1] for path in arguments]
    except OSError as error:
        print(f"otlp.py: {error}", file=sys.stderr)
        return 2
    try:
        compare(bodies, lines)
    except Invalid as error:
        print(f"otlp.py: {error}", file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
