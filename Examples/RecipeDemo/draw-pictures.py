#!/usr/bin/env python3
"""Draws the README's pictures: the output of `swift run recipe-demo` in a terminal, and the timeline that it writes.

usage: Examples/RecipeDemo/draw-pictures.py [FOLDER]     FOLDER is Examples/RecipeDemo/Pictures by default

Needs Chromium (Debian: chromium), a font with Japanese letters (fonts-noto-cjk), and Pillow (python3-pil). The demo
runs in a pseudo-terminal, so that its output is coloured.
"""

import fcntl
import html
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = 110
PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>
body { margin: 0; background: #fff; }
.window { margin: 24px; width: max-content; border-radius: 10px; background: #16181d; color: #d7dae0; box-shadow: 0 6px 24px #0004; overflow: hidden; }
.bar { padding: 9px 14px; background: #23262d; }
.bar i { display: inline-block; width: 11px; height: 11px; margin-right: 7px; border-radius: 50%; background: #4a4f59; }
pre { margin: 0; padding: 14px 18px 18px; font: 13px/1.45 "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace; }
.c1 { font-weight: bold; color: #fff; } .c2 { color: #8b929e; } .c31 { color: #ff8080; } .c32 { color: #7ddb8f; } .c33 { color: #f0c674; }
.c34 { color: #82aaff; } .c35 { color: #d3a4f9; } .c36 { color: #7fdbe0; } .c90 { color: #8b929e; }
</style><div class="window"><div class="bar"><i></i><i></i><i></i></div><pre>"""


def terminal(command):
    """Returns the output of a command in a terminal of COLUMNS columns."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CI")} | {"TERM": "xterm-256color"}
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=follower, stderr=follower, env=environment, close_fds=True)
    os.close(follower)
    written = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        written += part
    if process.wait() != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{written.decode(errors='replace')}")
    return written.decode()


def excerpt(lines):
    """Returns the beginning, the time without a network, and the sums."""

    def index(text):
        found = [number for number, line in enumerate(lines) if text in line]
        if not found:
            sys.exit(f"the output of the demo does not contain “{text}”: choose another excerpt")
        return found[0]

    away, back, sums = index("The network goes away"), index("The network is back"), index("lost: 0")
    delivered = next(number for number, line in enumerate(lines[back:], back) if "delivered" in line and "·" in line)
    return lines[:9] + ["  ⋮"] + lines[away - 1 : delivered + 2] + ["  ⋮"] + lines[sums:]


def as_html(text):
    """Returns an excerpt of the final lines as HTML, with their colours."""
    lines = excerpt([line.split("\r")[-1] for line in text.replace("\r\n", "\n").rstrip("\n").split("\n")])
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-ln-z]", "", "\n".join(lines))
    shown, is_open = "", False
    for part in re.split(r"(\x1b\[[0-9;]*m)", text):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if not code:
            shown += html.escape(part)
            continue
        if is_open:
            shown += "</span>"
        names = [f"c{number}" for number in code[1].split(";") if number not in ("", "0", "39", "22")]
        is_open = bool(names)
        if is_open:
            shown += f'<span class="{" ".join(names)}">'
    return shown + ("</span>" if is_open else "")


def screenshot(page, picture, width, height):
    """Saves a picture of a page at twice its resolution, without the white area below and to the right."""
    from PIL import Image, ImageChops

    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2",
             f"--user-data-dir={profile}", f"--window-size={width},{height}", "--virtual-time-budget=2000", f"--screenshot={picture}", page.as_uri()],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    image = Image.open(picture).convert("RGB")
    box = ImageChops.difference(image, Image.new("RGB", image.size, (255, 255, 255))).getbbox()
    if box is None:
        sys.exit(f"{picture} is empty")
    margin = 32
    right, bottom = min(image.width, box[2] + margin), min(image.height, box[3] + margin)
    # Few colours keep the file small.
    image.crop((0, 0, right, bottom)).quantize(128).save(picture, optimize=True)


def main():
    if len(sys.argv) > 2 or any(argument.startswith("-") for argument in sys.argv[1:]):
        sys.exit(__doc__)
    if not shutil.which("chromium"):
        sys.exit("Chromium is missing: apt-get install chromium fonts-noto-cjk python3-pil")
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "Examples/RecipeDemo/Pictures").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["swift", "build", "--quiet", "--product", "recipe-demo"], cwd=ROOT, check=True)
    binary = pathlib.Path(subprocess.check_output(["swift", "build", "--show-bin-path"], cwd=ROOT, text=True).strip()) / "recipe-demo"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        written = terminal([str(binary), "--output", str(scratch / "demo")])
        written = written.replace(str(scratch) + "/", "")
        page = scratch / "terminal.html"
        page.write_text(PAGE + "<span class=\"c2\">$</span> swift run recipe-demo\n" + as_html(written) + "</pre></div>", encoding="utf-8")
        screenshot(page, folder / "terminal.png", 1100, 2400)
        screenshot(scratch / "demo/timeline.html", folder / "timeline.png", 1280, 1000)
    print(f"{folder}/terminal.png\n{folder}/timeline.png")


main()
