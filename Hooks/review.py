"""The GitHub action: lints, reviews, annotates, writes the job's summary, and updates one comment.

It reads the action's inputs from LOGGEN_* and the runner's variables, and needs only Python 3.8 and git.
Exit codes: 0 no problems; 1 the definitions have errors, or the change is breaking and not accepted; 2 wrong usage, or
something could not be read.
"""

import http.client
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request

# The number of errors, and of warnings, that GitHub shows for a step.
SHOWN = 10
# The number of lines that fits into a summary, which has a limit of 1 MiB.
SUMMARY_LINES = 1000
# The maximum page size of GitHub's API.
PAGE = 100


def variable(name, default=""):
    return os.environ.get(name) or default


def say(text):
    print(text, flush=True)


def command(kind, text):
    """Prints a workflow command."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    say(f"::{kind}::{escaped}")


def at(content, *keys):
    """Returns the value at a path of keys in JSON; None if it is missing or a parent is not an object."""
    for key in keys:
        content = content.get(key) if isinstance(content, dict) else None
    return content


def listed(content):
    return content if isinstance(content, list) else []


def event():
    """Returns the event that started the workflow."""
    path = variable("GITHUB_EVENT_PATH")
    if not path or not os.path.exists(path):
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError) as problem:
        command("error", f"cannot read the event of the workflow, {path}: {problem}")
        sys.exit(2)
    return content if isinstance(content, dict) else {}


def loggen(*arguments):
    tool = variable("LOGGEN_TOOL", os.path.join(os.path.dirname(os.path.abspath(__file__)), "loggen"))
    environment = {name: value for name, value in os.environ.items() if name != "LOGGEN_TOKEN"}
    try:
        return subprocess.run(
            [tool, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, check=False)
    except OSError as problem:
        command("error", f"cannot run loggen: {problem}")
        sys.exit(2)


def text(output):
    return output.decode("utf-8", "replace")


# Git


def git(folder, *arguments):
    try:
        return subprocess.run(
            ["git", "-C", folder, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except OSError as problem:
        command("error", f"cannot run git: {problem}")
        sys.exit(2)


def folders(definitions):
    """Returns the folders whose repository may have the definitions, in the order in which loggen tries them. A pull
    request may put another repository into the place of a folder."""
    if os.path.isabs(definitions):
        found = [".", os.path.dirname(definitions), definitions]
    else:
        parts = definitions.split("/")
        found = ["."] + ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return [folder for folder in found if os.path.isdir(folder)]


def trust(definitions):
    """Lets git read the workspace. In a container another user may own it, and git then needs `safe.directory`."""
    for folder in folders(definitions):
        if b"dubious ownership" not in git(folder, "rev-parse", "--git-dir").stderr:
            continue
        top = os.path.realpath(folder)
        while not os.path.exists(os.path.join(top, ".git")) and os.path.dirname(top) != top:
            top = os.path.dirname(top)
        git(folder, "config", "--global", "--add", "safe.directory", top)


def commit(definitions, revision):
    """Returns the commit of a revision; None if the clone does not contain it."""
    for folder in folders(definitions):
        if git(folder, "rev-parse", "--show-toplevel").returncode == 0:
            found = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
            return text(found.stdout).strip() if found.returncode == 0 else None
    return None


def base(payload, definitions):
    """Returns the arguments that name the base of the comparison, and a remark about it."""
    if variable("LOGGEN_BASE_TAG"):
        return ["--base-tag", variable("LOGGEN_BASE_TAG")], None
    named = variable("LOGGEN_BASE") or at(payload, "pull_request", "base", "sha")
    if named:
        return ["--base", str(named)], None
    before = str(at(payload, "before") or "")
    if before and commit(definitions, before):
        return ["--base", before], None
    # The first push of a branch has no previous commit. After a forced push, the previous commit is not in any branch.
    branch = at(payload, "repository", "default_branch")
    for revision in [f"refs/remotes/origin/{branch}", f"refs/heads/{branch}"] if branch else ["HEAD~1"]:
        if commit(definitions, revision):
            if not before or set(before) == {"0"}:
                return ["--base", revision], None
            # After a forced push to the default branch, the base of the comparison is lost.
            is_same = commit(definitions, revision) == commit(definitions, "HEAD")
            advice = ", which is the commit that was pushed: name a revision in the input `base`" if is_same else ""
            return ["--base", revision], (
                f"the commit before this push is not in the clone; compared with {revision.split('/', 2)[-1]}{advice}")
    place = f"nor is `origin/{branch}`" if branch else "and the event names no default branch"
    command(
        "error",
        f"the base of the comparison is missing: a commit before this push is not in the clone, {place};"
        " set `fetch-depth: 0` for actions/checkout, or name a revision in the input `base`",
    )
    sys.exit(2)


def lint(definitions):
    """Returns the problems as workflow commands: errors and warnings."""
    result = loggen("lint", "--diagnostics", "github", "--", definitions)
    if result.returncode not in (0, 1):
        say(text(result.stdout))
        command("error", text(result.stderr).strip() or f"loggen lint ended with {result.returncode}")
        sys.exit(2)
    lines = text(result.stdout).split("\n")
    return [[line for line in lines if line.startswith(f"::{kind} ")] for kind in ("error", "warning")]


def annotate(problems, errors, warnings):
    """Prints the most important annotations: the review, then problems. Returns the problems that do not fit."""
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
    """Returns the problems that GitHub would not show, as Markdown."""
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
    return (f"\n<details><summary>{count} of the definitions</summary>\n\n```text\n"
            + "\n".join(lines) + end + "\n```\n\n</details>\n")


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
    """Returns the login of the token's user; None for a workflow's token, which has no user."""
    try:
        return at(call("GET", "/user"), "login")
    except urllib.error.HTTPError:
        return None


def find(comments, marker):
    """Returns the identifier of the action's previous comment. Quotes of it in other comments are ignored."""
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
    """Creates or updates the comment. Returns the reason if that fails."""
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
        # A pull request from a fork has no write permission. The summary has the report.
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
    # `accept-breaking-logs: ana@example.com` is the consent of one owner. GitHub compares names of labels without case.
    prefix = variable("LOGGEN_LABEL") + ":"
    for label in labels:
        owner = label[len(prefix):].strip() if isinstance(label, str) and "\0" not in label else ""
        if owner and prefix != ":" and label.casefold().startswith(prefix.casefold()):
            arguments.append("--accepted-by=" + owner)
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
    label = "" if variable("LOGGEN_LABEL") in labels or not at(answer, "unaccepted") else (
        f" The label `{variable('LOGGEN_LABEL')}` also accepts the changes that can be accepted.")
    owners = [str(owner) for owner in listed(at(answer, "missingOwners"))]
    if owners:
        label += f" The label `{variable('LOGGEN_LABEL')}: {owners[0]}` is the consent of this owner."
    left = annotate(
        problems, [sentence + label] if verdict == "breaks" else [], warnings + ([failure] if failure else []))
    append("GITHUB_OUTPUT", f"verdict={verdict}\n")
    append("GITHUB_STEP_SUMMARY", report + rest(left))
    # Existing errors do not fail the job.
    has_errors = len(problems[0]) > (at(answer, "formerErrors") or 0)
    return 1 if has_errors or result.returncode == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
