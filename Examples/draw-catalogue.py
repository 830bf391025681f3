#!/usr/bin/env python3
"""Draws the pictures of the article Catalogue: the catalogue of the sample's definitions, in light and in dark.

usage: Examples/draw-catalogue.py [FOLDER]
       FOLDER is Sources/Generator/loggen/Documentation.docc/Resources by default

Needs Chromium (Debian: chromium), a font with Japanese letters (fonts-noto-cjk), and Pillow (python3-pil).
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Tests/BlackBox"))


def main():
    if len(sys.argv) > 2 or any(argument.startswith("-") for argument in sys.argv[1:]):
        sys.exit(__doc__)
    from chromium import Chromium
    from PIL import Image

    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "Sources/Generator/loggen/Documentation.docc/Resources").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["swift", "build", "--quiet", "--product", "loggen"], cwd=ROOT, check=True)
    binary = pathlib.Path(subprocess.check_output(["swift", "build", "--show-bin-path"], cwd=ROOT, text=True).strip()) / "loggen"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        shutil.copytree(ROOT / "Definitions", scratch / "Definitions")
        with open(scratch / "Definitions/loggen.yml", "a") as file:
            file.write("repository: https://github.com/acme/app/blob/main/Definitions/{file}?plain=1#L{line}\n")
        subprocess.run([binary, scratch / "Definitions", "--only", "catalogue", "--output", scratch, "-q"], check=True)
        browser = Chromium(str(scratch / "profile"))
        browser("Network.setUserAgentOverride", userAgent="catalogue", acceptLanguage="en-US")
        for scheme, name in (("light", "catalogue.png"), ("dark", "catalogue~dark.png")):
            browser.size(1180, 760, scheme)
            browser("Page.navigate", url="about:blank")
            browser.wait("Page.loadEventFired")
            browser.events = []
            browser("Page.navigate", url=(scratch / "Catalogue/index.html").as_uri() + "#recipe_search.show_recipe")
            browser.wait("Page.loadEventFired")
            browser.frame()
            browser.screenshot(folder / name)
            # Few colours keep the file small.
            Image.open(folder / name).convert("RGB").quantize(96).save(folder / name, optimize=True)
            print(folder / name)
        browser.close()


main()
