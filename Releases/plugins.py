#!/usr/bin/env python3
"""Writes the package loggen-plugins, whose plugins run the tools of an artifact bundle.

    Releases/plugins.py FOLDER --bundle https://example.com/loggen.artifactbundle.zip#CHECKSUM
    Releases/plugins.py FOLDER --bundle tools/loggen.artifactbundle.zip      copies the archive into the package

Apps that depend on it compile no generator and need no environment variable. FOLDER is created, or replaced if it is
such a package; `.git` in it is kept, so that it can be a clone of the package's repository.

Exit codes: 0 the package is written; 1 a file is missing, or FOLDER has other contents; 2 wrong usage.
"""
import argparse
import json
import os
import re
import shutil
import sys
import tempfile

import bundle as bundles

root = bundles.root
Failure = bundles.Failure
# The plugins that run a tool of the bundle, and their targets. An app depends on loggen, too, for its libraries, and
# SwiftPM rejects two packages with targets of one name.
PLUGINS = {name: f"Prebuilt{name}" for name in ("LogGenPlugin", "LogGenCommand", "LogGenCheckCommand")}
TOOLS = "loggen-tools"
# The comment in the manifest by which this script knows its packages.
MARK = "// Written by Releases/plugins.py of loggen."


def declarations():
    """Returns the declarations of the plugins in Package.swift, with the bundle as their tool."""
    with open(os.path.join(root, "Package.swift"), encoding="utf-8") as file:
        manifest = file.read()
    found = []
    for name in PLUGINS:
        # The declaration ends before the next target, or at the end of the list.
        match = re.search(rf'^    \.plugin\(\s*name: "{name}",.*?(?=^    [./]|^\])', manifest, re.MULTILINE | re.DOTALL)
        if not match:
            raise Failure(f"Package.swift does not declare the plugin {name}")
        text, count = re.subn(r'dependencies: \["loggen(-swift)?"\]', f'dependencies: ["{TOOLS}"]', match[0].rstrip())
        if count != 1 or not text.endswith("),"):
            raise Failure(f"the declaration of {name} in Package.swift has another form:\n{text}")
        text = text.replace(f'name: "{name}"', f'name: "{PLUGINS[name]}"')
        # The order of the arguments is fixed: `path` is after `dependencies`.
        text = text[:-2] + f', path: "Plugins/{name}"),'
        found.append(re.sub(r"^", "    ", text, flags=re.MULTILINE))
    return "\n".join(found)


def manifest(tool):
    return f'''// swift-tools-version: 6.1
import PackageDescription

{MARK}
let package = Package(
    name: "loggen-plugins",
    products: [
        .plugin(name: "LogGenPlugin", targets: ["{PLUGINS["LogGenPlugin"]}"]),
        .plugin(name: "LogGenCommands", targets: ["{PLUGINS["LogGenCommand"]}", "{PLUGINS["LogGenCheckCommand"]}"]),
    ],
    targets: [
{declarations()}
        .binaryTarget(name: "{TOOLS}", {tool}),
    ]
)
'''


def readme(version, repository):
    origin = f"[loggen]({repository})" if repository else "loggen"
    return f'''# loggen-plugins

The plugins of {origin} {version}, with prebuilt tools. Use them in place of those of the package loggen, in the same
version. The libraries, such as `ActivityTracking`, come from the package loggen.

This repository is generated: report problems, and propose changes, at {repository or "that of loggen"}.
'''


def mark(path):
    """Marks the plugins of this package, so that their messages name it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count("static let isPrebuilt = false") != 1:
        raise Failure(f"{path} has no line `static let isPrebuilt = false`")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("static let isPrebuilt = false", "static let isPrebuilt = true"))


def write(folder, tool, version, repository=None, archive=None):
    """Writes the package. `tool` is the argument of the binary target, such as `url: "…", checksum: "…"`."""
    path = os.path.join(folder, "Package.swift")
    if os.path.isdir(folder) and any(name != ".git" for name in os.listdir(folder)):
        try:
            with open(path, encoding="utf-8") as file:
                own = MARK in file.read().splitlines()
        except OSError:
            own = False
        if not own:
            raise Failure(f"{folder} is not a package loggen-plugins; remove it, or name another folder")
    texts = {"Package.swift": manifest(tool), "README.md": readme(version, repository)}
    # A fixed name could be the folder of another, which would be lost.
    parent, name = os.path.split(folder.rstrip("/"))
    os.makedirs(parent, exist_ok=True)
    staging = tempfile.mkdtemp(prefix=f".{name}-", dir=parent)
    try:
        # A package cannot have links to files outside of it: those in Plugins are followed.
        for name in PLUGINS:
            shutil.copytree(os.path.join(root, "Plugins", name), os.path.join(staging, "Plugins", name))
            mark(os.path.join(staging, "Plugins", name, "LoggenTool.swift"))
        shutil.copyfile(os.path.join(root, "LICENSE"), os.path.join(staging, "LICENSE"))
        if archive:
            shutil.copyfile(archive, os.path.join(staging, os.path.basename(archive)))
        for name, text in texts.items():
            with open(os.path.join(staging, name), "w", encoding="utf-8") as file:
                file.write(text)
        os.makedirs(folder, exist_ok=True)
        # After an interrupt, the manifest is still there, by which the next run knows its package.
        for name in set(os.listdir(folder)) - {".git", "Package.swift"}:
            old = os.path.join(folder, name)
            shutil.rmtree(old) if os.path.isdir(old) and not os.path.islink(old) else os.remove(old)
        for name in sorted(os.listdir(staging), key=lambda name: name == "Package.swift"):
            os.rename(os.path.join(staging, name), os.path.join(folder, name))
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument(
        "--bundle", required=True, metavar="BUNDLE",
        help="the zipped artifact bundle: its https address, `#` and its checksum, or its path")
    arguments = parser.parse_args()
    address, checksum, is_remote = arguments.bundle, "", "://" in arguments.bundle
    if is_remote:
        address, _, checksum = address.partition("#")
        if not address.startswith("https://") or not re.fullmatch(r"[0-9a-f]{64}", checksum):
            parser.error("SwiftPM needs an https address with `#` and the checksum of the archive (64 hexadecimal digits)")
    if not address.endswith(".zip"):
        parser.error(f"`{address}` is not a zipped artifact bundle; `Releases/bundle.py --zip` makes one")
    try:
        if is_remote:
            tool = f'url: {json.dumps(address, ensure_ascii=False)}, checksum: "{checksum}"'
            write(os.path.abspath(arguments.folder), tool, bundles.version())
        else:
            if not os.path.isfile(address):
                raise Failure(f"{address} does not exist")
            tool = f"path: {json.dumps(os.path.basename(address), ensure_ascii=False)}"
            write(os.path.abspath(arguments.folder), tool, bundles.version(), archive=address)
    except (Failure, OSError) as error:
        print(f"plugins: {error}", file=sys.stderr)
        return 1
    print(os.path.abspath(arguments.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
