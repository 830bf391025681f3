#!/usr/bin/env python3
"""Makes a release: updates the version in all files, builds the bundle, commits, tags, and writes the files to upload.

    Releases/release.py 0.2.0 --dry-run         prints the steps, and changes nothing
    Releases/release.py 0.2.0                   makes the release in this clone only
    Releases/release.py 0.2.0 --push origin     also pushes the branch and the tag, in one atomic push

In CHANGELOG.md, the entries under `Unreleased` move under the version. The files to upload are
loggen.artifactbundle.zip, SHA256SUMS, and the Homebrew formula loggen.rb. The folder loggen-plugins is the content of
the repository of that name, whose plugins run the bundle. If a step fails before the commit, the changed files are
restored.

Exit codes: 0 success; 1 the clone is not ready for a release, or a step failed; 2 wrong usage.
"""
import argparse
import datetime
import hashlib
import os
import re
import shutil
import subprocess
import sys

import bundle as bundles
import plugins

root = bundles.root
Failure = bundles.Failure
number = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
# The files that contain the version, in addition to VERSION and CHANGELOG.md, with the strings before and after it.
places = [
    ("Sources/Generator/LogProject/Version.swift", 'package let loggenVersion = "', '"'),
    ("Plugins/Shared/LoggenTool.swift", 'static let version = "', '"'),
    ("Sources/Runtime/ActivityOutbox/Uploading/OTLP/OTLPWriter.swift", 'static let loggenVersion = "', '"'),
    ("README.md", "This is version ", " ("),
    ("README.ja.md", "バージョン", "([変更履歴]"),
]


def git(*arguments):
    return bundles.run("git", "-C", root, *arguments)


def read(path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def edits(version, day):
    """Returns the new contents of the files that contain the version, by path."""
    texts = {"VERSION": version + "\n"}
    for path, before, behind in places:
        text, count = re.subn(
            re.escape(before) + number.pattern + re.escape(behind), before + version + behind, read(path))
        if count != 1:
            raise Failure(f"{path} contains `{before}…{behind}` with a version {count} times; expected once")
        texts[path] = text
    # The last line of the Japanese page records the blob of the English page.
    english = texts["README.md"].encode()
    blob = hashlib.sha1(b"blob %d\0%s" % (len(english), english)).hexdigest()
    texts["README.ja.md"] = re.sub(r"blob [0-9a-f]{40}", "blob " + blob, texts["README.ja.md"])
    changes = read("CHANGELOG.md")
    head = "## Unreleased\n"
    if changes.count(head) != 1:
        raise Failure("CHANGELOG.md does not have exactly one heading `## Unreleased`")
    above, below = changes.split(head)
    if not re.split(r"^## ", below, maxsplit=1, flags=re.MULTILINE)[0].strip():
        raise Failure("CHANGELOG.md has no entries under `Unreleased`")
    texts["CHANGELOG.md"] = f"{above}{head}\n## {version} - {day}\n{below}"
    return {path: text for path, text in texts.items() if text != read(path)}


def check(version, remote):
    if git("status", "--porcelain"):
        raise Failure("the clone has changes: commit them first")
    if git("rev-parse", "--abbrev-ref", "HEAD") == "HEAD":
        raise Failure("no branch is checked out")
    tags = [tag for tag in git("tag", "--list").splitlines() if number.fullmatch(tag)]
    if remote:
        for line in git("ls-remote", "--tags", remote).splitlines():
            tags.append(line.split("refs/tags/")[-1].removesuffix("^{}"))
    if version in tags:
        raise Failure(f"{version} is already released")

    def order(text):
        return [int(part) for part in text.split(".")]

    newest = max((order(tag) for tag in tags if number.fullmatch(tag)), default=None)
    if newest and order(version) < newest:
        raise Failure(f"{version} is lower than {'.'.join(map(str, newest))}, which is already released")


def formula(version, address, checksum, variants):
    """Returns a Homebrew formula that installs the tool for the machine from the bundle."""
    def path(*triples):
        for variant in variants:
            if any(triple in variant["supportedTriples"] for triple in triples):
                return variant["path"]
        return None

    cases = [
        ("OS.mac?", path("arm64-apple-macosx")),
        ("Hardware::CPU.arm?", path("aarch64-unknown-linux-gnu")),
        ("Hardware::CPU.intel?", path("x86_64-unknown-linux-gnu")),
    ]
    installs = ""
    for condition, tool in cases:
        if tool:
            # The archive contains a single folder, which Homebrew enters.
            installs += f'    {"elsif" if installs else "if"} {condition}\n      bin.install "{tool}"\n'
    return f'''class Loggen < Formula
  desc "Log definitions written as Markdown tables become typed code and schemas"
  homepage "{address}"
  url "{address}/releases/download/{version}/loggen.artifactbundle.zip"
  sha256 "{checksum}"
  version "{version}"
  license "MIT"

  def install
{installs}    else
      odie "this release has no loggen for this machine"
    end
  end

  test do
    assert_equal "{version}", shell_output("#{{bin}}/loggen --version").strip
  end
end
'''


def address(given):
    """Returns the web address of the repository: the given one, or that of the remote `origin`."""
    if given is None:
        found = subprocess.run(
            ["git", "-C", root, "remote", "get-url", "origin"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        given = found.stdout.strip()
    ssh = re.fullmatch(r"(?:ssh://)?git@([\w.-]+)[:/](.+)", given)
    given = f"https://{ssh[1]}/{ssh[2]}" if ssh else given
    given = given.removesuffix("/").removesuffix(".git")
    if not re.fullmatch(r"https://[\w.-]+/[\w./-]+", given):
        raise Failure("the web address of the repository is unknown: add --repository https://github.com/NAME/loggen")
    return given


def release(arguments):
    version, output = arguments.version, os.path.abspath(arguments.output)
    check(version, arguments.push)
    web = address(arguments.repository)
    texts = edits(version, arguments.day)
    if arguments.dry_run:
        for path in sorted(texts):
            print(f"would write {path}")
        print("would use the bundle " + arguments.bundle if arguments.bundle else "would build the bundle")
        print(f"would commit `loggen {version}` and tag {version}")
        for name in ("loggen.artifactbundle.zip", "SHA256SUMS", "loggen.rb"):
            print(f"would write {os.path.join(output, name)} for {web}/releases/download/{version}/")
        print(f"would write {os.path.join(output, 'loggen-plugins')}, the package with the plugins, for {web}-plugins")
        if arguments.push:
            print(f"would push {git('rev-parse', '--abbrev-ref', 'HEAD')} and {version} to {arguments.push}")
        return
    os.makedirs(output, exist_ok=True)
    before = git("rev-parse", "HEAD")
    is_committed = False
    try:
        for path, text in texts.items():
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        bundle = os.path.join(output, "loggen.artifactbundle")
        if arguments.bundle:
            if os.path.abspath(arguments.bundle) != bundle:
                shutil.rmtree(bundle, ignore_errors=True)
                shutil.copytree(arguments.bundle, bundle)
        else:
            command = [sys.executable, os.path.join(root, "Releases", "bundle.py"), "--output", output]
            bundles.run(*command, *[word for other in arguments.add for word in ("--add", other)])
        bundled, variants = bundles.read_info(bundle)
        if bundled != version:
            raise Failure(f"the bundle has version {bundled}; expected {version}")
        archive, checksum = bundles.pack(bundle)
        with open(os.path.join(output, "loggen.rb"), "w", encoding="utf-8") as file:
            file.write(formula(version, web, checksum, variants))
        download = f"{web}/releases/download/{version}/{os.path.basename(archive)}"
        plugins.write(
            os.path.join(output, "loggen-plugins"), f'url: "{download}", checksum: "{checksum}"', version, web)
        with open(os.path.join(output, "SHA256SUMS"), "w", encoding="utf-8") as sums:
            for name in (os.path.basename(archive), "loggen.rb"):
                with open(os.path.join(output, name), "rb") as file:
                    sums.write(f"{hashlib.sha256(file.read()).hexdigest()}  {name}\n")
        if texts:
            git("add", "--", *texts)
            git("commit", "--quiet", "--message", f"loggen {version}")
        is_committed = True
        git("tag", "--annotate", version, "--message", f"loggen {version}")
        if arguments.push:
            git("push", "--quiet", "--atomic", arguments.push, "HEAD", f"refs/tags/{version}")
    except BaseException:
        if not is_committed:
            git("reset", "--quiet", before, "--", *texts)
            git("checkout", "--quiet", "--", *[path for path in texts])
        raise
    print(f"loggen {version} is tagged" + (
        f" and pushed to {arguments.push}" if arguments.push
        else f"; publish it with git push --atomic REMOTE HEAD {version}"))
    print(f"upload the files in {output} to the release; apps use LOGGEN_BUNDLE={download}#{checksum}")
    print(f"then commit {os.path.join(output, 'loggen-plugins')} to {web}-plugins, and tag it {version}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", help="the version to release, such as 0.2.0")
    parser.add_argument("--dry-run", action="store_true", help="print the steps, and change nothing")
    parser.add_argument("--push", metavar="REMOTE", help="push the branch and the tag")
    parser.add_argument(
        "--bundle", metavar="BUNDLE",
        help="a complete bundle of this version; without it, one is built with bundle.py")
    parser.add_argument(
        "--add", action="append", default=[], metavar="BUNDLE",
        help="a bundle of another machine to include in the built one; may be repeated")
    parser.add_argument(
        "--output", default=os.path.join(root, ".build", "release-files"), metavar="FOLDER",
        help="the folder for the bundle and the files to upload (.build/release-files)")
    parser.add_argument(
        "--repository", metavar="URL", help="the web address of the repository (that of the remote origin)")
    parser.add_argument(
        "--day", default=datetime.date.today().isoformat(), metavar="YYYY-MM-DD",
        help="the date in CHANGELOG.md (today)")
    arguments = parser.parse_args()
    if not number.fullmatch(arguments.version):
        parser.error(f"`{arguments.version}` is not a version such as 0.2.0")
    try:
        release(arguments)
    except (Failure, OSError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
