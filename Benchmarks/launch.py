#!/usr/bin/env python3
"""Measures the cost of linking the runtime: code size, and the time from the process's start to its first post.

Three programs that differ in what they link (Foundation alone, with ActivityTracking, with ActivityOutbox) are built
for release in a separate package and stripped. The Swift runtime, Foundation and SQLite are linked dynamically, because
they are part of the system on a phone. loggen, GRDB and swift-log are linked statically. Each program is started many
times. The time begins before the process is created and ends after `post` has returned, on one clock. The outbox
writes later on a separate queue.
"""
import argparse
import pathlib
import shutil
import subprocess
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent

CLOCK = """
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    print(now.tv_sec * 1_000_000_000 + now.tv_nsec)
"""

EVENT = """
enum Shop: LogCategory {
    case open(Int)
    static let definition = LogDefinition("shop\\n.open|1-0-0\\nn|int64")
    func encode(into encoder: LogEncoder) {
        switch self { case .open(let number): encoder.event(0).int64(Int64(number)) }
    }
}
"""

PROGRAMS = {
    "floor": ([], "import Foundation\n\nfunc run() {\n    _ = Date()\n" + CLOCK + "}\n\nrun()\n"),
    "tracking": (
        ["ActivityTracking"],
        "@_spi(GeneratedCode) import ActivityTracking\nimport Foundation\n" + EVENT
        + """
func run() async {
    let logger = ActivityLogger(destinations: [ConsoleDestination(level: .trace)], collection: .enabled)
    logger.post(Shop.open(1))
"""
        + CLOCK
        + "}\n\nawait run()\n",
    ),
    "outbox": (
        ["ActivityTracking", "ActivityOutbox"],
        "import ActivityOutbox\n@_spi(GeneratedCode) import ActivityTracking\nimport Foundation\n" + EVENT
        + """
func run() async {
    let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    let uploader = HTTPUploader(URL(fileURLWithPath: "/"))
    var begin = timespec()
    clock_gettime(CLOCK_MONOTONIC, &begin)
    let outbox = Outbox(.init(folder: folder), uploader: uploader)
    var made = timespec()
    clock_gettime(CLOCK_MONOTONIC, &made)
    let logger = ActivityLogger(destinations: [outbox], collection: .paused)
    logger.post(Shop.open(1))
"""
        + CLOCK
        + """
    print((made.tv_sec - begin.tv_sec) * 1_000_000_000 + made.tv_nsec - begin.tv_nsec)
    await logger.shutdown(within: 10)
}

await run()
""",
    ),
}


def write_package(folder):
    targets = []
    for name, (products, program) in PROGRAMS.items():
        (folder / "Sources" / name).mkdir(parents=True, exist_ok=True)
        (folder / "Sources" / name / "main.swift").write_text(program)
        listed = ", ".join(f'.product(name: "{product}", package: "loggen")' for product in products)
        targets.append(f'.executableTarget(name: "{name}", dependencies: [{listed}])')
    (folder / "Package.swift").write_text(
        "// swift-tools-version: 6.1\nimport PackageDescription\n\nlet package = Package(\n"
        f'    name: "launch", platforms: [.macOS(.v12)], dependencies: [.package(name: "loggen", path: "{REPOSITORY}")],\n'
        f"    targets: [{', '.join(targets)}]\n)\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="the number of starts of each program (100)")
    parser.add_argument("--folder", type=pathlib.Path, help="a build folder to keep (a temporary folder)")
    options = parser.parse_args()
    folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="loggen-launch-"))
    folder = folder.resolve()
    try:
        write_package(folder)
        build = ["swift", "build", "-c", "release", "-Xlinker", "--gc-sections"]
        subprocess.run(build, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        products = pathlib.Path(subprocess.run(build + ["--show-bin-path"], cwd=folder, check=True, capture_output=True, text=True).stdout.strip())
        sizes, floor = {}, None
        for name in PROGRAMS:
            stripped = folder / f"{name}-stripped"
            subprocess.run(["strip", "-o", str(stripped), str(products / name)], check=True)
            sizes[name] = stripped.stat().st_size
        store = folder / "store"
        times = {name: [] for name in PROGRAMS}
        made = []
        # The programs run in turn, so that a slow machine slows all of them.
        for _ in range(options.runs):
            for name in PROGRAMS:
                shutil.rmtree(store, ignore_errors=True)
                start = time.monotonic_ns()
                result = subprocess.run([str(folder / f"{name}-stripped"), str(store)], check=True, capture_output=True, text=True)
                lines = [int(line) for line in result.stdout.split() if line.isdigit()]
                times[name].append((lines[0] - start) / 1e6)
                if len(lines) > 1:
                    made.append(lines[1] / 1e3)
        print("program    stripped MB             added MB   start to first post, ms: P50   P99")
        before = None
        for name in PROGRAMS:
            size = sizes[name] / 1e6
            more = "" if before is None else f"{size - before:.2f}"
            ordered = sorted(times[name])
            print(f"{name:<10} {size:11.2f}   {more:>19}   {ordered[len(ordered) // 2]:28.2f} {ordered[int(len(ordered) * 0.99)]:5.2f}")
            before = size
        made.sort()
        print(f"Outbox.init: P50 {made[len(made) // 2]:.0f} µs, P99 {made[int(len(made) * 0.99)]:.0f} µs")
    finally:
        if not options.folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
