#!/usr/bin/env python3
"""Follows the links of the documentation site in a headless Chromium.

usage: Tests/BlackBox/site.py SITE FOLDER

SITE is made by Releases/site.py, and served on loopback. Opens the front page and each root page, article and catalogue
that a link leads to. Fails for links and pictures without a file, fragments without an element, errors in the console,
and articles that the front page does not lead to. Symbol pages are not opened: DocC has checked their links.
"""
import functools
import http.server
import json
import pathlib
import sys
import threading
import time
import urllib.parse

from chromium import Chromium

SITE, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
LINKS = "[...document.querySelectorAll('a[href]')].filter(a => !a.closest('.navigator, .OnThisPageNav')).map(a => a.href)"
PICTURES = """Promise.all([...document.querySelectorAll('main img')].map(async picture => {
    picture.loading = 'eager';
    try { await picture.decode() } catch { return picture.currentSrc || picture.src }
})).then(found => found.filter(address => address))"""
failures = []


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def check(condition, what):
    if not condition:
        print(f"FAILED  {what}", flush=True)
        failures.append(what)


def is_article(path):
    """Returns true for articles and root pages, whose data names their role."""
    data = SITE / ("data/" + path.strip("/") + ".json")
    return data.is_file() and json.loads(data.read_text())["metadata"].get("role") in ("article", "collection")


def file(path):
    """Returns the file that a server sends for a path."""
    found = SITE / path.lstrip("/")
    return found / "index.html" if found.is_dir() else found


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(SITE)))
threading.Thread(target=server.serve_forever, daemon=True).start()
origin = f"http://127.0.0.1:{server.server_address[1]}"
browser = Chromium(str(FOLDER / "profile"))
browser.size(1200, 900)


def open_page(path):
    """Opens a page and waits for its content, which the script of DocC's pages draws."""
    browser.visit(origin + path)
    end = time.monotonic() + 30
    while not browser.run("document.querySelector('h1') !== null") and time.monotonic() < end:
        time.sleep(0.05)
    browser.frame()


waiting, seen, fragments, links = ["/"], {"/"}, {}, 0
while waiting:
    page = waiting.pop(0)
    open_page(page)
    check(browser.run("document.querySelector('h1')?.textContent.trim() ?? ''"), f"{page}: has a title")
    check(browser.complaints() == [], f"{page}: no errors in the console: {browser.complaints()[:3]}")
    missing = browser.run(PICTURES)
    check(missing == [], f"{page}: pictures are drawn: {missing}")
    # Some of DocC's identifiers are escaped as in an address.
    identifiers = {urllib.parse.unquote(name) for name in browser.run("[...document.querySelectorAll('[id]')].map(e => e.id)")}
    for fragment, source in fragments.get(page, []):
        check(fragment in identifiers, f"{source}: #{fragment} is in {page}")
    fragments[page] = identifiers
    for link in sorted(set(browser.run(LINKS))):
        address = urllib.parse.urlsplit(link)
        if f"{address.scheme}://{address.netloc}" != origin:
            continue
        links += 1
        path, fragment = urllib.parse.unquote(address.path), urllib.parse.unquote(address.fragment)
        check(file(path).is_file(), f"{page}: {path} exists")
        path = path if path.endswith("/") or "." in path.rsplit("/", 1)[1] and not is_article(path) else path + "/"
        if fragment and not path.startswith("/Catalogue/"):
            if isinstance(fragments.get(path), set):
                check(fragment in fragments[path], f"{page}: #{fragment} is in {path}")
            else:
                fragments.setdefault(path, []).append((fragment, page))
        if path not in seen and (is_article(path) or path == "/Catalogue/"):
            seen.add(path)
            waiting.append(path)

articles = {"/" + str(path.relative_to(SITE / "data").with_suffix("")) + "/"
            for path in (SITE / "data/documentation").rglob("*.json")
            if json.loads(path.read_text())["metadata"].get("role") == "article"}
check(len(articles) >= 20, f"the site has articles: {len(articles)}")
check(articles <= seen, f"the front page leads to all articles: {sorted(articles - seen)}")
check("/Catalogue/" in seen, "the front page leads to the catalogue")
browser.close()
server.shutdown()
print(f"{len(seen)} pages, {links} links, {len(failures)} failures")
sys.exit(1 if failures else 0)
