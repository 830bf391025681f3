"""What the action does on GitHub: lints, reviews, annotates, writes the job's summary, and keeps one comment up to date.

It reads the action's inputs from LOGGEN_* and the runner's own variables, and needs nothing but Python 3.8 and git.
Exit codes: 0 nothing is wrong; 1 the definitions have errors, or the change breaks somebody without having been accepted;
2 used wrongly, or something could not be read.
"""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request

# A step shows so many errors, and so many warnings.
SHOWN = 10
# A summary has 1 MiB at most.
SUMMARY_LINES = 1000
# What GitHub gives at once.
PAGE = 100


def variable(name, default=""):
    return os.environ.get(name) or default


def say(text):
    print(text, flush=True)


def command(kind, text):
    """A line that the runner obeys."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    say(f"::{kind}::{escaped}")


def event():
    """What started the workflow."""
    path = variable("GITHUB_EVENT_PATH")
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    return content if isinstance(content, dict) else {}


def loggen(*arguments):
    tool = variable("LOGGEN_TOOL", os.path.join(os.path.dirname(os.path.abspath(__file__)), "loggen"))
    environment = {name: value for name, value in os.environ.items() if name != "LOGGEN_TOKEN"}
    try:
        return subprocess.run([tool, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, check=False)
    except OSError as problem:
        command("error", f"cannot run loggen: {problem}")
        sys.exit(2)


def text(output):
    return output.decode("utf-8", "replace")


def base(payload):
    """The arguments that say what the change is compared with."""
    if variable("LOGGEN_BASE_TAG"):
        return ["--base-tag", variable("LOGGEN_BASE_TAG")]
    named = variable("LOGGEN_BASE") or payload.get("pull_request", {}).get("base", {}).get("sha") or payload.get("before", "")
    # The first push of a branch has no commit before it.
    if not named or set(named) == {"0"}:
        branch = payload.get("repository", {}).get("default_branch")
        named = f"origin/{branch}" if branch else "HEAD~1"
    return ["--base", named]


def lint(definitions):
    """Annotates the worst problems. Returns what is left for the summary, and whether there are errors."""
    result = loggen("lint", "--diagnostics", "github", "--", definitions)
    if result.returncode not in (0, 1):
        say(text(result.stdout))
        command("error", text(result.stderr).strip() or f"loggen lint ended with {result.returncode}")
        sys.exit(2)
    lines = [line for line in text(result.stdout).split("\n") if line.startswith("::")]
    shown, left = [], []
    for kind in ("error", "warning"):
        found = [line for line in lines if line.startswith(f"::{kind} ")]
        shown += found[:SHOWN]
        left += found[SHOWN:]
    for line in shown:
        say(line)
    return left, result.returncode == 1


def rest(left):
    """The problems that GitHub would not show, as lines of text."""
    if not left:
        return ""
    lines = []
    for line in left[:SUMMARY_LINES]:
        head, _, message = line[2:].partition("::")
        places = dict(part.partition("=")[::2] for part in head.partition(" ")[2].split(","))
        place = ":".join(places[key] for key in ("file", "line", "col") if key in places)
        sentence = f"{place}: {head.partition(' ')[0]}: {message.split('%0A')[0]}"
        for escape, sign in (("%0D", " "), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            sentence = sentence.replace(escape, sign)
        lines.append(sentence.replace("`", "'"))
    more = len(left) - len(lines)
    end = f"\n…and {more} more" if more else ""
    count = "1 more problem" if len(left) == 1 else f"{len(left)} more problems"
    return f"\n<details><summary>{count} of the definitions</summary>\n\n```text\n" + "\n".join(lines) + end + "\n```\n\n</details>\n"


def append(name, content):
    path = variable(name)
    if not path:
        return
    with open(path, "a", encoding="utf-8") as file:
        file.write(content)


# The comment


def call(method, path, body=None):
    address = variable("GITHUB_API_URL", "https://api.github.com") + path
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(
        address,
        data=data,
        method=method,
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": "Bearer " + variable("LOGGEN_TOKEN"),
            "Content-Type": "application/json",
            "X-GitHub-Api-Version": "2022-11-28",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def own_login():
    """Whose token this is; None for a workflow's own, which belongs to no user."""
    try:
        return call("GET", "/user").get("login")
    except urllib.error.HTTPError:
        return None


def find(comments, marker):
    """The number of the comment that was written before. People may quote it; theirs is left alone."""
    login = own_login()
    page = 1
    while True:
        found = call("GET", f"{comments}?per_page={PAGE}&page={page}")
        for comment in found:
            author = comment.get("user") or {}
            is_own = author.get("login") == login if login else author.get("type") == "Bot"
            if is_own and (comment.get("body") or "").rstrip().endswith(marker):
                return comment["id"]
        if len(found) < PAGE:
            return None
        page += 1


def keep_comment(payload, report, verdict):
    number = payload.get("pull_request", {}).get("number")
    repository = variable("GITHUB_REPOSITORY")
    if variable("LOGGEN_COMMENT", "true") != "true" or not number or not repository or not variable("LOGGEN_TOKEN"):
        return
    marker = report.rstrip().rsplit("\n", 1)[-1]
    comments = f"/repos/{repository}/issues/{number}/comments"
    try:
        existing = find(comments, marker)
        if existing is not None:
            call("PATCH", f"/repos/{repository}/issues/comments/{existing}", {"body": report})
        elif verdict != "nothing":
            call("POST", comments, {"body": report})
    except (OSError, ValueError, KeyError) as problem:
        # A pull request from a fork may not write. The summary has the report.
        command("warning", f"the report is in the job's summary only: its comment could not be written ({problem})")


def main():
    payload = event()
    definitions = variable("LOGGEN_DEFINITIONS", "Definitions")
    left, has_errors = lint(definitions)
    labels = [label.get("name") for label in payload.get("pull_request", {}).get("labels", [])]
    arguments = base(payload)
    if variable("LOGGEN_SOURCES"):
        arguments += ["--sources", variable("LOGGEN_SOURCES")]
    if variable("LOGGEN_LABEL") in labels:
        arguments.append("--accepted")
    result = loggen("review", *arguments, "--format", "markdown", "--", definitions)
    if result.returncode not in (0, 1):
        command("error", text(result.stderr).strip() or f"loggen review ended with {result.returncode}")
        return 2
    report = text(result.stdout)
    described = loggen("review", *arguments, "--format", "json", "--", definitions)
    verdict = json.loads(text(described.stdout)).get("verdict", "") if described.returncode in (0, 1) else ""
    append("GITHUB_OUTPUT", f"verdict={verdict}\n")
    append("GITHUB_STEP_SUMMARY", report + rest(left))
    keep_comment(payload, report, verdict)
    say(report.split("\n", 1)[0])
    if verdict == "breaks":
        command("error", report.split("\n", 1)[0] + f" The label `{variable('LOGGEN_LABEL')}` accepts it, too.")
    return 1 if has_errors or result.returncode == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
