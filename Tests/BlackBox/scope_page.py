#!/usr/bin/env python3
"""Tests logscope's page in a headless Chromium while real processes send records to it.

usage: Tests/BlackBox/scope_page.py LOGSCOPE RECIPE_DEMO FOLDER [PICTURES]

With PICTURES, it draws the documentation's pictures into that folder, and does not measure times.
"""

import contextlib
import datetime
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import uuid

# The clone must not change for git.
sys.dont_write_bytecode = True
from chromium import Chromium

if len(sys.argv) < 4 or "--help" in sys.argv:
    sys.exit(__doc__)
logscope, recipe_demo, folder = sys.argv[1:4]
pictures = sys.argv[4] if len(sys.argv) > 4 else None
# A page that does not answer fails the test.
signal.alarm(900)
failures = []


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        failures.append(what)
    return condition


# MARK: logscope and its senders


class Scope:
    """A logscope with its session file and port."""

    def __init__(self, name, *arguments, port=0):
        self.command = [logscope, "Definitions", "--session", os.path.join(folder, name + ".sqlite"), *arguments]
        self.port = port
        self.start()

    def start(self):
        self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = ""
        while not (found := re.search(r"http://[^\s/]+:(\d+)/\S*", self.said)):
            line = self.process.stdout.readline()
            if not line:
                sys.exit("logscope has ended: " + self.said)
            self.said += line
        self.url, self.port = found[0], int(found[1])
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def post(self, records):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        send(connection, records)
        connection.close()


def send(connection, records, headers={}):
    body = "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode()
    connection.request("POST", "/", body, {"Content-Type": "application/x-ndjson", **headers})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def identifier():
    """Returns a UUID of version 7 (RFC 9562). Its time in milliseconds serves to measure the page's latency."""
    value = bytearray(int(time.time() * 1000).to_bytes(6, "big") + os.urandom(10))
    value[6], value[8] = value[6] & 15 | 0x70, value[8] & 63 | 128
    return str(uuid.UUID(bytes=bytes(value)))


COMMON = {"user_id": 1024, "session_id": "0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11", "app_version": "2026.4.0", "os_version": "iOS 19.4", "device_kind": "phone",
          "device_model": "iPhone18,3", "time_zone": "Asia/Tokyo", "locale": "ja-JP", "network": "wifi", "is_premium": False, "experiments": []}


def record(category, event, **values):
    return {"event_id": identifier(), "event_category": category, "event_name": event, "schema_version": versions[category, event],
            "occurred_at": "2026-11-22T11:08:54.678Z", **values, **COMMON}


def suggestion(position=1, text="卵焼き", **more):
    return record("recipe_search", "tap_suggestion", suggestion=text, suggestion_source="completion", position=position) | more


# MARK: The page


def value(expression):
    return browser.run(expression)


def count(selector):
    """Returns the number of visible elements of the page."""
    return value(f"[...document.querySelectorAll({json.dumps(selector)})].filter(e => e.checkVisibility() && e.getClientRects().length).length")


def words(selector):
    return value(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.innerText)")


def click(selector):
    x, y = value(f"(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    browser.mouse("mouseReleased", x, y, button="left", clickCount=1)
    browser.frame()


def eventually(expression, what, seconds=20):
    end = time.monotonic() + seconds
    while not (holds := value(expression)) and time.monotonic() < end:
        time.sleep(0.05)
    return check(holds, what)


def open_page(scope, language="en", path=""):
    # A navigation within the page would not load it.
    browser("Page.navigate", url="about:blank")
    browser.wait("Page.loadEventFired")
    browser.events = []
    browser("Page.navigate", url=scope.url + path)
    browser.wait("Page.loadEventFired")
    if value("document.documentElement.lang") != language:
        value("document.querySelector('#language').click()")
    value("new Promise(done => { const look = () => isAway || !state ? setTimeout(look, 20) : done(0); look(); })")
    browser.frame()


def set_select(name, text):
    value(f"(s => {{ s.value = {json.dumps(text)}; s.dispatchEvent(new Event('change', {{bubbles: true}})); }})(document.querySelector('#{name}'))")
    value("new Promise(done => setTimeout(done, 300))")
    browser.frame()


def run_demo(scope):
    """Runs the sample app as a process, with the real logger and outbox."""
    app = subprocess.Popen(
        [recipe_demo, "app", "--launch", "1", "--store", os.path.join(folder, f"store {uuid.uuid4()}"), "--collector", f"http://127.0.0.1:{scope.port}/",
         "--start", str(time.time()), "--speed", "50"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    posted = set()
    said = threading.Thread(target=lambda: [posted.add(line.split()[1].lower()) for line in app.stdout if line.startswith("kept ")], daemon=True)
    said.start()

    def turns():
        try:
            while app.poll() is None:
                app.stdin.write("\n")
                app.stdin.flush()
                time.sleep(0.05)
        except OSError:
            pass
    threading.Thread(target=turns, daemon=True).start()
    try:
        app.wait(60)
    except subprocess.TimeoutExpired:
        app.kill()
    said.join(10)
    return posted


browser = Chromium(os.path.join(folder, "profile"))
browser("Emulation.setLocaleOverride", locale="en-US")
browser.size(1440, 900)

scope = Scope("first", "--require", "recipe_search")
with contextlib.closing(http.client.HTTPConnection("127.0.0.1", scope.port)) as connection:
    connection.request("GET", "/definitions")
    definitions = json.loads(connection.getresponse().read())
versions = {(event["category"], event["event"]): event["version"] for event in definitions["events"]}
versions["recipe_search", "show_recipy"] = "1-0-0"
lines = open("Definitions/recipe_search.md", encoding="utf-8").read().split("\n")


def line_of(heading, column):
    """Returns the line of the definitions that defines a column."""
    start = next(number for number, line in enumerate(lines) if line.startswith("## ") and f"`{heading}`" in line)
    return next(number for number in range(start, len(lines)) if re.match(rf"\| {column} ", lines[number])) + 1


# MARK: Pictures

if pictures:
    run_demo(scope)
    scope.post([record("recipe_search", "view_search", referrer="home"), record("recipe_search", "show_recipy", recipe_id=1)])
    scope.post([record("recipe_search", "tap_recipe", recipe_id=42, position=-1, keyword="なす", order="popular", placement="organic")])
    for _ in range(2):
        scope.post([suggestion() | {"event_id": "019a2f1e-6d10-7a3b-9c55-2b1f0e8d7c66"}])
    scope.post([record("recipe_search", "search", keyword="卵 トマト", order="newest", tags=[], result_count=1280, elapsed=0.42)])
    for name, width, height, scheme, language in [("page", 1440, 880, "light", "en"), ("checklist", 390, 780, "light", "ja")]:
        browser.size(width, height, scheme)
        open_page(scope, language)
        value("view('plan')" if width < 500 else "location.hash = rows.find(row => row.event === 'tap_recipe' && row.verdict === 'bad').seq")
        time.sleep(1)
        browser.frame()
        browser.screenshot(os.path.join(pictures, name + ".png"))
    scope.kill()
    browser.close()
    sys.exit(0)

# MARK: Arriving records

several = Scope("several")
mute = browser("Page.addScriptToEvaluateOnNewDocument", source="window.fetch = () => new Promise(() => {})")
browser("Page.navigate", url=several.url)
browser.wait("Page.loadEventFired")
browser.frame()
check(words("#live") == ["Connecting"] and count(".live.away") == 0 and value("document.title") == "logscope", "a page before its first answer is connecting")
check(value("[...document.querySelectorAll('.filters select')].map(s => s.options[0]?.textContent)") == ["Category: all", "Event: all", "Session: all", "Device: all"],
      "and its menus have their words")
browser("Page.removeScriptToEvaluateOnNewDocument", identifier=mute["identifier"])
open_page(several)
several.post([record("recipe_search", "tap_recipe", recipe_id="</span><script>window.ran = 1</script>", position=-1, keyword=1, order="popular", placement="organic")])
eventually("document.querySelector('#list .further') !== null", "a row has the number of further violations")
check(words("#list .further")[0].startswith("+2") and "2 more violations" in value("document.querySelector('#list .further').textContent"), f"it is +2: {words('#list .further')}")
several.post([record("recipe_search", "tap_recipe", recipe_id=1, position=-1, keyword="a", order="popular", placement="organic")])
eventually("rows.length === 2 && document.querySelectorAll('#list .mark.bad:not(.further)').length === 2", "a second record is bad, too")
check(count("#list .further") == 1, "the only violation of a record needs no number")
several.kill()

open_page(scope)
check(count("#empty") == 1 and f"127.0.0.1:{scope.port}" in words("#empty")[0], "an empty page shows the address for records")
check(words("#coverage") == ["0 of 6 seen"] and count("#checks li:not(.head) .tick") > 6, f"the checklist has what is required, first: {words('#coverage')}")
check(count("#checks .seen") == 0, "and nothing is ticked")

posted = run_demo(scope)
check(len(posted) > 5, f"recipe-demo posts {len(posted)} records")
eventually(f"rows.length >= {len(posted)}", "its records appear, as they come")
ids = set(value("rows.map(row => row.id.toLowerCase())"))
check(posted <= ids, "each that its outbox has sent")
eventually("document.querySelectorAll('#checks .seen').length > 0", "the checklist ticks")
check(value("state.bad") == 0, "and nothing of it is bad")
drawn = value("[...document.querySelectorAll('#list li')].map(e => e.row.seq)")
check(value("[...rows].every((row, index) => index === 0 || rows[index - 1].seq > row.seq)"), "the newest is first")

bad = record("recipe_search", "tap_recipe", recipe_id=9007199254740993, position=-1, keyword="なす", order="popular", placement="organic")
scope.post([bad, suggestion(), record("recipe_search", "show_recipy", recipe_id=1)])
eventually("state.bad === 2 && rows[0]?.event === 'show_recipy'", "crafted records appear, too")
browser.frame()
check(words("#strangers li code") == ["recipe_search.show_recipy"], "an event that is not defined is named")
check(value("[...document.querySelectorAll('#checks .broken code')].map(e => e.textContent)") == ["recipe_search.tap_recipe"], "an event with only bad records is marked, but not ticked")

seq = value("rows.find(row => row.event === 'tap_recipe').seq")
value(f"[...document.querySelectorAll('#list li')].find(e => e.row.seq === {seq}).click()")
eventually("!document.querySelector('#main').hidden && document.querySelector('.columns .broken') !== null", "a click opens a record")
check(count(".columns > .broken") == 1, "one column is broken")
broken = words(".columns > .broken")[0]
place = f"recipe_search.md:{line_of('tap_recipe', 'position')}"
check("position" in broken and "-1" in broken and place in broken, f"it is the column, with the definition's line {place}")
check("上から何番目か" in broken and "int(0...)" in broken and "4" in broken, "and the definition's type, description and example")
red = value("getComputedStyle(document.querySelector('.columns .broken .why')).color")
check(red == value("(e => { e.style.color = 'var(--bad)'; document.body.append(e); const c = getComputedStyle(e).color; e.remove(); return c; })(document.createElement('i'))"), f"in red ({red})")
check("9007199254740993" in words(".columns")[0], "numbers keep all their digits")
check(count(".columns .value.none") > 0, "a column that is not in the record is shown")

scope.post([record("recipe_search", "clear_history")])
again = suggestion(position=7)
scope.post([again])
scope.post([again])
eventually("rows[0]?.again === true && document.querySelector('#list .mark.again') !== null", "a redelivery is marked")
eventually("state.again === 1 && document.querySelector('#again').innerText === '1'", "and counted apart")
check(value("document.querySelector('.chart svg').getAttribute('aria-label')").startswith("Records per minute"), "the chart has a label")

scope.post([record("recipe_search", "show_recipe", recipe_id=1, position=0, keyword="なす", order="popular", sampling_rate=0.25)])
eventually("rows[0]?.event === 'show_recipe'", "a record of a share appears")
seq = value("rows[0].seq")
value(f"location.hash = {seq}")
eventually(f"opened === {seq} && document.querySelector('#main').innerText.includes('sampling_rate')", "with its share")
facts = words("#main .facts")[0]
check(re.search(r"Kept\s+10%", facts) and re.search(r"sampling_rate\s+0\.25\s+stands for 4", facts), f"next to that of its event, with the number of records that it stands for {facts!r}")
check(value("rows[0].verdict") == "good" and not any("sampling_rate" in part for part in words("#main .columns")), "it is not an undefined column")

# MARK: Filters, pause, search

value("shut()")
click("#only-bad")
eventually("rows.length === 2 && rows.every(row => row.verdict === 'bad')", "only bad ones are left")
scope.post([suggestion(), suggestion(position=-3)])
eventually("rows.length === 3", "what comes is filtered, too")
click("#reset")
eventually("rows.length > 5", "show all shows all")
set_select("event", "recipe_search.tap_recipe")
eventually("rows.length === 1 && rows[0].event === 'tap_recipe'", "one event")
set_select("event", "")
set_select("category", "home")
eventually("rows.length > 0 && rows.every(row => row.category === 'home')", "one category")
set_select("category", "")
tablet = suggestion(text="トマト") | {"device_model": "iPad16,1", "session_id": "0190a3f2-aaaa-7b52-9d0a-000000000001"}
scope.post([tablet])
eventually("document.querySelector('#device').options.length > 2 && document.querySelector('#session').options.length > 2", "devices and sessions are offered as they come")
device = value("rows.find(row => row.device.includes('iPad')).device")
set_select("device", device)
eventually("rows.length === 1", "one device")
set_select("device", "")
set_select("session", tablet["session_id"])
eventually("rows.length === 1", "one session")
set_select("session", "")
browser.key("/")
check(value("document.activeElement.id") == "query", "/ goes to the search")
for letter in "トマト":
    browser("Input.insertText", text=letter)
eventually("filter.text === 'トマト' && rows.length === 1", "text is searched in the records")
browser.key("Escape")
eventually("filter.text === '' && rows.length > 5", "Escape ends it")

browser.key("p")
check(words("#live") == ["On hold"] and value("document.querySelector('#pause').getAttribute('aria-pressed')") == "true", "p pauses")
time.sleep(0.5)
top, total = value("rows[0].seq"), value("state.total")
scope.post([suggestion() for _ in range(4)])
eventually(f"state.total === {total + 4} && freshCount === 4", "numbers go on while the list is on hold")
browser.frame()
check(value("rows[0].seq") == top and words("#fresh") == ["↑ 4 new"], "the list does not move, and shows the number of new records")
browser.key("p")
check(value("rows[0].seq") == top + 4 and count("#fresh") == 0 and words("#live") == ["Live"], "and goes on")

# MARK: Keyboard only

browser.key("j")
check(value("document.activeElement.id") == "list" and value("document.querySelector('#list [aria-selected=true]').id === document.querySelector('#list').getAttribute('aria-activedescendant')"), "j goes to the first record")
browser.key("ArrowDown")
browser.key("ArrowDown")
browser.key("k")
check(value("rows.findIndex(row => row.seq === selected)") == 1, "the arrows and k go on and back")
scope.post([suggestion()])
eventually("freshCount === 1", "a record that is being read does not move away")
browser.key("Enter")
eventually("opened === selected && !document.querySelector('#main').hidden", "Enter opens it")
browser.key("ArrowDown")
eventually("opened === selected && rows.findIndex(row => row.seq === selected) === 2", "and the next one, next to the list")
browser.key("Escape")
check(value("document.querySelector('#main').hidden && document.activeElement.id === 'list'"), "Escape closes it")
browser.key("Escape")
check(words("#live") == ["Live"] and value("freshCount") == 0, "and then goes back to what is new")
browser.key("?")
check(value("document.querySelector('#keys').open") and count("#keys kbd") > 8, "? shows the keys")
browser.key("Escape")
value("document.querySelector('#keys').close()")
unnamed = value("""[...document.querySelectorAll('button, select, input, a, [role]')].filter(e => e.checkVisibility() && !['list', 'group', 'search', 'status', 'option'].includes(e.getAttribute('role')))
  .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML.slice(0, 80))""")
check(unnamed == [], f"each control has a name: {unnamed}")

# MARK: Faults

value("document.querySelector('.faults').open = true")
click("[data-fault=fail] button")
eventually("state.faults.fail?.status === 503 && !document.querySelector('#banner').hidden", "a fault is started from the page, which shows it")
with contextlib.closing(http.client.HTTPConnection("127.0.0.1", scope.port)) as connection:
    check(send(connection, [suggestion()]) == 503, "and logscope answers with it")
click("[data-fault=fail] button")
eventually("!state.faults.fail && document.querySelector('#banner').hidden", "and ended")
value("document.querySelector('.faults').open = false")
for hours, property in ((-2, "textContent.endsWith(' s behind.')"), (0, "hidden")):
    sent = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", scope.port)) as connection:
        check(send(connection, [suggestion()], {"Sent-At": sent.isoformat(timespec="milliseconds").replace("+00:00", "Z")}) == 204, f"a device sends {-hours} hours late")
    eventually(f"document.querySelector('#banner').{property}", f"{property}: the page shows a clock that is wrong")
check(value("fetch('/export').then(a => a.text()).then(t => t.trim().split('\\n').length)") >= value("state.total") - 1, "the export has the records")

# MARK: Disconnecting and reconnecting

time.sleep(0.5)
total = value("state.total")
scope.kill()
eventually("isAway && document.querySelector('.live.away') !== null && !document.querySelector('#banner').hidden", "a stopped logscope is reported")
check(count("#list li") > 3, "the page keeps its content")
scope.start()
eventually("!isAway && document.querySelector('#banner').hidden", "it is found again when it is back", 30)
scope.post([suggestion(position=99)])
eventually(f"state.total === {total + 1} && rows[0].seq > {top}", "with all that it had, and what comes now")
complaints = [text for text in browser.complaints() if "ERR_" not in text and "Failed to load resource" not in text]
check(complaints == [], f"nothing complains: {complaints}")
check(all(url.startswith((f"http://127.0.0.1:{scope.port}/", "about:")) for url in browser.requests()), "the page sends requests only to its logscope")

# MARK: HTML in every value

browser.events = []
value("window.violated = []; addEventListener('securitypolicyviolation', event => violated.push(event.blockedURI + ' ' + event.violatedDirective)); 0")
evil = ["<script>window.ran = 1</script>", '"><img src=x onerror="window.ran = 2">', "</li><svg onload=window.ran=3>", "javascript:window.ran=4", "\u202egpj.exe\u2066\u0000", "a\u00adb\u3164\U000e0041", "${window.ran=5}{{7*7}}", "</script><script>window.ran = 6</script>"]
for text in evil:
    hostile = suggestion(text=text)
    scope.post([hostile, {**hostile, "event_id": text}, {**hostile, "event_id": identifier(), "event_category": text, "event_name": text},
                {**{name: text for name in hostile}, text: text}, {**hostile, "event_id": identifier(), "session_id": text, "device_model": text, "schema_version": text, "position": {text: [text]}}])
eventually("rows.filter(row => JSON.stringify(row).includes('ran')).length > 10", "hostile: the records are shown")
for seq in value("rows.filter(row => row.seq).slice(0, 40).map(row => row.seq)"):
    value(f"open({seq})")
value("(d => { if (d) d.open = true })(document.querySelector('.detail details'))")
for name in ["session", "device"]:
    set_select(name, evil[0])
    set_select(name, "")
browser.frame()
check(value("window.ran === undefined"), "hostile: nothing of it runs")
check(value("violated") == [], f"hostile: nor tries to: {value('violated')}")
check(value("document.scripts.length === 1 && document.querySelectorAll('img, iframe, object, embed, link, #list svg, #main svg, #checks svg').length === 0"), "hostile: no element comes from a value")
check(value("!/[\\u202e\\u2066\\u00ad\\u3164\\u{e0041}]/u.test(document.body.innerText)"), "hostile: no mark changes the direction of the text around it, and none is invisible")
check(value("document.querySelector('#main').innerText.includes('<') || document.querySelector('#list').innerText.includes('<')"), "hostile: it is text")
check([text for text in browser.complaints()] == [], f"hostile: nothing complains: {browser.complaints()}")
check(value("(() => { try { return Function('return 1')() } catch { return 'refused' } })()") == "refused", "the policy forbids evaluating strings")
value("shut()")

# MARK: Contrast (WCAG 2.2, 1.4.3), and a phone

CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const color = text => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = e => { for (; e; e = e.parentElement) { const c = color(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return color(getComputedStyle(document.documentElement).getPropertyValue("--paper")); };
  let least = [99, ""];
  for (const e of document.querySelectorAll("body *")) {
    if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const [a, b] = [light(color(getComputedStyle(e).color)), light(ground(e))].sort((a, b) => b - a), ratio = (a + 0.05) / (b + 0.05);
    if (ratio < least[0]) least = [ratio, e.outerHTML.slice(0, 80)];
  }
  return least;
})()"""
seq = value("rows.find(row => row.verdict === 'bad' && row.event === 'tap_suggestion')?.seq")
for scheme in ["light", "dark"]:
    browser.size(1440, 900, scheme)
    open_page(scope, path=f"#{seq}")
    eventually("!document.querySelector('#main').hidden", f"{scheme}: an address with a record opens it")
    ratio, where = value(CONTRAST)
    check(ratio >= 4.5, f"{scheme}: every text has a contrast of 4.5 and more ({ratio:.2f} at {where})")

browser.size(390, 844)
for language in ["en", "ja"]:
    open_page(scope, language)
    check(value("document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth"), f"phone, {language}: nothing is wider than the screen")
    check(count("#list li") > 3 and count(".plan") == 0, f"phone, {language}: the records")
    click("[data-view=plan]")
    check(count("#checks li") > 3 and count("#list li") == 0, f"phone, {language}: the checklist")
    click("[data-view=records]")
    click("#list li")
    eventually("!document.querySelector('#main').hidden && document.querySelector('.columns') !== null", f"phone, {language}: a record")
    check(count("#list li") == 0 and value("document.documentElement.scrollWidth <= innerWidth && document.querySelector('#main').scrollWidth <= innerWidth"), f"phone, {language}: fills the screen, and no more")
    small = value("""[...document.querySelectorAll('button, select, a:not(.skip)')].filter(e => e.checkVisibility() && e.getClientRects().length && Math.min(e.getBoundingClientRect().height, e.getBoundingClientRect().width) < 24).map(e => e.outerHTML.slice(0, 60))""")
    check(small == [], f"phone, {language}: what is touched has 24 pixels and more (WCAG 2.2, 2.5.8): {small}")
    value("history.back()")
    eventually("document.querySelector('#main').hidden", f"phone, {language}: back goes back")
scope.kill()

# MARK: Speed and memory

WATCH = """(() => {
  window.times = [];
  const told = new Set();
  new MutationObserver(changes => {
    const came = changes.flatMap(change => [...change.addedNodes]).filter(e => e.row?.id && !told.has(e.row.seq));
    if (!came.length) return;
    for (const e of came) told.add(e.row.seq);
    requestAnimationFrame(() => { const now = Date.now(); for (const e of came) times.push(now - parseInt(e.row.id.replaceAll("-", "").slice(0, 12), 16)); });
  }).observe(document.querySelector("#list"), { childList: true });
})()"""
ranks = lambda times: tuple(sorted(times)[min(len(times) - 1, int(len(times) * rank))] for rank in (0.5, 0.99)) if times else (None, None)


def stream(scope, rate, seconds, connections):
    """Sends the records of some seconds at a rate in small batches; on a busy machine, it takes longer. Returns the number of accepted ones."""
    taken = [0] * connections

    def run(number):
        connection = http.client.HTTPConnection("127.0.0.1", scope.port, timeout=60)
        size = max(1, rate // connections // 10)
        pause = size * connections / rate
        due = time.monotonic() + pause * number / connections
        template = json.dumps(suggestion(), ensure_ascii=False)
        fixed = template[template.index(", "):]
        for _ in range(rate * seconds // (size * connections)):
            time.sleep(max(0, due - time.monotonic()))
            due += pause
            body = "\n".join('{"event_id": "' + identifier() + '"' + fixed for _ in range(size)).encode()
            connection.request("POST", "/", body, {"Content-Type": "application/x-ndjson"})
            answer = connection.getresponse()
            answer.read()
            if answer.status < 300:
                taken[number] += size
        connection.close()

    threads = [threading.Thread(target=run, args=[number]) for number in range(connections)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        # The browser's messages are read meanwhile, because its pipe would fill up.
        value("0")
        time.sleep(0.2)
    return sum(taken)


browser.size(1440, 900)
scope = Scope("fast")
open_page(scope)
value(WATCH)
taken = stream(scope, 100, 10, 2)
middle, late = ranks(value("times"))
check(taken == 1000 and late is not None, f"100 records/s for 10 s: {taken} taken, {len(value('times'))} seen on the screen, {middle} ms in the middle, {late} ms at the 99th percentile")
value("times.length = 0")
taken = stream(scope, 5000, 10, 20)
middle, late = ranks(value("times"))
check(taken == 50_000 and late is not None, f"5,000 records/s from 20 connections for 10 s: {taken} taken, {len(value('times'))} seen on the screen, {middle} ms in the middle, {late} ms at the 99th percentile")
eventually("state.total >= 1000 && rows.length <= 1000 && document.querySelectorAll('#list li').length < 60", "1,000 records are in memory at most, and those in view in the page")
browser("HeapProfiler.enable")


def heap():
    browser("HeapProfiler.collectGarbage")
    return browser("Runtime.getHeapUsage")["usedSize"] / 1e6, value("document.querySelectorAll('*').length")


value("times.length = 0")
first = heap()
wanted = 360_000
taken = 0
started = time.monotonic()
while taken < wanted and time.monotonic() - started < 300:
    taken += stream(scope, 20_000, 5, 20)
    value("times.length = 0")
eventually(f"state.total >= {taken}", f"an hour of 100 records/s, sent in {time.monotonic() - started:.0f} s: {taken} records", 60)
browser.frame()
second = heap()
check(second[0] < first[0] + 10, f"the page's heap is {first[0]:.1f} MB before and {second[0]:.1f} MB after, with {first[1]} and {second[1]} elements")
check(browser.complaints() == [], f"nothing complains: {browser.complaints()}")
scope.kill()

browser.close()
if failures:
    sys.exit(f"{len(failures)} of the page's checks failed:\n" + "\n".join(failures))
