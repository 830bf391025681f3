#!/usr/bin/env python3
"""Makes the documentation site: all DocC catalogues, the catalogue of the sample's definitions, and a front page.

usage: Releases/site.py FOLDER [--base-path PATH]

FOLDER is created, or replaced if it is a site. Any web server can serve its files. PATH is the path of the site on its
server, such as `loggen` for https://example.github.io/loggen/. Warnings of DocC are errors, such as broken links or
parameters that do not exist. Builds the package in `.build`, and the adapters' documentation with the restated
declarations in Tests/Runtime/AppleInterfaces, because the adapters are empty without
Apple's toolkits.

Exit codes: 0 the site is made, 1 a catalogue or a build has errors, 2 wrong usage.
"""
import argparse
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ADAPTERS = "Tests/Runtime/AppleInterfaces"
# The libraries with views.
VIEWS = ["ActivityInspector", "ActivityTrackingSwiftUI", "ActivityTrackingUIKit"]
ROOMS = [("Commands", "Sources/Generator/*/Documentation.docc"), ("Libraries", "Sources/Runtime/*/Documentation.docc"),
         ("Tools", "Sources/Desk/*/Command/Documentation.docc")]
MARK = ".loggen-site"
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>loggen</title>
<style>
:root {{ color-scheme: light dark; font: 17px/1.5 -apple-system, "Helvetica Neue", sans-serif; }}
body {{ max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }}
h2 {{ margin-top: 2rem; }}
dt {{ margin-top: .6rem; font-weight: 600; }}
dd {{ margin: 0; }}
</style>
<h1>loggen</h1>
<p>Log definitions as Markdown tables become typed Swift, JSON Schema and a catalogue.</p>
{sections}
</html>
"""


def run(*command):
    """Runs a command in the root of the clone, and returns its standard output."""
    result = subprocess.run([str(part) for part in command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"{result.stdout}site.py: this command failed:\n    {' '.join(map(str, command))}")
    return result.stdout


def module(catalogue):
    """Returns the name of the target that a catalogue documents."""
    return next(part for part in reversed(catalogue.parts[:-1]) if part != "Command")


class Converter:
    """Converts DocC catalogues to archives. Symbol graphs come from built modules."""

    def __init__(self, work, base_path):
        self.work = work
        info = json.loads(run("swiftc", "-print-target-info"))
        self.tools = pathlib.Path(info["paths"]["runtimeResourcePath"]).parent.parent / "bin"
        self.triple = info["target"]["unversionedTriple"]
        self.hosting = ["--hosting-base-path", base_path] if base_path else []
        # C modules are found by their module maps, written by hand or by the build.
        maps = [*ROOT.glob("Sources/**/module.modulemap"), *ROOT.glob(".build/checkouts/*/Sources/**/module.modulemap")]
        self.includes = [part for path in sorted(maps) for part in ("-I", path.parent)]

    def archive(self, catalogue):
        name = module(catalogue)
        package = ROOT / ADAPTERS if name in VIEWS else ROOT
        build = package / ".build/debug"
        modules = [part for path in sorted(build.glob("*.build/module.modulemap"))
                   for part in ("-Xcc", f"-fmodule-map-file={path}")]
        graph = self.work / name
        graph.mkdir()
        run(self.tools / "swift-symbolgraph-extract", "-module-name", name, "-target", self.triple,
            "-I", build / "Modules", *self.includes, *modules, "-minimum-access-level", "public",
            "-skip-synthesized-members", "-emit-extension-block-symbols", "-output-dir", graph)
        archive = self.work / f"{name}.doccarchive"
        run(self.tools / "docc", "convert", catalogue, "--additional-symbol-graph-dir", graph,
            "--fallback-display-name", name, "--fallback-bundle-identifier", f"loggen.{name}",
            "--output-path", archive, "--warnings-as-errors", "--transform-for-static-hosting", *self.hosting)
        return archive

    def merge(self, archives, target):
        run(self.tools / "docc", "merge", *archives, "--synthesized-landing-page-name", "loggen",
            "--output-path", target)
        run(self.tools / "docc", "process-archive", "transform-for-static-hosting", target, *self.hosting)


def text(page):
    """Returns the abstract of a page, or of a reference to it."""
    return "".join(part.get("text", part.get("code", "")) for part in page.get("abstract", []))


def summary(archive):
    """Returns the title, the path and the abstract of an archive's root page."""
    name = archive.stem.lower()
    page = json.loads((archive / f"data/documentation/{name}.json").read_text())
    return page["metadata"]["title"], f"documentation/{name}/", text(page)


def articles(archive):
    """Returns the titles, paths and abstracts of an archive's articles, in the order of its root page."""
    page = json.loads((archive / f"data/documentation/{archive.stem.lower()}.json").read_text())
    for section in page.get("topicSections", []):
        for identifier in section["identifiers"]:
            reference = page["references"].get(identifier, {})
            if reference.get("role") == "article":
                yield reference["title"], reference["url"].lstrip("/") + "/", text(reference)


def front_page(rooms):
    def entry(title, link, description):
        return f'<dt><a href="{html.escape(link)}">{html.escape(title)}</a></dt>\n<dd>{html.escape(description)}</dd>\n'

    def section(heading, entries):
        return f"<h2>{html.escape(heading)}</h2>\n<dl>\n{''.join(entries)}</dl>"

    sections = []
    for heading, archives in rooms:
        sections.append(section(heading, [entry(*summary(archive)) for archive in archives]))
        for archive in archives:
            found = [entry(*article) for article in articles(archive)]
            if found:
                sections.append(section(f"Articles on {archive.stem}", found))
    sample = entry(
        "Catalogue of the sample", "Catalogue/", "The page for analysts, generated from the sample in Definitions.")
    return PAGE.format(sections="\n".join([*sections, section("Sample", [sample])]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--base-path", default="", metavar="PATH", help="the path of the site on its server")
    options = parser.parse_args()
    target = options.folder.absolute()
    if target.exists() and not (target / MARK).exists() and (not target.is_dir() or any(target.iterdir())):
        parser.error(f"{options.folder} exists and is not a site; remove it, or name another folder")

    # Targets are built one by one, because a build of the whole package includes the tools of the plugins.
    for _, pattern in ROOMS:
        for catalogue in sorted(ROOT.glob(pattern)):
            run("swift", "build", "--quiet", "--target", module(catalogue))
    for name in VIEWS:
        run("swift", "build", "--quiet", "--package-path", ADAPTERS, "--target", name)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        converter = Converter(work, options.base_path.strip("/"))
        rooms = [(heading, [converter.archive(path) for path in sorted(ROOT.glob(pattern))])
                 for heading, pattern in ROOMS]
        documented = {archive.stem for _, archives in rooms for archive in archives}
        libraries = re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text())
        missing = [name for name in libraries if name not in documented]
        if missing or not libraries:
            sys.exit(f"site.py: these libraries have no documentation catalogue: {', '.join(missing) or 'all'}")
        site = work / "site"
        converter.merge([archive for _, archives in rooms for archive in archives], site)
        run("swift", "build", "--quiet", "--product", "loggen")
        run(".build/debug/loggen", "Definitions", "--only", "catalogue", "--output", site, "--quiet")
        # DocC's pages request this file, which is optional.
        (site / "theme-settings.json").write_text("{}\n")
        (site / "index.html").write_text(front_page(rooms))
        (site / MARK).write_text("Made by Releases/site.py, which replaces this folder.\n")
        if target.exists():
            shutil.rmtree(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(site, target)
    print(f"{target}: {len(documented)} catalogues")


main()
