# The common part of all stages; each file in .ci/stages begins by sourcing it. It changes to the root of the clone,
# creates the folder $work, which is removed when the stage ends, and stops at the first command that fails.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

work=$(mktemp -d "${TMPDIR:-/tmp}/loggen-ci.XXXXXX")
# SwiftPM's lock of a build folder is a file in TMPDIR, so the stages of a run have the same one.
export TMPDIR="${LOGGEN_RUN:-$work}/tmp"
mkdir -p "$TMPDIR"
# The processes of the stage are found by it, even after an interrupt.
export LOGGEN_STAGE="$work"
export DEBIAN_FRONTEND=noninteractive

# Stages that install packages at once wait for each other, also in README's commands.
apt-get() { flock -o /tmp/loggen-ci.apt-get apt-get "$@"; }
export -f apt-get

# Restores changes to the clone if a stage is interrupted. Stages define it as needed.
put_back() { :; }

# Processes and mounts of a stage end with it, even after an interrupt. Tests start builds that Ctrl-C does not reach.
ended() {
    local code=$? process mount
    trap - EXIT
    trap '' INT TERM
    for process in $(grep -lzsx -- "LOGGEN_STAGE=$work" /proc/[0-9]*/environ | tr '\0' '\n' | cut -d/ -f3); do
        [ "$process" = "$$" ] || kill -KILL "$process" 2>/dev/null || true
    done
    if [ -r /proc/mounts ]; then
        while read -r _ mount _; do
            mount=$(printf '%b' "$mount")
            case $mount in "$work"/*) umount -l "$mount" || true ;; esac
        done </proc/mounts
    fi
    put_back || true
    rm -rf "$work"
    exit "$code"
}
trap ended EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

section() { printf '\n-- %s\n' "$1"; }
fail() { printf 'failed: %s\n' "$1" >&2; exit 1; }

# Installs the missing ones of the Debian packages that a stage needs.
debian() {
    local package missing=()
    if ! command -v dpkg-query >/dev/null; then
        printf 'This is not Debian; the stage needs the content of these packages: %s\n' "$*" >&2
        return 0
    fi
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    [ "$(id -u)" = 0 ] || fail "these Debian packages are missing, and only root can install them: apt-get install ${missing[*]}"
    { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >"$work/apt" 2>&1 || {
        tail -5 "$work/apt" >&2
        fail "these Debian packages are missing and could not be installed (is there a network?): ${missing[*]}"
    }
}

# Installs the Debian packages for building the package.
debian_of_the_package() { debian libcmark-dev libsqlite3-dev zlib1g-dev pkg-config; }

# Installs the missing ones of the PyPI packages that a stage needs, by pip's names.
pypi() {
    command -v pip3 >/dev/null || debian python3-pip
    python3 -m pip install --quiet --retries 1 --timeout 20 --disable-pip-version-check --break-system-packages --root-user-action ignore "$@" \
        >"$work/pip" 2>&1 || {
        tail -5 "$work/pip" >&2
        fail "these PyPI packages are missing and could not be installed (is there a network?): $*"
    }
}

# Prints the n-th shell block of README.md.
readme() { awk -v wanted="$1" '/^```sh$/ { number++; inside = number == wanted; next } /^```$/ { inside = 0 } inside' README.md; }

# Prints the walk's blocks of a language in the article Getting started: steps LANGUAGE [FIRST [LAST]].
steps() {
    awk -v fence="^\`\`\`$1 walk\$" -v first="${2:-1}" -v last="${3:-99}" '
        $0 ~ fence { number++; inside = number >= first && number <= last; next }
        /^```$/ { inside = 0 }
        inside' Sources/Generator/loggen/Documentation.docc/GettingStarted.md
}

# Builds an executable of the package if needed, and prints the path of its copy. A run of all stages builds it once,
# because no stage changes the sources, and SwiftPM needs seconds to find nothing to do. A stage that needs only the copy
# runs next to those that hold .build.
built() {
    local copy="${LOGGEN_RUN:-$work}/built/$1"
    if [ ! -e "$copy" ]; then
        swift build --quiet --product "$1" >&2 || return
        mkdir -p "${copy%/*}"
        cp "$(swift build --show-bin-path)/$1" "$copy.$$"
        mv "$copy.$$" "$copy"
    fi
    printf '%s\n' "$copy"
}

# Builds the tests of the package if needed, and prints the path of their executable.
built_tests() {
    local made="${LOGGEN_RUN:-$work}/built.tests"
    if [ ! -e "$made" ]; then
        swift build --quiet --product loggenPackageTests >&2 || return
        printf '%s/loggenPackageTests.xctest\n' "$(swift build --show-bin-path)" >"$made.$$"
        mv "$made.$$" "$made"
    fi
    cat "$made"
}

# Builds logscope with its trait if needed, and prints its path. The trait recompiles all modules, so they have a folder
# of their own, without the index that no stage reads.
built_logscope() {
    local scope=(--traits Scope --scratch-path .build/scope --disable-index-store)
    swift build --quiet "${scope[@]}" --product logscope >&2 &&
        printf '%s/logscope\n' "$(swift build "${scope[@]}" --show-bin-path)"
}

# Fails if the compiler has warned about a file of this package, or in a macro that it has expanded: unwarned OUTPUT
unwarned() {
    ! awk -v root="$root/" '
        (index($0, root) == 1 && substr($0, length(root) + 1) ~ /^[A-Z][^:]*\.swift:[0-9]+:[0-9]+: warning: / ||
            /^macro expansion [^ ]*: warning: /) && !seen[$0]++' "$1" | grep . || fail "the compiler warns"
}

# Runs tests of the package: tested ARGUMENT…, with the arguments of `swift test`.
#
# Only their product is built. Otherwise SwiftPM also builds the plugins' tools, which compiles the generator again. The
# tests run without SwiftPM: `swift test` locks `.build`, and with `--ignore-lock` its use of the build database ends the
# builds of other stages.
tested() {
    local tests
    tests=$(built_tests) && NO_COLOR=1 "$tests" "$@" --testing-library swift-testing
}

# Makes the artifact bundle of Releases/bundle.py: $bundle is its path, $released the tool in it. It stays in .build, so
# that stages share one release build. The build takes minutes, and the tool is several times as fast as that of
# `built`. Without arguments, the bundle of an earlier stage of the run is enough.
make_bundle() {
    local made="${LOGGEN_RUN:-$work}/bundle.made"
    if [ ! -e "$made" ] || [ $# -gt 0 ]; then
        python3 Releases/bundle.py --output .build/released "$@" >"$work/bundle" 2>"$work/bundle-build" || {
            tail -20 "$work/bundle-build" >&2
            fail "the bundle could not be created"
        }
        touch "$made"
    fi
    bundle="$root/.build/released/loggen.artifactbundle"
    released=$(find "$bundle" -path '*/bin/loggen' -type f)
}

# Runs `swift build` with one of SwiftPM's build systems: build_with SYSTEM ARGUMENT…
#
# Sometimes a signal ends `swiftbuild` of Swift 6.3 (in libdispatch's event loop). This does not depend on the package,
# so the build is retried at most twice. A failed build is not retried.
build_with() {
    local code attempt
    for attempt in 1 2 3; do
        code=0
        swift build --build-system "$@" || code=$?
        [ "$1" = swiftbuild ] && [ "$code" -ge 128 ] || return "$code"
        printf 'swift build itself ended by signal %d (attempt %d of 3)\n' "$((code - 128))" "$attempt" >&2
    done
    return "$code"
}

# Makes an app's package in the folder $app, in which `loggen init` has not run yet.
new_app() {
    app="$work/app 定義"
    mkdir -p "$app/Sources/App"
    printf 'import AppLogs\n\nprint(Lifecycle.launch(source: .icon))\n' >"$app/Sources/App/main.swift"
    manifest ""
}

# Writes Package.swift of $app: manifest TARGETS, with the lines that `loggen init` has printed.
manifest() {
    cat >"$app/Package.swift" <<END
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "loggen", path: "$root")],
    targets: [
$1
        .executableTarget(name: "App", dependencies: ["AppLogs"]),
    ]
)
END
}

# The folder of tapgen's build with the trait `Taps`, as an app's package makes it. The package of `TapTests` is in
# `.build`, because building swift-syntax takes minutes.
tapgen_build=".build/taps 試験/.build"

# Runs a command and compares its exit code. Its output goes to $work/output.
expect() {
    local wanted=$1 code=0
    shift
    "$@" >"$work/output" 2>&1 || code=$?
    [ "$code" = "$wanted" ] || { cat "$work/output"; fail "exit code $code, expected $wanted: $*"; }
}

# Checks that the output of the last `expect` contains a string.
says() { grep -qF -- "$1" "$work/output" || { cat "$work/output"; fail "the output does not contain: $1"; }; }
