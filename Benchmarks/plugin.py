#!/usr/bin/env python3
"""Measures the time that the build plugin adds to a build without changes.

usage: plugin.py [--rounds N]

Builds the example's definitions (Examples/Recipes/RecipeLogs, generated on every build) and the runtime they depend on
(ActivityTracking, without a plugin) in turn, after both have been built. Prints the medians and the median of the
differences. The target for the difference is 0.3 s.
"""
import argparse
import shutil

import measure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="pairs counted (9)")
    arguments = parser.parse_args()

    swift = shutil.which("swift")
    package = str(measure.ROOT / "Examples/Recipes/RecipeLogs")
    without, with_plugin = ([swift, "build", "--package-path", package, "--target", name] for name in ("ActivityTracking", "RecipeLogs"))
    for _ in range(2):
        measure.run(without)
        measure.run(with_plugin)
    counted = measure.pairs(without, lambda: with_plugin, arguments.rounds)
    print("| build without changes | ms |\n| --- | ---: |")
    print(f"| without the plugin | {measure.median(pair[0].wall for pair in counted) * 1000:.0f} |")
    print(f"| with the plugin | {measure.median(pair[1].wall for pair in counted) * 1000:.0f} |")
    print(f"| difference (target 300) | {measure.median(pair[1].wall - pair[0].wall for pair in counted) * 1000:.0f} |")


if __name__ == "__main__":
    main()
