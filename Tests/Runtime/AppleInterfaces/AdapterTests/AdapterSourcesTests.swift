import Foundation
import Testing

/// Tests of the imports and the documentation of the adapters' sources.
struct AdapterSourcesTests {
    static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/Runtime")
    static let adapters = ["ActivityTrackingSwiftUI", "ActivityTrackingUIKit"]

    static func files(_ adapter: String, _ suffix: String) throws -> [(name: String, text: String)] {
        let folder = sources.appendingPathComponent(adapter)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }.sorted()
            .map {
                ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
            }
    }

    @Test(
        "Adapters import only the toolkits that are restated here and the modules that they adapt", arguments: adapters)
    func imports(adapter: String) throws {
        let known: Set = [
            "ActivityTracking", "ActivityTrackingUIKit", "Combine", "ContentVisibility", "CoreGraphics", "Foundation",
            "Logging", "ObjectiveC",
            "SwiftUI",
            "UIKit",
        ]
        let files = try Self.files(adapter, ".swift")
        #expect(files.count >= 3)
        for (name, text) in files {
            let imports = text.split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces).split(separator: " ")
            }
            .filter { $0.contains("import") && $0.last != "import" && ["import", "public"].contains($0.first) }
            #expect(!imports.isEmpty)
            for line in imports {
                #expect(known.contains(String(line.last ?? "")), "\(name): \(line.joined(separator: " "))")
            }
            // watchOS has a UIKit without views.
            let guards = /#if (?:canImport\(SwiftUI\) && )?canImport\(UIKit\) && !os\(watchOS\)\n/
            #expect(text.prefixMatch(of: guards) != nil, "\(name) has to be empty elsewhere")
        }
    }

    @Test(
        "Files that compute with rectangles import CoreGraphics or UIKit, because iOS requires it",
        arguments: adapters + ["ContentVisibility"])
    func rectangles(target: String) throws {
        var count = 0
        for (name, text) in try Self.files(target, ".swift") {
            let code = text.replacing(/\/\/[^\n]*/, with: "")
            guard code.contains(/\bCG(?:Rect|Point|Size)\b/) else { continue }
            count += 1
            #expect(code.contains(/import (?:UIKit|CoreGraphics)\n/), "\(name)")
        }
        #expect(count >= 1)
    }

    @Test("Only one function calls onChange, whose forms differ between systems", arguments: adapters)
    func onChange(adapter: String) throws {
        for (name, text) in try Self.files(adapter, ".swift") where name != "OnNewValue.swift" {
            #expect(!text.contains(".onChange("), "\(name)")
        }
    }

    @Test(
        "Every public symbol has a documentation comment and is in an example of the documentation", arguments: adapters
    )
    func documented(adapter: String) throws {
        let documentation = try Self.files(adapter, ".md").map(\.text).joined()
        var count = 0
        for (name, text) in try Self.files(adapter, ".swift") {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            for (index, line) in lines.enumerated() {
                guard
                    let match = line.firstMatch(
                        of:
                            /^public (?:private\(set\) )?(?:lazy |final |static |nonisolated )*(?:func|var|let|struct|class) (\w+)/
                    )
                else { continue }
                let symbol = String(match.1)
                // Requirements of views and styles, and functions that are called without a name.
                if ["body", "makeBody", "callAsFunction"].contains(symbol) { continue }
                count += 1
                #expect(documentation.contains(symbol), "\(name): \(symbol)")
                let before = lines[..<index].last { !$0.hasPrefix("@") } ?? ""
                #expect(before.hasPrefix("///"), "\(name): \(symbol) has no documentation comment")
            }
        }
        #expect(count >= 8)
    }
}
