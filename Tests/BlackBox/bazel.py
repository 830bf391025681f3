#!/usr/bin/env python3
"""Builds the rule of Examples/Bazel with Bazel and the released tool, and compares its Swift with that of `loggen`.

usage: Tests/BlackBox/bazel.py ARCHIVE LOGGEN FOLDER

ARCHIVE is the zipped artifact bundle, LOGGEN the tool in it. FOLDER is an empty folder for the workspace; its Swift is
left in FOLDER/Swift. Debian's Bazel has no modules, so the archive of MODULE.bazel becomes a WORKSPACE. It is fetched
from a file, with its checksum. There is no network, so rules_swift and the package of the runtime are restated: their
targets only pass the files on.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ARCHIVE, LOGGEN, FOLDER = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "Examples/Bazel"
APP = FOLDER / "app"
failures = []


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        failures.append(what)


def run(*command, cwd, code=0):
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=300)
    if done.returncode != code:
        print(done.stdout[-4000:] + done.stderr[-4000:])
        sys.exit(f"bazel.py: exit code {done.returncode}, expected {code}: {command}")
    return done.stdout + done.stderr


def bazel(base, command, *arguments, code=0, cwd=APP):
    # The rc file of the system, in which Debian names the parts of its installation, and none of the user.
    return run("bazel", "--nohome_rc", f"--output_user_root={FOLDER / base}", command, *arguments,
               cwd=cwd, code=code)


def module():
    """Returns the arguments of each call in MODULE.bazel. Its language is the part of Python with calls and literals."""
    calls = []

    class Extension:
        def from_package(self, **arguments):
            calls.append(("from_package", arguments))

    def record(name):
        return lambda *values, **arguments: calls.append((name, {**arguments, "": values}))

    names = {name: record(name) for name in ("module", "bazel_dep", "use_repo")}
    names["use_extension"] = lambda *_: Extension()
    names["use_repo_rule"] = lambda file, name: record(f"{file} {name}")
    exec((EXAMPLE / "MODULE.bazel").read_text(), {"__builtins__": {}}, names)
    return calls


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def workspace(checksum=None):
    """Writes the WORKSPACE for the archive of MODULE.bazel, with a local address and its checksum."""
    (rule, archive), = [call for call in module() if call[0].endswith(" http_archive")]
    archive = {key: value for key, value in archive.items() if key}
    archive["urls"] = [ARCHIVE.as_uri()]
    archive["sha256"] = checksum or hashlib.sha256(ARCHIVE.read_bytes()).hexdigest()
    arguments = ", ".join(f"{key} = {value!r}" for key, value in archive.items())
    repositories = "".join(
        f'local_repository(name = "{name}", path = "{FOLDER / name}")\n' for name in ("rules_swift", "swiftpkg_loggen"))
    write(APP / "WORKSPACE", f'load("{rule.split()[0]}", "http_archive")\nhttp_archive({arguments})\n{repositories}')


def generated(base):
    """Returns the generated Swift of a build: names and bytes."""
    listed = bazel(base, "cquery", "--output=starlark", "--starlark:expr",
                   "'\\n'.join([f.path for f in target.files.to_list()])", "//:app_logs_swift")
    root = pathlib.Path(bazel(base, "info", "execution_root").splitlines()[0])
    return {pathlib.Path(line).name: (root / line).read_bytes()
            for line in listed.splitlines() if line.endswith(".swift")}


def expected():
    """Returns the Swift that the tool generates outside of Bazel."""
    shutil.rmtree(FOLDER / "expected", ignore_errors=True)
    run(LOGGEN, "generate", "Definitions", "--only", "swift", "--output", FOLDER / "expected", cwd=APP)
    return {file.name: file.read_bytes() for file in (FOLDER / "expected/Swift").iterdir()}


# A project of `loggen init` with the files of the example, whose path is plain, because Bazel 4 rejects others.
run(LOGGEN, "init", "--without-plugin", APP, cwd=FOLDER)
for name in ("BUILD.bazel", "loggen.BUILD", "loggen.bzl"):
    shutil.copyfile(EXAMPLE / name, APP / name)
# Restated: `swift_library` of rules_swift and the product of a package.
for name in ("rules_swift", "swiftpkg_loggen"):
    write(FOLDER / name / "WORKSPACE", f'workspace(name = "{name}")\n')
write(FOLDER / "rules_swift/swift/BUILD.bazel", "")
write(FOLDER / "rules_swift/swift/swift_library.bzl", '''def swift_library(name, srcs, module_name, deps, visibility):
    native.filegroup(name = name, srcs = srcs, data = deps, visibility = visibility)
''')
write(FOLDER / "swiftpkg_loggen/BUILD.bazel",
      'filegroup(name = "ActivityTracking", visibility = ["//visibility:public"])\n')

calls = module()
(package,) = [arguments for name, arguments in calls if name == "from_package"]
check(package["swift"] == "//:Package.swift", "MODULE.bazel reads the runtime from Package.swift")
check([arguments[""][-1] for name, arguments in calls if name == "use_repo"] == ["swiftpkg_loggen"],
      "MODULE.bazel makes the package visible")

workspace("0" * 64)
said = bazel("one", "build", "//:AppLogs", code=1)
check("Checksum was" in said and "wanted " + "0" * 64 in said, "an archive with another checksum is refused")

workspace()
said = bazel("one", "build", "//:AppLogs", "--strategy=Loggen=sandboxed")
check("1 linux-sandbox" in said, "the tool runs in the sandbox")
files = generated("one")
check(sorted(files) == ["CommonColumns.swift", "Lifecycle.swift", "Types.swift"], "each definition file has a Swift file")
check(files == expected(), "the Swift is that of the command, byte for byte")
check("1 process: 1 internal" in bazel("one", "build", "//:AppLogs"), "without a change, the tool is not run again")
before = sorted(path.name for path in (APP / "Definitions").iterdir())
check(".loggen-outputs" in before and "loggen.lock" in before, "the definition folder has the manifest and the lock file")

# Another machine: nothing in common but the sources, and the action outside of the sandbox.
bazel("two", "build", "//:AppLogs", "--spawn_strategy=local")
check(generated("two") == files, "two builds have the same bytes, with the sandbox and without it")
check(sorted(path.name for path in (APP / "Definitions").iterdir()) == before, "a build writes nothing into the sources")

# Several targets at once, in packages with other names; a folder below the definition folder; settings.
for number in range(6):
    package = APP / f"features/f{number}"
    shutil.copytree(APP / "Definitions", package / "Logs")
    write(package / "Logs/画面 1/home_feed.md", f"# home_feed\n\n## open_{number}\n")
    write(package / "Logs/README.ja.md", "# Not a definition\n")
    write(package / "Logs/loggen.yml", "outputs:\n  swift: {to: ../Generated, access: package}\n")
    write(package / "BUILD.bazel", 'load("//:loggen.bzl", "loggen_swift")\n'
          'loggen_swift(name = "swift", definitions = glob(["Logs/**"]), folder = "Logs")\n')
bazel("one", "build", "//features/...", "--jobs=6")
for number in range(6):
    swift = APP / f"bazel-bin/features/f{number}/swift/Swift"
    check(sorted(path.name for path in swift.iterdir() if not path.name.startswith("."))
          == ["CommonColumns.swift", "HomeFeed.swift", "Lifecycle.swift", "Types.swift"]
          and f"case open{number}" in (swift / "HomeFeed.swift").read_text()
          and "package enum HomeFeed" in (swift / "HomeFeed.swift").read_text(), f"feature {number} has its own Swift")

# An edit, a new file, a removed one, and a mistake.
document = APP / "Definitions/lifecycle.md"
text = document.read_text()
document.write_text(text + "\n## quit\n")
write(APP / "Definitions/search.md", "# search\n\n## show\n")
bazel("one", "build", "//:AppLogs")
check(b"case quit" in generated("one")["Lifecycle.swift"] and generated("one") == expected(), "an edit and a new file are built")
(APP / "Definitions/search.md").unlink()
document.write_text(text)
bazel("one", "build", "//:AppLogs")
check(generated("one") == files, "a removed file's Swift is not part of the target")
document.write_text(text.replace("LaunchSource", "LunchSource"))
said = bazel("one", "build", "//:AppLogs", code=1)
check("Definitions/lifecycle.md:" in said and "the type `LunchSource` is not defined" in said, "a mistake fails at its place")
document.write_text(text)

shutil.rmtree(FOLDER / "Swift", ignore_errors=True)
(FOLDER / "Swift").mkdir()
for name, content in files.items():
    (FOLDER / "Swift" / name).write_bytes(content)
for base in ("one", "two"):
    bazel(base, "shutdown")
sys.exit(f"bazel.py: {len(failures)} checks failed" if failures else 0)
