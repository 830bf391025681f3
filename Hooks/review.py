"""What the action does on GitHub: lints, reviews, annotates, writes the job's summary, and keeps one comment up to date.

It reads the action's inputs from LOGGEN_* and the runner's own variables, and needs nothing but Python 3.8 and git.
Exit codes: 0 nothing is wrong; 1 the definitions have errors, or the change breaks somebody without having been accepted;
2 used wrongly, or something could not be read.
"""

import http.client
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


def at(content, *keys):
    """What stands in JSON at some keys; None if anything on the way is missing or of another kind."""
    for key in keys:
        content = content.get(key) if isinstance(content, dict) else None
    return content


def listed(content):
    return content if isinstance(content, list) else []


def event():
    """What started the workflow."""
    path = variable("GITHUB_EVENT_PATH")
    if not path or not os.path.exists(path):
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError) as problem:
        command("error", f"cannot read what started the workflow, {path}: {problem}")
        sys.exit(2)
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


# Git


def git(folder, *arguments):
    try:
        return subprocess.run(["git", "-C", folder, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except OSError as problem:
        command("error", f"cannot run git: {problem}")
        sys.exit(2)


def trust(definitions):
    """Lets git read the workspace. In a container its owner is another than the job's user, and git then wants to be told."""
    folder = definitions if os.path.isdir(definitions) else os.path.dirname(definitions) or "."
    if not os.path.isdir(folder) or b"dubious ownership" not in git(folder, "rev-parse", "--git-dir").stderr:
        return
    top = os.path.realpath(folder)
    while not os.path.exists(os.path.join(top, ".git")) and os.path.dirname(top) != top:
        top = os.path.dirname(top)
    git(folder, "config", "--global", "--add", "safe.directory", top)


def commit(definitions, revision):
    """What a revision is; None if the clone does not have it."""
    folder = definitions if os.path.isdir(definitions) else os.path.dirname(definitions) or "."
    found = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    return text(found.stdout).strip() if found.returncode == 0 else None


def base(payload, definitions):
    """The arguments that say what the change is compared with, and a remark about them."""
    if variable("LOGGEN_BASE_TAG"):
        return ["--base-tag", variable("LOGGEN_BASE_TAG")], None
    named = variable("LOGGEN_BASE") or at(payload, "pull_request", "base", "sha")
    if named:
        return ["--base", str(named)], None
    before = str(at(payload, "before") or "")
    if before and commit(definitions, before):
        return ["--base", before], None
    # The first push of a branch has no commit before it; that of a forced push is in no branch any more.
    branch = at(payload, "repository", "default_branch")
    for revision in [f"origin/{branch}", str(branch)] if branch else ["HEAD~1"]:
        if commit(definitions, revision):
            if not before or set(before) == {"0"}:
                return ["--base", revision], None
            # After a forced push to the default branch, nothing is left to compare with.
            is_same = commit(definitions, revision) == commit(definitions, "HEAD")
            advice = ", which is the commit that was pushed: name a revision in the input `base`" if is_same else ""
            return ["--base", revision], f"the commit before this push is not in the clone; compared with {revision}{advice}"
    place = f"nor is `origin/{branch}`" if branch else "and the event names no default branch"
    command(
        "error",
        f"there is nothing to compare with: a commit before this push is not in the clone, {place};"
        " write `fetch-depth: 0` for actions/checkout, or name a revision in the input `base`",
    )
    sys.exit(2)


def lint(definitions):
    """The problems, each as a line that the runner obeys: errors, and warnings."""
    result = loggen("lint", "--diagnostics", "github", "--", definitions)
    if result.returncode not in (0, 1):
        say(text(result.stdout))
        command("error", text(result.stderr).strip() or f"loggen lint ended with {result.returncode}")
        sys.exit(2)
    lines = text(result.stdout).split("\n")
    return [[line for line in lines if line.startswith(f"::{kind} ")] for kind in ("error", "warning")]


def annotate(problems, errors, warnings):
    """Shows what matters most: first what the review says, then problems of the definitions. Returns those that find no room."""
    left = []
    for kind, first, found in (("error", errors, problems[0]), ("warning", warnings, problems[1])):
        for sentence in first:
            command(kind, sentence)
        room = max(0, SHOWN - len(first))
        for line in found[:room]:
            say(line)
        left += found[room:]
    return left


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
        return at(call("GET", "/user"), "login")
    except urllib.error.HTTPError:
        return None


def find(comments, marker):
    """The number of the comment that was written before. People may quote it; theirs is left alone."""
    login = own_login()
    page = 1
    while True:
        found = call("GET", f"{comments}?per_page={PAGE}&page={page}")
        if not isinstance(found, list):
            raise ValueError("the answer is not a list of comments")
        for comment in found:
            is_own = at(comment, "user", "login") == login if login else at(comment, "user", "type") == "Bot"
            if is_own and str(at(comment, "body") or "").rstrip().endswith(marker) and at(comment, "id") is not None:
                return at(comment, "id")
        if len(found) < PAGE:
            return None
        page += 1


def keep_comment(payload, report, verdict):
    """Writes the comment. Returns why it could not."""
    number = at(payload, "pull_request", "number")
    repository = variable("GITHUB_REPOSITORY")
    if variable("LOGGEN_COMMENT", "true") != "true" or not number or not repository or not variable("LOGGEN_TOKEN"):
        return None
    marker = report.rstrip().rsplit("\n", 1)[-1]
    comments = f"/repos/{repository}/issues/{number}/comments"
    try:
        existing = find(comments, marker)
        if existing is not None:
            call("PATCH", f"/repos/{repository}/issues/comments/{existing}", {"body": report})
        elif verdict != "nothing":
            call("POST", comments, {"body": report})
    except (OSError, ValueError, http.client.HTTPException) as problem:
        # A pull request from a fork may not write. The summary has the report.
        return f"the report is in the job's summary only: its comment could not be written ({problem})"
    return None


def main():
    payload = event()
    definitions = variable("LOGGEN_DEFINITIONS", "Definitions")
    problems = lint(definitions)
    trust(definitions)
    labels = [at(label, "name") for label in listed(at(payload, "pull_request", "labels"))]
    arguments, remark = base(payload, definitions)
    warnings = [remark] if remark else []
    if variable("LOGGEN_SOURCES"):
        arguments += ["--sources", variable("LOGGEN_SOURCES")]
    if variable("LOGGEN_LABEL") in labels:
        arguments.append("--accepted")
    result = loggen("review", *arguments, "--format", "markdown", "--", definitions)
    if result.returncode not in (0, 1):
        annotate(problems, [text(result.stderr).strip() or f"loggen review ended with {result.returncode}"], warnings)
        return 2
    report = text(result.stdout)
    described = loggen("review", *arguments, "--format", "json", "--", definitions)
    answer = json.loads(text(described.stdout)) if described.returncode in (0, 1) else {}
    verdict = at(answer, "verdict") or ""
    failure = keep_comment(payload, report, verdict)
    sentence = report.split("\n", 1)[0]
    say(sentence)
    label = "" if variable("LOGGEN_LABEL") in labels else f" The label `{variable('LOGGEN_LABEL')}` accepts what can be accepted, too."
    left = annotate(problems, [sentence + label] if verdict == "breaks" else [], warnings + ([failure] if failure else []))
    append("GITHUB_OUTPUT", f"verdict={verdict}\n")
    append("GITHUB_STEP_SUMMARY", report + rest(left))
    # Errors that were there before are not this change's doing.
    has_errors = len(problems[0]) > (at(answer, "formerErrors") or 0)
    return 1 if has_errors or result.returncode == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
