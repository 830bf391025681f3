#!/usr/bin/env python3
"""Tests trackscope's pages in a headless Chromium.

usage: Tests/BlackBox/timeline.py TRACKSCOPE FOLDER
"""

import json
import os
import signal
import subprocess
import sys
import time

# The clone must not change for git.
sys.dont_write_bytecode = True
from chromium import Chromium

trackscope, folder = sys.argv[1:]
# A page that does not answer fails the test.
signal.alarm(80)
failures = []
scenarios = "Tests/Desk/ScenarioRunnerTests/Scenarios/"


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        failures.append(what)


def page(name, *files):
    """Makes the page of scenarios: files, or values that are written to files."""
    paths = []
    for number, file in enumerate(files):
        if isinstance(file, dict):
            path = os.path.join(folder, f"{name} {number}.json")
            with open(path, "w") as out:
                json.dump(file, out)
            file = path
        paths.append(file)
    path = os.path.join(folder, name + ".html")
    code = subprocess.run([trackscope, *paths, "--html", path], capture_output=True).returncode
    check(code in (0, 1), f"{name}: trackscope draws it")
    return path


def scenario(contents, steps=(), **more):
    steps = [{"at": 0, "do": "open", "screen": "feed"}, *steps]
    return {"viewport": {"width": 390, "height": 800}, "screens": [{"id": "feed", "contents": contents}, {"id": "detail"}], "steps": steps, **more}


browser = Chromium(os.path.join(folder, "profile"))


def value(expression):
    return browser.run(expression)


def count(selector):
    """Returns the number of visible elements of the page."""
    return value(f"[...document.querySelectorAll({json.dumps(selector)})].filter(e => e.checkVisibility() && e.getClientRects().length).length")


def center(selector, number=0):
    box = value(f"(b => [b.x + b.width / 2, b.y + b.height / 2])([...document.querySelectorAll({json.dumps(selector)})][{number}].getBoundingClientRect())")
    return box[0], box[1]


# MARK: A page

carousel = page("carousel", scenarios + "carousel-inside-a-list.json")
browser.size(1280, 900)
browser.open(carousel)
check(count(".row.content") == 6 and count(".row.screen") == 2, "each screen and content has a lane")
check(value("document.scripts.length") == 0 and count("button, input, [hidden]") == 0, "the page is a picture: it has no script and no controls")
footer = "[...document.querySelectorAll('.row')].find(r => r.querySelector('.name')?.textContent === 'footer')"
title = value(f"{footer}.querySelector('.b.broken title').textContent")
check("footer (feed): dwell 1.513 of 2 s" in title and "6.487 – 8 s (1.513 s), visit 1" in title, "the title of a bar is what it is, and its exact instants")
check("Not seen: 1.513 s of the 2 s were over when the screen was left for “detail” at 8 s." in title, "and why it did not count")
check("Rule: 80% for 2 s, once per visit." in title and "Step at 8 s: push detail." in title, "and the rule, and the step")
check(value("[...document.querySelectorAll('.content .bars .b')].every(b => b.querySelector('title'))"), "each bar has a title")
x, y = center(".content .bars .b.dwelling")
check(value(f"document.elementFromPoint({x}, {y}).closest('.b') !== null"), "and the pointer finds it")
ticks = value("[...document.querySelectorAll('.axis text')].map(t => t.textContent)")
check(2 < len(ticks) < 30 and all(text.endswith(" s") for text in ticks), "the axis has the times")
value("window.scrollTo(0, 0)")
browser("Emulation.setEmulatedMedia", media="print")
browser.frame()
printed = value("""(() => {
  const plot = document.querySelector(".plot"), canvas = document.querySelector(".canvas");
  return [canvas.scrollWidth <= plot.clientWidth + 1, plot.scrollHeight <= plot.clientHeight + 1];
})()""")
check(count(".row.content") == 6 and printed == [True, True], "print shows all lanes and all of the time")
browser("Emulation.setEmulatedMedia", media="")
check(browser.complaints() == [], f"nothing complains: {browser.complaints()}")
check(all(url.startswith(("file:", "about:")) for url in browser.requests()), "the page needs no other file")

# The contrast of texts with their background (WCAG 2.2, 1.4.3), in both schemes.
CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const color = text => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const style = getComputedStyle(document.documentElement), get = name => color(style.getPropertyValue(name));
  const mix = (top, under, share) => top.map((v, i) => v * share + under[i] * (1 - share));
  const bars = ["--exposed", "--dwelling", "--seen", "--under", "--covered", "--waiting", "--gone", "--back"].map(get);
  const pairs = [];
  for (const bar of bars) pairs.push([get("--ink"), mix(get("--share"), bar, 0.09)]);
  for (const under of [get("--paper"), get("--soft")]) for (const name of ["--ink", "--quiet", "--good", "--bad"]) pairs.push([get(name), under]);
  pairs.push([get("--quiet"), get("--gone")], [get("--paper"), get("--focus")]);
  return Math.min(...pairs.map(([a, b]) => contrast(light(a), light(b))));
})()"""
for scheme in ["light", "dark"]:
    browser.size(1280, 900, scheme)
    browser.open(carousel)
    ratio = value(CONTRAST)
    check(ratio >= 4.5, f"{scheme}: every text has a contrast of 4.5 and more ({ratio:.2f})")

# MARK: A phone

browser.size(390, 800)
browser.open(carousel)
check(value("document.documentElement.scrollWidth <= innerWidth"), "a phone scrolls the drawing, not the page")

# MARK: Labels, hostile and Japanese

japanese = "季節のおすすめレシピを集めたとても長い名前のコンテンツ"
hostile = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "{{constructor.constructor('alert(3)')()}}", "`${alert(4)}`",
           "' onmouseover='alert(5)", "</title></svg><svg onload=alert(6)>", "\u202egpj.exe\u2066", "<!--<script>", "]]>", "</style><style>*{display:none}", japanese]
contents = [{"id": name, "frame": [0, 60 * number, 390, 50]} for number, name in enumerate(hostile)]
steps = [step for number, name in enumerate(hostile) for step in [{"at": 3 + number, "do": "remove", "content": name}]]
expect = [{"at": 1, "log": "seen", "content": name} for name in hostile]
path = page("hostile", scenario(contents, steps, expect=expect, name=hostile[0] + hostile[1]), scenarios + "untracked.json")
browser.size(1280, 900)
browser.open(path)
value("new Promise(done => setTimeout(done, 300))")
check(value("document.scripts.length") == 0 and value("document.querySelectorAll('img, iframe, object, link').length") == 0, "hostile: no element comes from a name")
check(count(".row.content") >= len(hostile), "hostile: each has its lane")
labels = value("[...document.querySelectorAll('.row.content .name')].map(n => n.textContent)")
check(hostile[0] in labels and hostile[3] in labels and not any("\u202e" in label for label in labels), "hostile: names are shown as they are, without marks that turn them")
check("<" in value("document.body.innerText") and value("document.querySelectorAll('title *').length") == 0, "hostile: titles are text")
check(value("(() => { try { return eval('1') } catch { return 'refused' } })()") == "refused", "the page's policy forbids evaluating strings")
value("(s => { s.textContent = 'window.ran = 1'; document.body.append(s); })(document.createElement('script'))")
check(value("window.ran === undefined"), "and running another script")
expected = ["Content Security Policy", "Content-Security-Policy", "'default-src' is used as a fallback"]
others = [text for text in browser.complaints() if not any(word in text for word in expected)]
check(others == [], f"hostile: nothing else complains: {others}")
check(value(f"""(n => n.scrollWidth > n.clientWidth && getComputedStyle(n).textOverflow === "ellipsis")
  ([...document.querySelectorAll('.name')].find(n => n.textContent === {json.dumps(japanese)}))"""), "a long Japanese label is cut by its width")
value("document.querySelectorAll('.row.content .label')[%d].scrollIntoView({block: 'center'})" % (len(hostile) - 1))
check(japanese in value(f"document.querySelectorAll('.row.content .label')[{len(hostile) - 1}].title"), "and is whole on hover")
check(count(".not-posted .answer") == count(".row.not-posted") > 0, "a lane in which something is missing has the reason")

# MARK: All scenarios on one page

files = sorted(scenarios + name for name in os.listdir(scenarios) if name.endswith(".json"))
browser.open(page("all", *files, scenario([{"id": "a", "frame": [0, 0, 390, 100]}], expect=[])))
check(value("document.querySelectorAll('.index li').length") == len(files) + 1, "several scenarios have an index")
check(value("document.querySelectorAll('.index .bad').length") == 1, "with verdicts")
value("document.querySelector('.index li:last-child a').click()")
value("new Promise(done => setTimeout(done, 200))")
check(abs(value("document.querySelector('.scenario:last-of-type').getBoundingClientRect().bottom - innerHeight")) < 200, "and leads to each")
check(browser.complaints() == [], f"nothing complains: {browser.complaints()}")

# MARK: Many contents

# Times are only printed, because a busy machine slows the page.

rows = [{"id": f"recipe {number}", "frame": [0, 60 * number, 390, 56]} for number in range(2000)]
path = page("many", scenario(rows, [{"at": 0, "do": "scroll", "in": "feed", "to": [0, 119000], "over": 60}, {"at": 60, "do": "end"}], rule={"dwell": 0.2}))
started = time.monotonic()
browser.open(path)
check(count(".row.content") > 0, f"2,000 contents and 60 s of scrolling open in {time.monotonic() - started:.2f} s ({os.path.getsize(path) / 1e6:.1f} MB)")
check(browser.complaints() == [], "nothing complains")

browser.close()
if failures:
    sys.exit(f"{len(failures)} of the page's checks failed")
