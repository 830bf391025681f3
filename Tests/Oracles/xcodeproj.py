#!/usr/bin/env python3
"""Reads an Xcode project with an independent parser (PyPI: pbxproj), and follows every reference in it.

usage: xcodeproj.py PROJECT.xcodeproj
"""

import pathlib
import plistlib
import re
import sys
import xml.etree.ElementTree

from pbxproj import XcodeProject

ID = re.compile(r"[0-9A-F]{24}\Z")
ORIENTATIONS = {"Portrait", "PortraitUpsideDown", "LandscapeLeft", "LandscapeRight"}
problems = []


def expect(holds, problem):
    if not holds:
        problems.append(problem)


def values(node):
    """Yields all strings in an object, at any depth."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield str(key)
            yield from values(value)
    elif isinstance(node, list):
        for value in node:
            yield from values(value)
    else:
        yield str(node)


def plain(node):
    """Returns the parser's objects as dictionaries and lists."""
    if hasattr(node, "get_keys"):
        return {key: plain(node[key]) for key in node.get_keys()}
    return [plain(value) for value in node] if isinstance(node, list) else str(node)


def main():
    path = pathlib.Path(sys.argv[1])
    folder = path.parent
    project = XcodeProject.load(str(path / "project.pbxproj"))
    objects = {key: plain(project.objects[key]) for key in project.objects.get_keys()}

    # Every reference leads to an object, and every object has a reference.
    reached, ahead = set(), [str(project.rootObject)]
    while ahead:
        key = ahead.pop()
        if key in reached:
            continue
        reached.add(key)
        if key not in objects:
            problems.append(f"{key} is referred to, and is not there")
            continue
        ahead += [value for value in values(objects[key]) if ID.match(value)]
    for key in sorted(objects.keys() - reached):
        problems.append(f"{key} ({objects[key]['isa']}) is there, and nothing refers to it")

    def by_kind(kind):
        return {key: value for key, value in objects.items() if value["isa"] == kind}

    targets = by_kind("PBXNativeTarget")
    names = {target["name"]: key for key, target in targets.items()}

    # Files and folders exist, relative to the project's folder.
    for entry in [*by_kind("PBXFileReference").values(), *by_kind("PBXFileSystemSynchronizedRootGroup").values()]:
        if entry["sourceTree"] == "<group>":
            expect((folder / entry["path"]).exists(), f"{entry['path']} does not exist")
    products = set()
    for package in by_kind("XCLocalSwiftPackageReference").values():
        manifest = folder / package["relativePath"] / "Package.swift"
        expect(manifest.exists(), f"{manifest} does not exist")
        products |= set(re.findall(r'\.library\(name: "(\w+)"', manifest.read_text() if manifest.exists() else ""))
    for dependency in by_kind("XCSwiftPackageProductDependency").values():
        expect(dependency["productName"] in products, f"no package has a product {dependency['productName']}")
    linked = {file["productRef"] for file in by_kind("PBXBuildFile").values()}
    expect(linked == set(by_kind("XCSwiftPackageProductDependency")), "not every product is linked once")

    # Settings that name targets or files.
    for configuration in by_kind("XCBuildConfiguration").values():
        settings = configuration["buildSettings"]
        if "TEST_TARGET_NAME" in settings:
            expect(settings["TEST_TARGET_NAME"] in names, f"the target {settings['TEST_TARGET_NAME']} does not exist")
        ipad = settings.get("INFOPLIST_KEY_UISupportedInterfaceOrientations_iPad")
        if ipad is not None:
            # An app with several windows must support all orientations.
            said = {name.removeprefix("UIInterfaceOrientation") for name in ipad.strip('"').split()}
            expect(said == ORIENTATIONS, f"an iPad has all orientations, not {sorted(said)}")
        if "INFOPLIST_FILE" in settings:
            information = plistlib.loads((folder / settings["INFOPLIST_FILE"]).read_bytes())
            scenes = information.get("UIApplicationSceneManifest", {}).get("UISceneConfigurations", {})
            delegates = [scene["UISceneDelegateClassName"] for role in scenes.values() for scene in role]
            expect(bool(delegates), "the app has no scenes")
            sources = "".join(file.read_text() for file in folder.glob("App/**/*.swift"))
            for delegate in delegates:
                name = delegate.removeprefix("$(PRODUCT_MODULE_NAME).")
                expect(f"class {name}: UIResponder, UIWindowSceneDelegate" in sources, f"no source has the scene delegate {name}")

    # Shared schemes build and test targets of the project.
    schemes = sorted(path.glob("xcshareddata/xcschemes/*.xcscheme"))
    expect(bool(schemes), "the shared scheme is missing")
    for scheme in schemes:
        references = list(xml.etree.ElementTree.parse(scheme).iter("BuildableReference"))
        for reference in references:
            target = targets.get(reference.get("BlueprintIdentifier"), {})
            expect(target.get("name") == reference.get("BlueprintName"), f"{scheme.name}: no target {reference.get('BlueprintName')}")
            product = objects.get(target.get("productReference"), {})
            expect(product.get("path") == reference.get("BuildableName"), f"{scheme.name}: no product {reference.get('BuildableName')}")
            expect(reference.get("ReferencedContainer") == f"container:{path.name}", f"{scheme.name}: another project")
        expect({reference.get("BlueprintName") for reference in references} == set(names), f"{scheme.name} has not all targets")

    for problem in problems:
        print(f"{path}: error: {problem}")
    print(f"{path}: {len(objects)} objects, {len(reached)} reached, {len(targets)} targets, {len(schemes)} shared schemes, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
