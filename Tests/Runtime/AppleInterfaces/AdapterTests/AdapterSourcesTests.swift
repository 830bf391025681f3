import Foundation
import Testing

/// What the adapters' sources may and have to be.
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

    @Test("adapters import the toolkits that are restated here, and what they adapt", arguments: adapters)
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
        "files that compute with rectangles import what has their members: Foundation shows them on Linux and on macOS, and not on iOS",
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

    @Test("every public symbol is in an example of the documentation, and documented where it is", arguments: adapters)
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
                // The requirements of views and styles, and of what is called like a function.
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
