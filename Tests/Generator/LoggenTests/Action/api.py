"""Serves the comments of a pull request like GitHub's API, on loopback.

usage: api.py STATE

STATE is a JSON file:

- "comments": the comments of the pull request.
- "requests": the list to which each request is added.
- "readOnly": rejects writing, like the token of a pull request from a fork.
- "login": the owner of the token.
- "answer": a string that is sent instead of the comments.
"""

import http.server
import json
import re
import sys
import urllib.parse

path = sys.argv[1]


def load():
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class API(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, status, content):
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def handle_request(self):
        state = load()
        address = urllib.parse.urlsplit(self.path)
        state["requests"].append(f"{self.command} {address.path}")
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"null")
        status, content = self.act(state, address, body)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(state, file)
        self.answer(status, content)

    def act(self, state, address, body):
        if self.headers.get("Authorization") != "Bearer secret-token":
            return 401, {"message": "Bad credentials"}
        if address.path == "/user":
            login = state.get("login")
            return (200, {"login": login}) if login else (403, {"message": "Resource not accessible by integration"})
        comments = state["comments"]
        if self.command == "GET" and address.path == "/repos/acme/app/issues/7/comments":
            if "answer" in state:
                return 200, json.loads(state["answer"])
            query = urllib.parse.parse_qs(address.query)
            page, size = int(query["page"][0]), int(query["per_page"][0])
            return 200, comments[(page - 1) * size : page * size]
        if state.get("readOnly"):
            return 403, {"message": "Resource not accessible by integration"}
        if self.command == "POST" and address.path == "/repos/acme/app/issues/7/comments":
            if len(body["body"]) > 65536:
                return 422, {"message": "Body is too long (maximum is 65536 characters)"}
            comments.append({"id": 1000 + len(comments), "user": {"login": "github-actions[bot]", "type": "Bot"}, "body": body["body"]})
            return 201, comments[-1]
        change = re.fullmatch(r"/repos/acme/app/issues/comments/(\d+)", address.path)
        if self.command == "PATCH" and change:
            for comment in comments:
                if comment["id"] == int(change[1]):
                    comment["body"] = body["body"]
                    return 200, comment
        return 404, {"message": "Not Found"}

    do_GET = do_POST = do_PATCH = handle_request


server = http.server.HTTPServer(("127.0.0.1", 0), API)
print(server.server_port, flush=True)
server.serve_forever()
