#!/usr/bin/env python3
"""Tests the catalogue in a headless Chromium with the actions of a person.

usage: Tests/BlackBox/catalogue.py LOGGEN FOLDER
"""

import json
import pathlib
import shutil
import signal
import subprocess
import sys

# The clone must not change for git.
sys.dont_write_bytecode = True
from chromium import Chromium

loggen, folder = sys.argv[1], pathlib.Path(sys.argv[2])
# A page that does not answer fails the test.
signal.alarm(240)
failures = []


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        failures.append(what)


def page(name, *files):
    """Generates the catalogue of definitions: a folder, or texts by file name."""
    source = folder / name
    for path in files:
        if isinstance(path, dict):
            source.mkdir(exist_ok=True)
            for file, text in path.items():
                (source / file).write_text(text, encoding="utf-8")
        else:
            shutil.copytree(path, source)
    out = folder / (name + " out")
    result = subprocess.run([loggen, "generate", source, "--only", "catalogue", "--output", out, "-q"], capture_output=True, text=True)
    check(result.returncode == 0, f"{name}: loggen makes it {result.stderr[:400]}")
    return out / "Catalogue/index.html"


browser = Chromium(str(folder / "profile"))


def value(expression):
    return browser.run(expression)


def open_page(path, fragment=""):
    browser.events = []
    browser("Page.navigate", url="about:blank")
    browser.wait("Page.loadEventFired")
    browser.events = []
    browser("Page.navigate", url=path.as_uri() + fragment)
    browser.wait("Page.loadEventFired")
    browser.frame()


def language(name):
    browser("Emulation.setLocaleOverride", locale=name)
    browser("Network.setUserAgentOverride", userAgent="test", acceptLanguage=name)


def go(fragment):
    value(f"location.hash = {json.dumps(fragment)}")
    browser.frame()


def type_query(text):
    value(f"(f => {{ f.value = {json.dumps(text)}; f.dispatchEvent(new Event('input', {{bubbles: true}})); }})(document.querySelector('#query'))")
    browser.frame()


def choose(name, index):
    value(f"(s => {{ s.value = {json.dumps(str(index))}; s.dispatchEvent(new Event('change', {{bubbles: true}})); }})(document.querySelector('#filter-{name}'))")
    browser.frame()


def rows():
    return value("rows.filter(r => r.category).map(r => r.id)")


def main_text():
    return value("document.querySelector('main').innerText")


def heading():
    return value("document.querySelector('main h2').textContent")


# The lowest contrast ratio of texts with their background (WCAG 2.2, 1.4.3), and the text that has it.
CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const color = (text) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const luminance = ([r, g, b]) => { const [x, y, z] = [r, g, b].map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * x + .7152 * y + .0722 * z; };
  const under = (e) => { for (; e; e = e.parentElement) { const c = color(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return color(getComputedStyle(document.documentElement).colorScheme.includes("dark") ? "black" : "white"); };
  let worst = [99, ""];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !e.checkVisibility() || e.closest("script, style, .skip, .told, option") || !e.getClientRects().length) continue;
    const [a, b] = [luminance(color(getComputedStyle(e).color)), luminance(under(e))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < worst[0]) worst = [ratio, walker.currentNode.data.trim().slice(0, 40)];
  }
  return worst;
})()"""

# Missing properties that screen readers and keyboards need (WCAG 2.2).
ACCESSIBILITY = """(() => {
  const found = [];
  const name = (e) => (e.getAttribute("aria-label") || [...(e.labels ?? [])].map(l => l.firstChild.textContent).join("") || e.textContent || "").trim();
  const visible = (e) => e.checkVisibility() && e.getClientRects().length > 0;
  for (const e of document.querySelectorAll("button, select, input, a[href], [role=region], nav, table, summary")) if (visible(e) && !name(e)) found.push("no name: " + e.outerHTML.slice(0, 80));
  if (!["en", "ja"].includes(document.documentElement.lang)) found.push("lang");
  if (!document.title) found.push("title");
  for (const tag of ["header", "nav", "main"]) if (document.querySelectorAll(tag).length !== 1) found.push("landmark " + tag);
  if (document.querySelectorAll("h1").length !== 1) found.push("h1");
  let level = 0;
  for (const h of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) { const next = Number(h.tagName[1]); if (next > level + 1) found.push("heading " + h.textContent); level = next; }
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  if (new Set(ids).size !== ids.length) found.push("an id twice");
  for (const e of document.querySelectorAll("[aria-controls]")) if (!document.getElementById(e.getAttribute("aria-controls"))) found.push("aria-controls");
  for (const e of document.querySelectorAll("[tabindex]")) if (Number(e.getAttribute("tabindex")) > 0) found.push("tabindex above 0");
  for (const e of document.querySelectorAll("img")) found.push("img");
  for (const pre of document.querySelectorAll("pre")) if (visible(pre) && pre.scrollWidth > pre.clientWidth + 1 && pre.tabIndex < 0 && !pre.closest(".prose")) found.push("a part that only a mouse can scroll");
  for (const li of document.querySelectorAll("#list li")) if (!li.getAttribute("aria-posinset") || !li.getAttribute("aria-setsize")) found.push("no place in the list");
  for (const e of document.querySelectorAll("button, select, a[href]")) { if (!visible(e) || e.closest(".prose, p, td, dd, li")) continue; const b = e.getBoundingClientRect(); if (b.height < 24 || b.width < 24) found.push("smaller than 24 points: " + name(e)); }
  return found;
})()"""

# MARK: Using the sample

language("en-US")
browser.size(1280, 900)
shutil.copytree("Definitions", folder / "sample")
(folder / "sample/loggen.yml").write_text(
    "sampling-key: user_id\nrepository: https://example.com/app/blob/main/Definitions/{file}?plain=1#L{line}\noutputs:\n  catalogue:\n    usage: usage.json\n    readers: readers.json\n")
(folder / "sample/usage.json").write_text(json.dumps({"events": [
    {"event": "recipe_search.show_recipe", "places": [{"file": "App/Search <b>.swift", "line": 12, "column": 3, "certain": True}]},
    {"event": "recipe_search.search", "places": [{"file": "App/Search.swift", "line": 40, "column": 3, "tap": "SearchViewController.button", "certain": False}]}]}))
(folder / "queries").mkdir()
(folder / "queries/ctr <b>.sql").write_text("create view ctr as select recipe_id, position from recipe_search__show_recipe")
(folder / "queries/weekly.sql").write_text("select count(*) from ctr")
(folder / "sample/readers.json").write_bytes(subprocess.run(
    [loggen, "impact", "--all", folder / "sample", "--consumers", folder / "queries", "--format", "json"], capture_output=True, check=True).stdout)
sample = page("sample")
dump = json.loads(subprocess.run([loggen, "dump", folder / "sample"], capture_output=True).stdout)
everything = [f"{category['name']}.{event['name']}" for category in dump["categories"] for event in category["events"]]

open_page(sample)
check(rows() == everything, f"the list has all {len(everything)} events")
check(value("document.documentElement.lang") == "en" and value("document.title") == "Log events", "the page is in English for an English reader")
counts = {"Active": 0, "Deprecated": 0, "Retired": 0}
for category in dump["categories"]:
    for event in category["events"]:
        counts[event["status"].capitalize()] += 1
landing = main_text()
check([line for line in value("[...document.querySelectorAll('.figures li')].map(li => li.lastElementChild.lastChild.textContent)") if line != line.lower()] == [],
      "the labels of the first page's counts have one case")
owners = value("[...document.querySelectorAll('.owners li')].map(li => li.innerText)")
owned = [event["details"].get("owner") for category in dump["categories"] for event in category["events"]]
check(any(line.split()[:2] == ["@search-team", str(owned.count("@search-team"))] for line in owners), f"the first page has each owner and the number of its events: {owners}")
newest = value("[...document.querySelectorAll('.newest li')].map(li => li.innerText)")
sinces = sorted(([int(part) for part in event["details"]["since"].split(".")] for category in dump["categories"] for event in category["events"]
                 if event["status"] == "active" and "since" in event["details"]), reverse=True)
check(0 < len(newest) <= 5 and ".".join(map(str, sinces[0])) in newest[0], f"and the newest events, the newest first: {newest}")
deprecated = value("[...document.querySelectorAll('.deprecated-events a')].map(a => a.getAttribute('href').slice(1))")
check(len(deprecated) == min(10, counts["Deprecated"]) > 0, f"and the deprecated events: {deprecated}")
check("user_id" in landing, "and the personal common column")
check("Events that nobody reads" in landing, "and the events that nobody reads")
check(value("document.querySelectorAll('#list li').length") < 40, "only the rows in view are elements")
check(value(ACCESSIBILITY) == [], f"nothing is missing for keyboards and screen readers: {value(ACCESSIBILITY)}")

value("document.querySelector('main').focus()")
browser.key("/")
check(value("document.activeElement.id") == "query", "/ goes to the search")
for key in "show_recipe":
    browser.key(key)
check(rows()[0] == "recipe_search.show_recipe", "the event of that name comes first")
check("events" in value("document.querySelector('.count [role=status]').textContent"), "and their number is shown")
browser.key("Enter")
browser.frame()
check(value("location.hash") == "#recipe_search.show_recipe" and heading() == "検索結果のレシピが見られた", "Enter opens it")
check(value("document.activeElement.tagName") == "H2", "the focus goes to its heading")
text = main_text()
for part in ["80% of it was in view for 2s", "@search-team", "10%", "2026.4.0", "RecipeID", "Example record", "Swift", "Kotlin", "TypeScript", "whole number", "App/Search <b>.swift:12",
             "recipe_search.md:", "In the warehouse", 'CREATE TABLE IF NOT EXISTS "recipe_search__show_recipe"', "RecipeSearch.showRecipe(", "RecipeSearch.ShowRecipe(", "上から何番目か"]:
    check(part in text, f"the event's page contains {part}")
check(value("[...document.querySelectorAll('main a')].some(a => a.href.startsWith('https://example.com/app/blob/main/Definitions/recipe_search.md?plain=1#L'))"), "and links to its line")

readers = value("[...document.querySelectorAll('h3')].find(h => h.textContent === 'Read by').nextSibling.innerText")
check("query ctr <b>" in readers and "reads position, recipe_id" in readers and "query weekly" in readers and "through ctr <b>" in readers, f"and its readers: {readers}")
check(value("[...document.querySelectorAll('.readers')].map(p => p.textContent)") == ["Read by ctr <b>"] * 2, "a column has its readers")

type_query("")
choose("readers", 1)
check(rows() == ["recipe_search.show_recipe"], "a filter finds the events that are read")
choose("readers", 0)
check("recipe_search.show_recipe" not in rows() and len(rows()) == len(everything) - 1, "and those that nobody reads")
choose("readers", "")
value("document.querySelector('#query').focus()")
browser.key("ArrowDown")
browser.key("ArrowDown")
check(value("document.activeElement.closest('li').getAttribute('aria-posinset')") == "2", "the arrow keys go through the list")
browser.key("End")
check(value("document.activeElement.closest('li').getAttribute('aria-posinset')") == str(value("rows.length")), "End to its last row")
check(value("document.querySelectorAll('#list [tabindex=\"0\"]').length") == 1, "one row is in the order of Tab")
browser.key("Escape")
check(value("document.activeElement.id") == "query", "Escape goes back to the search")

type_query("シオリ")
type_query("けんさく")
type_query("ﾚｼﾋﾟ検索")
check("recipe_search.search" in rows(), "half-width kana find full-width ones")
type_query("RECIPE_ID 8割")
check("recipe_search.show_recipe" in rows() and all("recipe_id" in value(f"events.find(e => e.id === {json.dumps(row)}).words") for row in rows()), "several words are all to be found: a column, and a word of the description")
type_query("ユニバーサルリンクと独自スキーム open_link")
check(rows() == ["deep_link.open_link"], "a word of the category's description finds its events")
type_query("no such thing anywhere")
check(rows() == [] and value("document.querySelector('.count [role=status]').textContent") == "No results.", "a search without a result is reported")
value("document.querySelector('.reset').click()")
browser.frame()
check(rows() == everything, "Show all shows all")


def columns_privacy(event):
    # The common columns, which all events have, are mentioned once.
    levels = [column["privacy"] for column in event["columns"] if column["status"] != "retired"]
    return 2 if "sensitive" in levels else 1 if "personal" in levels else 0


model = [(f"{c['name']}.{e['name']}", e) for c in dump["categories"] for e in c["events"]]
for name, index, test in [
    ("status", 2, lambda e: e["status"] == "retired"), ("privacy", 1, lambda e: columns_privacy(e) == 1), ("privacy", 2, lambda e: columns_privacy(e) == 2),
    ("trigger", 3, lambda e: (e["trigger"] or {}).get("kind") == "impression"), ("trigger", 5, lambda e: (e["trigger"] or {}).get("kind") == "leave"), ("trigger", 0, lambda e: e["trigger"] is None),
    ("platform", 2, lambda e: "platforms" not in e["details"] or "web" in e["details"]["platforms"].lower()),
    ("owner", value("data.owners.indexOf('@search-team')") + 1, lambda e: e["details"].get("owner") == "@search-team"),
    ("owner", 0, lambda e: "owner" not in e["details"]),
]:
    choose(name, index)
    check(rows() == [event for event, facts in model if test(facts)], f"the filter {name} {index} leaves {len(rows())} events")
    choose(name, "")

for event in everything:
    go("#" + event)
    problems = value(ACCESSIBILITY)
    if problems or browser.complaints() or value("document.querySelector('main').scrollWidth > document.querySelector('main').clientWidth"):
        check(False, f"{event}: {problems} {browser.complaints()}")
check(True, "each event has its page")
go("#recipe_search")
check("recipe_search.show_recipe" in main_text(), "a category has one, too")
go("#recipe_search.gone")
check("recipe_search.gone" in heading(), "a deleted event is reported as deleted")
go("#recipe_search.show_recipe")
value("document.querySelector('main h2').focus()")
browser.key("Escape")
browser.frame()
check(value("document.activeElement.id") == "query" and not value("document.body.classList.contains('reading')"), "Escape goes back from an event")
go("#recipe_search.show_recipe")
value("document.querySelector('.skip').click()")
browser.frame()
check(value("location.hash") == "#recipe_search.show_recipe" and value("document.activeElement.id") == "main", "the skip link goes to the event")
check(columns_privacy(dict(model)["recipe_search.search_by_voice"]) == 0, "an event has no personal columns")
go("#recipe_search.search_by_voice")
check(value("document.querySelector('main .id .mark') !== null"), "its page has the mark of a personal common column")
renamed = page("renamed", {"tea.md": "# tea\n\n## pour_it\n\n| key | value |\n| --- | --- |\n| renamed from | brew_it |\n| trigger | tap(Tea.pour) |\n\n## drink_it\n"})
open_page(renamed, "#tea.brew_it")
check(heading() == "pour_it", "an address with a former name leads to its event")
choose("trigger", 4)
check(value("document.querySelector('#list .category .mark').textContent") == "1", "a filter's category counts the events that it leaves")
open_page(page("main", {"main.md": "# main\n\n## show\n"}), "#main")
check("main.show" in main_text(), "a category can have the name of an element")
open_page(sample, "#recipe_search.gone")
browser("Page.reload")
browser.wait("Page.loadEventFired")
open_page(sample, "#recipe_search.search")
check(heading() == "検索" and value("document.querySelector('#list [aria-current=page]') !== null"), "an address leads to its event, which is marked in the list")
check(value("sessionStorage.length") == 0 and all(url.startswith(("file:", "about:")) for url in browser.requests()), "the page asks for no other file")

# MARK: Sample records are valid

records = []
for event, facts in model:
    if facts["status"] == "retired":
        continue
    go("#" + event)
    records.append(json.dumps(json.loads(value("[...document.querySelectorAll('figure')].find(f => f.querySelector('figcaption span').textContent === 'JSON').querySelector('code').textContent"))))
(folder / "records.ndjson").write_text("\n".join(records) + "\n")
result = subprocess.run([loggen, "validate", "--definitions", folder / "sample", folder / "records.ndjson"], capture_output=True, text=True)
check(result.returncode == 0 and len(records) > 20, f"each of the {len(records)} example records keeps its definition {result.stdout[-300:] if result.returncode else ''}{result.stderr[-300:] if result.returncode else ''}")

shares = {event: float(facts["details"]["sampling"].rstrip("%")) / 100 for event, facts in model if facts["status"] != "retired" and "sampling" in facts["details"]}
shown = {f"{r['event_category']}.{r['event_name']}": r["sampling_rate"] for r in map(json.loads, records) if "sampling_rate" in r}
check(len(shares) > 2 and shown == shares, f"and contains the sampling rate of its event, if it has one: {len(shares)} do {shown if shown != shares else ''}")
go("#recipe_search.show_recipe")
check("Kept\n10%" in main_text(), "and the event's page shows it, too")

# MARK: Languages, schemes, a phone, paper

language("ja-JP")
open_page(sample, "#recipe_search.show_recipe")
check(value("document.documentElement.lang") == "ja" and "レコードの例" in main_text() and "整数" in main_text(), "and in Japanese for a Japanese one")
check(value("document.querySelector('main h2').lang") == "ja", "Japanese text is marked as Japanese")
value("document.querySelector('.language').click()")
check(value("document.documentElement.lang") == "en", "a button changes the language")
open_page(sample)
check(value("document.documentElement.lang") == "en", "which is kept")
value("localStorage.clear()")
for locale in ["en-US", "ja-JP"]:
    language(locale)
    for scheme in ["light", "dark"]:
        browser.size(1280, 900, scheme)
        for fragment in ["", "#recipe_search.show_recipe", "#recipe_search.tap_recipe", "#recipe_search.search_by_voice", "#recipe_search", "#no.such"]:
            open_page(sample, fragment)
            ratio, where = value(CONTRAST)
            if ratio < 4.5:
                check(False, f"{locale} {scheme} {fragment}: “{where}” has a contrast of {ratio:.2f}")
check(True, "every text has a contrast of 4.5 and more")
browser.size(390, 800)
open_page(sample)
check(value("document.documentElement.scrollWidth <= innerWidth && document.querySelector('.side').checkVisibility() && !document.querySelector('main').checkVisibility()"), "a phone shows the list")
go("#recipe_search.show_recipe")
check(value("document.documentElement.scrollWidth <= innerWidth && !document.querySelector('.side').checkVisibility() && document.querySelector('.back').checkVisibility()"), "or an event with a button to go back")
check(value("document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth"), "which fits")
browser.size(1280, 900, media="print")
open_page(sample, "#recipe_search.show_recipe")
check(value("!document.querySelector('.side').checkVisibility() && document.querySelector('main').checkVisibility()"), "paper has the event without the list")
open_page(sample)
value("dispatchEvent(new Event('beforeprint'))")
check(value("document.querySelectorAll('.printed li').length") == len(everything), "or without an event all that is found")
value("dispatchEvent(new Event('afterprint'))")
check(value("document.querySelector('.printed') === null"), "and the screen is unchanged")
browser.size(1280, 900)

# MARK: Hostile cells

EVIL = ["</script><script>window.ran=1</script>", "<img src=x onerror=window.ran=2>", "[click](javascript:window.ran=3)", "[data](data:text/html,<script>window.ran=4</script>)",
        "\" onmouseover=window.ran=5 '", "{{constructor.constructor('window.ran=6')()}}", "\u202egpj.exe\u2066", "a\u2028b\u2029c", "nul\x00nul", "<!--<script>", "]]>", "</style><style>*{display:none}</style>",
        "<svg onload=window.ran=7>", "![pixel](https://example.com/pixel.png)", "`${window.ran=8}`", "<iframe srcdoc='<script>parent.ran=9</script>'>", "&lt;script&gt;window.ran=10&lt;/script&gt;", "<base href=https://example.com/>",
        "[x](jAvAsCrIpT:window.ran=11)", "[x](\tjavascript:window.ran=12)", "<a href=\"javascript:window.ran=13\">x</a>", "<meta http-equiv=refresh content=0;url=https://example.com/>"]
cell = [text.replace("|", "\\|").replace("\n", " ") for text in EVIL]
events = "\n".join(
    f"## {text.replace('`', '')} Here `evil_{number}`\n\nIt says {text}\n\n| key | value |\n| --- | --- |\n| owner | {cell[number]} |\n| since | {cell[number]} |\n| deprecated | {cell[number]} |\n\n"
    f"| column | type | description | example | deprecated | note {number} {cell[number]} |\n| --- | --- | --- | --- | --- | --- |\n| value | string | {cell[number]} | {cell[number]} | {cell[number]} | {cell[number]} |\n"
    f"| kind_{number} | `enum(v {text.translate(str.maketrans('', '', '(),;|`' + chr(0) + chr(9) + chr(0x2028) + chr(0x2029) + chr(0x202e) + chr(0x2066)))}, b)` | | | | |\n"
    for number, text in enumerate(EVIL))
(folder / "hostile").mkdir()
(folder / "hostile/evil.md").write_text("# " + EVIL[0] + " `evil`\n\n" + EVIL[1] + "\n\n" + events, encoding="utf-8")
hostile = page("hostile")
language("en-US")
open_page(hostile)
made = value("events.length")
check(made == len(EVIL), f"hostile: {made} of {len(EVIL)} events are in the list")
for number in range(len(EVIL)):
    go(f"#evil.evil_{number}")
    value("""for (const e of document.querySelectorAll("main *, #list *")) for (const kind of ["mouseover", "mouseenter", "focus", "load", "error"]) e.dispatchEvent(new Event(kind))""")
    value("if (/[\\u202a-\\u202e\\u2066-\\u2069\\u0000\\u2028]/.test(document.querySelector('main').textContent)) window.turned = true")
    value("for (const a of document.querySelectorAll('.prose a, td a, dd a')) if (!/^https?:/.test(a.href)) throw new Error(a.outerHTML)")
value("new Promise(done => setTimeout(done, 300))")
check(value("window.ran === undefined"), "hostile: no script has run")
check(value("document.querySelectorAll('img, iframe, object, embed, link, base, svg, style').length") == 1, "hostile: no element comes from a cell")
check(value("[...document.scripts].filter(s => s.type !== 'application/json').length") == 1, "hostile: the page's own script alone is there")
check(value("window.turned === undefined"), "hostile: no mark changes the direction of the text around it")
check(all(url.startswith(("file:", "about:")) for url in browser.requests()), f"hostile: nothing is loaded: {[u for u in browser.requests() if not u.startswith('file:')][:3]}")
check(browser.complaints() == [], f"hostile: the policy had nothing to keep from running: {browser.complaints()[:3]}")
check(value("(() => { try { return eval('1') } catch { return 'refused' } })()") == "refused", "the page's policy forbids evaluating strings")
value("(s => { s.textContent = 'window.ran = 1'; document.body.append(s); })(document.createElement('script'))")
value("document.body.insertAdjacentHTML('beforeend', '<b onclick=\"window.ran=1\">x</b><img src=\"https://example.com/x.png\">')")
value("document.body.lastElementChild.previousElementSibling.click()")
value("new Promise(done => setTimeout(done, 200))")
check(value("window.ran === undefined"), "and running another script")
check(len([text for text in browser.complaints() if "Content Security Policy" in text]) >= 3, "and loading a picture")

# MARK: 10,000 events

many = {f"feature_{number}.md": f"# Feature {number} `feature_{number}`\n\n| key | value |\n| --- | --- |\n| owner | @team{number % 50} |\n\n" + "".join(
    f"## 画面{number}の{event}番目 `event_{event}`\n\nSomething **happens** in feature {number}, for the {event}th time.\n\n| column | type | description |\n| --- | --- | --- |\n"
    + "".join(f"| column_{column} | string(256) | 値の説明 {column} |\n" for column in range(4)) + "\n" for event in range(10)) for number in range(1000)}
path = page("many", many)
open_page(path)
check(value("events.length") == 10000 and value("document.querySelectorAll('#list li').length") < 40 and value("document.querySelectorAll('body *').length") < 2000,
      f"10,000 events ({path.stat().st_size / 1e6:.1f} MB) are {value('document.querySelectorAll(`body *`).length')} elements")
type_query("event_7")
check(len(rows()) == 1000, "a search finds them all")
value("document.querySelector('.scroll').scrollTop = 1e9")
browser.frame()
check(value("document.querySelector('#list li:last-child').getAttribute('aria-posinset')") == "1000" and value("document.querySelectorAll('#list li').length") < 50, "and their list has an end")
type_query("")
go("#feature_999.event_9")
check(heading() == "画面999の9番目", "the last one has its page")
check(browser.complaints() == [], f"nothing complains: {browser.complaints()}")

browser.close()
if failures:
    sys.exit(f"{len(failures)} of the page's checks failed")
