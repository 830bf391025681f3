#!/usr/bin/env python3
"""Measures the processor time of clean builds: README's first command, and the plugin's share of an app's build.

usage: cleanbuild.py [--old CLONE]

Clones this repository's HEAD into a temporary folder without build products. `--old` is a clone of another
commit, which is measured in the same run. The plugin's share is the difference between the builds of an app with the
plugin and of the same app with previously generated Swift.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile

import measure

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription
let package = Package(
    name: "App", platforms: [.macOS(.v12)], dependencies: [.package(name: "loggen", path: "{clone}")],
    targets: [.target(name: "AppLogs", dependencies: [.product(name: "ActivityTracking", package: "loggen")]{plugins})])
"""


def app(work, clone, swift, has_plugin):
    """Returns processor seconds of a clean build of an app with the sample's definitions."""
    folder = pathlib.Path(work) / "App"
    shutil.rmtree(folder, ignore_errors=True)
    sources = folder / "Sources/AppLogs"
    sources.mkdir(parents=True)
    plugins = ', plugins: [.plugin(name: "LogGenPlugin", package: "loggen")]' if has_plugin else ""
    (folder / "Package.swift").write_text(MANIFEST.format(clone=clone, plugins=plugins))
    (sources / "AppLogs.swift").write_text("// The documents are the code.\n")
    for file in [
        *(measure.ROOT / "Definitions").iterdir(),
        *([] if has_plugin else (measure.ROOT / "Generated/Swift").iterdir()),
    ]:
        if file.suffix in (".md", ".yml", ".lock") and file.name != "README.md" or file.parent.name == "Swift":
            shutil.copy(file, sources)
    return measure.run([swift, "build", "--package-path", str(folder)]).processor


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", metavar="CLONE", help="a clone of another commit; its .build is removed")
    arguments = parser.parse_args()
    swift = shutil.which("swift")
    with tempfile.TemporaryDirectory() as work:
        new = os.path.join(work, "new")
        subprocess.run(["git", "clone", "--quiet", str(measure.ROOT), new], check=True)
        print("| clone | README's first command, s | app with the plugin, s "
              "| app with generated Swift, s | the plugin's share, s |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for name, clone in [("old", arguments.old), ("new", new)]:
            if not clone:
                continue
            clone = os.path.abspath(clone)
            shutil.rmtree(os.path.join(clone, ".build"), ignore_errors=True)
            first = measure.run([swift, "run", "--package-path", clone, "loggen", os.path.join(clone, "Definitions")]).processor
            with_plugin, without = (app(work, clone, swift, has_plugin) for has_plugin in (True, False))
            print(f"| {name} | {first:.0f} | {with_plugin:.0f} | {without:.0f} | {with_plugin - without:.0f} |", flush=True)


if __name__ == "__main__":
    main()
