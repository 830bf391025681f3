#!/usr/bin/env python3
"""Makes loggen.artifactbundle, an artifact bundle with a built loggen for LOGGEN_BUNDLE.

The bundle contains one release build for the current machine: on Linux for its architecture, on a Mac for both.
libcmark and the Swift runtime are linked statically. On Linux, the C library is linked dynamically, so build on the
oldest system that should run the tool. `--add` includes the builds of other machines from bundles of the same version.

Exit codes: 0 the bundle is made; 1 a build or a check failed; 2 wrong usage.
"""
import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The sources of a universal libcmark.a on a Mac. Homebrew's library has one architecture.
cmark = ("https://github.com/commonmark/cmark", "0.31.1", "0.31.1")


class Failure(Exception):
    pass


def run(*command, **options):
    """Runs a command and returns its standard output. Standard error is not captured."""
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    if result.returncode != 0:
        raise Failure(f"`{' '.join(command)}` has failed:\n{result.stdout[-4000:]}")
    return result.stdout.strip()


def version():
    with open(os.path.join(root, "VERSION"), encoding="utf-8") as file:
        return file.read().strip()


def linux_library(name):
    """Returns the path of a static library of the system."""
    for compiler in ("clang", "cc"):
        if shutil.which(compiler):
            path = run(compiler, f"-print-file-name={name}")
            if os.path.isabs(path):
                return os.path.realpath(path)
    raise Failure(f"{name} is missing: apt-get install libcmark-dev zlib1g-dev, or name its folder with --libraries")


def mac_library(folder):
    """Builds libcmark.a for both architectures from its sources, and returns its path."""
    address, tag, _ = cmark
    source = os.path.join(folder, "cmark")
    run("git", "clone", "--quiet", "--depth", "1", "--branch", tag, address, source)
    build = os.path.join(folder, "cmark-build")
    run("cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF",
        "-DBUILD_TESTING=OFF", "-DCMAKE_OSX_ARCHITECTURES=arm64;x86_64", "-DCMAKE_OSX_DEPLOYMENT_TARGET=12.0")
    run("cmake", "--build", build)
    return os.path.join(build, "src", "libcmark.a")


# The command, and the tool of the build plugin.
TOOLS = ("loggen", "loggen-swift")


def build(work, libraries):
    """Builds the tools. Returns their folder and the triples of their platforms."""
    is_mac = platform.system() == "Darwin"
    static = os.path.join(root, ".build", "bundle-libraries")
    shutil.rmtree(static, ignore_errors=True)
    os.makedirs(static)
    # The linker uses the first library that it finds, and this folder has no shared ones. SwiftPM searches the
    # folder of a pkg-config file before the system's folders, but the folders of `-Xlinker -L` after them.
    with open(os.path.join(static, "libcmark.pc"), "w", encoding="utf-8") as file:
        file.write("Name: libcmark\nDescription: CommonMark, linked statically\nVersion: 0\n"
                   f"Libs: -L{static.replace(' ', chr(92) + ' ')} -lcmark\n")
    if libraries:
        for name in ["libcmark.a"] + ([] if is_mac else ["libz.a"]):
            path = os.path.join(os.path.abspath(libraries), name)
            if not os.path.exists(path):
                raise Failure(f"{libraries} has no {name}")
            os.symlink(path, os.path.join(static, name))
    elif is_mac:
        os.symlink(mac_library(work), os.path.join(static, "libcmark.a"))
    else:
        for name in ("libcmark.a", "libz.a"):
            os.symlink(linux_library(name), os.path.join(static, name))
    # Bundles contain no debug information, which costs a tenth of the build.
    command = ["swift", "build", "-c", "release", "-debug-info-format", "none", "--package-path", root,
               "--scratch-path", os.path.join(root, ".build", "bundle")]
    if is_mac:
        command += ["--arch", "arm64", "--arch", "x86_64"]
        triples = ["arm64-apple-macosx", "x86_64-apple-macosx"]
    else:
        command += ["--static-swift-stdlib"]
        triples = [json.loads(run("swift", "-print-target-info"))["target"]["unversionedTriple"]]
    # With LOGGEN_BUNDLE, the package would use an existing bundle instead of its sources.
    paths = [static] + [path for path in [os.environ.get("PKG_CONFIG_PATH")] if path]
    environment = {**os.environ, "PKG_CONFIG_PATH": os.pathsep.join(paths)}
    environment.pop("LOGGEN_BUNDLE", None)
    folder = run(*command, "--show-bin-path", env=environment)
    for tool in TOOLS:
        # SwiftPM would not link an existing tool again if only a static library has changed.
        built = os.path.join(folder, tool)
        if os.path.exists(built):
            os.remove(built)
        if subprocess.run([*command, "--product", tool], env=environment, stdout=sys.stderr).returncode != 0:
            raise Failure(f"{tool} could not be built")
    return folder, triples


def check_libraries(tool):
    """Checks the architectures of a tool, and that its static libraries are not loaded dynamically."""
    name = os.path.basename(tool)
    if platform.system() == "Darwin":
        needed = run("otool", "-L", tool)
        archs = run("lipo", "-archs", tool).split()
        if sorted(archs) != ["arm64", "x86_64"]:
            raise Failure(f"{name} is built only for {' '.join(archs)}; expected arm64 and x86_64")
        outside = [line for line in needed.splitlines() if "cmark" in line]
    else:
        needed = run("ldd", tool)
        outside = [line for line in needed.splitlines()
                   if any(name in line for name in ("libcmark", "libswift", "libFoundation", "libz."))]
    if outside:
        raise Failure(f"{name} is linked dynamically to " + ", ".join(line.split()[0] for line in outside))


def notices():
    """Returns the licenses of loggen and of the linked libraries."""
    found = [os.path.join(root, "LICENSE")]
    checkouts = os.path.join(root, ".build", "bundle", "checkouts")
    for name in ("Yams", "swift-argument-parser"):
        for file in ("LICENSE", "LICENSE.txt"):
            found.append(os.path.join(checkouts, name, file))
    found += ["/usr/share/doc/libcmark-dev/copyright", "/usr/share/doc/zlib1g-dev/copyright"]
    text = ""
    for path in found:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                name = "loggen" if path == os.path.join(root, "LICENSE") else os.path.basename(os.path.dirname(path))
                text += f"==== {name}\n\n{file.read().strip()}\n\n"
    return text


def read_info(bundle):
    try:
        with open(os.path.join(bundle, "info.json"), encoding="utf-8") as file:
            artifacts = json.load(file)["artifacts"]
        for tool in TOOLS:
            for variant in artifacts[tool]["variants"]:
                if not os.path.isfile(os.path.join(bundle, variant["path"])):
                    raise Failure(f"{bundle} has no {variant['path']}")
        return artifacts["loggen"]["version"], artifacts["loggen"]["variants"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(f"{bundle} is not a bundle of loggen: {error}") from error


def make(bundle, folder, triples, added):
    """Writes the complete bundle or none. Adds the variants of other bundles for other platforms."""
    own = version()
    name = f"loggen-{own}-{'macos' if 'apple' in triples[0] else triples[0]}"
    staging = bundle + ".new"
    shutil.rmtree(staging, ignore_errors=True)
    os.makedirs(os.path.join(staging, name, "bin"))
    for tool in TOOLS:
        target = os.path.join(staging, name, "bin", tool)
        shutil.copyfile(os.path.join(folder, tool), target)
        os.chmod(target, 0o755)
        if platform.system() == "Darwin":
            run("strip", "-x", target)
            run("codesign", "--force", "--sign", "-", target)
        else:
            strip = shutil.which("llvm-strip") or shutil.which("strip")
            if strip:
                run(strip, target)
        check_libraries(target)
        said = run(target, "--version")
        if said != own:
            raise Failure(f"the built {tool} has version {said}, but VERSION contains {own}")
    variants = [{"path": f"{name}/bin/loggen", "supportedTriples": triples}]
    for other in added:
        other_version, other_variants = read_info(other)
        if other_version != own:
            raise Failure(f"{other} has version {other_version}; expected {own}")
        for variant in other_variants:
            if set(variant["supportedTriples"]) & {
                    triple for known in variants for triple in known["supportedTriples"]}:
                continue
            folder = variant["path"].split("/")[0]
            if folder in ("", ".", "..") or ".." in variant["path"].split("/"):
                raise Failure(f"{other} refers to a file outside its folder: {variant['path']}")
            shutil.copytree(os.path.join(other, folder), os.path.join(staging, folder))
            variants.append(variant)
    artifacts = {
        tool: {"type": "executable", "version": own,
               "variants": [{**variant, "path": os.path.dirname(variant["path"]) + "/" + tool} for variant in variants]}
        for tool in TOOLS
    }
    info = {"schemaVersion": "1.0", "artifacts": artifacts}
    with open(os.path.join(staging, "info.json"), "w", encoding="utf-8") as file:
        json.dump(info, file, indent=2)
        file.write("\n")
    with open(os.path.join(staging, "NOTICES.txt"), "w", encoding="utf-8") as file:
        file.write(notices())
    shutil.rmtree(bundle, ignore_errors=True)
    os.rename(staging, bundle)


def pack(bundle):
    """Zips a bundle; equal files result in equal bytes. Returns the path of the archive and its SHA-256."""
    archive = bundle + ".zip"
    above = os.path.dirname(bundle)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for folder, folders, names in os.walk(bundle):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                entry = zipfile.ZipInfo(os.path.relpath(path, above), (1980, 1, 1, 0, 0, 0))
                entry.create_system = 3
                entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                with open(path, "rb") as content:
                    file.writestr(entry, content.read())
    with open(archive, "rb") as file:
        return archive, hashlib.sha256(file.read()).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--output", default=os.path.join(root, ".build"), metavar="FOLDER", help="the folder for the bundle (.build)")
    parser.add_argument(
        "--add", action="append", default=[], metavar="BUNDLE",
        help="a bundle of another machine to include; may be repeated")
    parser.add_argument(
        "--libraries", metavar="FOLDER",
        help="the folder with libcmark.a and, on Linux, libz.a (the system's; on a Mac, libcmark is built)")
    parser.add_argument(
        "--zip", action="store_true",
        help="also write loggen.artifactbundle.zip, and print its checksum for LOGGEN_BUNDLE=URL#CHECKSUM")
    arguments = parser.parse_args()
    bundle = os.path.join(os.path.abspath(arguments.output), "loggen.artifactbundle")
    try:
        for other in arguments.add:
            read_info(other)
        with tempfile.TemporaryDirectory() as work:
            folder, triples = build(work, arguments.libraries)
            make(bundle, folder, triples, arguments.add)
        print(bundle)
        if arguments.zip:
            archive, checksum = pack(bundle)
            print(f"{checksum}  {archive}")
    except (Failure, OSError) as error:
        print(f"bundle: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(bundle + ".new", ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
