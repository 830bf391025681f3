#!/usr/bin/env python3
"""Measures the catalogue of 10,000 events: generating it, opening it in Chromium, and handling a key.

usage: catalogue.py [--files N] [--rounds N] [--loggen PATH]

The floor of generating is `floor.c`, a C program that only reads the same files and has libcmark parse them. `ratio`
is the median of the ratios of the pairs. Opening lasts from the start of the navigation to the end of the load event,
in a running browser. A key lasts from its event to the next frame, including style and layout. Needs Debian's chromium.
Exits with 0 if every command succeeds.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import measure

sys.dont_write_bytecode = True
sys.path.insert(0, str(measure.ROOT / "Tests/BlackBox"))

KEYS = """(async () => {
  const query = document.querySelector("#query"), costs = [];
  for (const text of %s) {
    // Keys are pressed at intervals.
    await new Promise((done) => setTimeout(done, 30));
    const start = performance.now();
    query.value = text;
    query.dispatchEvent(new Event("input", {bubbles: true}));
    document.body.getBoundingClientRect();
    const answered = performance.now() - start;
    await new Promise(requestAnimationFrame);
    costs.push([answered, performance.now() - start]);
  }
  return costs;
})()"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1000, help="the number of documents, each with ten events (1000)")
    parser.add_argument("--rounds", type=int, default=9, help="pairs counted per row, and pages opened (9)")
    parser.add_argument("--loggen", help="a release build to measure (a new build of this clone)")
    arguments = parser.parse_args()
    from chromium import Chromium

    with tempfile.TemporaryDirectory(prefix="loggen-bench-") as temporary:
        folder = pathlib.Path(temporary)
        floor = measure.build_floor(folder)
        loggen = arguments.loggen or measure.build_loggen("release")
        logs = str(folder / "logs")
        subprocess.run([sys.executable, str(measure.HERE / "make_corpus.py"), logs, "--files", str(arguments.files)], check=True)
        measure.run([loggen, "lock", logs])

        print(f"{arguments.files * 10:,} events; {os.cpu_count()} cores; {arguments.rounds} rounds\n")
        print("| outputs | floor ms | ms | ratio | peak MB |\n| --- | ---: | ---: | ---: | ---: |")
        for name in ["catalogue", "index", "swift,json-schema"]:
            command = [loggen, "generate", logs, "--only", name, "--output", str(folder / "made")]
            counted = measure.pairs([floor, logs], lambda: command, arguments.rounds)
            wall = [measure.median(pair[index].wall for pair in counted) * 1000 for index in (0, 1)]
            ratio = measure.median(pair[1].wall / pair[0].wall for pair in counted)
            print(f"| {name} | {wall[0]:.0f} | {wall[1]:.0f} | {ratio:.2f} | {max(pair[1].memory for pair in counted):.0f} |", flush=True)

        page = folder / "made/Catalogue/index.html"
        browser = Chromium(str(folder / "profile"))
        browser.size(1280, 900)
        opened, first, rest, events = [], [], [], []
        word = "feature col_01 int sea"
        for _ in range(arguments.rounds + 1):
            browser("Page.navigate", url="about:blank")
            browser.wait("Page.loadEventFired")
            browser.open(str(page))
            opened.append(browser.run("performance.getEntriesByType('navigation')[0].loadEventEnd"))
            first.append(browser.run(KEYS % '["c"]')[0])
            rest += browser.run(KEYS % [word[: length + 1] for length in range(len(word))])
            events.append(browser.run("""(async () => {
              const start = performance.now();
              location.hash = "#" + rows.concat(events).at(-1).id;
              await new Promise((done) => addEventListener("hashchange", done, {once: true}));
              document.body.getBoundingClientRect();
              await new Promise(requestAnimationFrame);
              return performance.now() - start;
            })()"""))
        print(f"\nThe page has {page.stat().st_size / 1e6:.1f} MB.\n")
        print("| in Chromium | median ms | maximum ms | target |\n| --- | ---: | ---: | ---: |")

        def row(name, values, aim):
            print(f"| {name} | {measure.median(values):.1f} | {max(values):.1f} | {aim} |")

        row("opening", opened[1:], 1000)
        row("the first key after opening, until its handler returns", [cost[0] for cost in first[1:]], 50)
        row("a key, until its handler returns", [cost[0] for cost in rest], 50)
        row("a key, until the next frame", [cost[1] for cost in rest], 50)
        row("opening another event, until the next frame", events[1:], "")
        browser.close()


if __name__ == "__main__":
    main()
