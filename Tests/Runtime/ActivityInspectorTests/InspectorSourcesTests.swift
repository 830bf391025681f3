import ActivityTracking
import Foundation
import Testing

/// Tests of the sources and of words that they share with others.
struct InspectorSourcesTests {
    @Test("The sources use no network and no file")
    func staysOnTheDevice() throws {
        let folder = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../../../Sources/Runtime/ActivityInspector"
        )
        .standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
        #expect(files.count > 5)
        let known: Set = [
            "ActivityTracking", "ContentVisibility", "Foundation", "LogValidation", "SwiftUI", "TextEncoding", "UIKit",
        ]
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            for word in [
                "URLSession", "URLRequest", "FileManager", "FileHandle", "UserDefaults", "write(to", "UIPasteboard",
                "socket", "fopen", "Process(",
            ] {
                #expect(text.range(of: word) == nil, "\(file.lastPathComponent): \(word)")
            }
            let imports = text.split(separator: "\n").filter {
                $0.range(of: "import ") != nil && $0.range(of: "//") == nil
            }
            .compactMap { $0.split(separator: " ").last.map(String.init) }
            #expect(known.isSuperset(of: imports), "\(file.lastPathComponent): \(imports)")
        }
    }

    @Test("The catalogue explains triggers with the same sentences")
    func triggerSentences() throws {
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..")
            .appendingPathComponent("Sources/Outputs/LogCatalogue/Page/catalogue.js").standardizedFileURL
        let words = try String(contentsOf: page, encoding: .utf8)
            .replacingOccurrences(of: #"${part ?? "Enough"}"#, with: "Enough")
            .replacingOccurrences(of: #"${time ?? "long enough"}"#, with: "long enough")
        for trigger in [
            .screen, .show, .impression(visibleFraction: nil, dwell: nil), .tap(target: "A.b"),
        ] as [LogTrigger] {
            let sentence = trigger.summary.replacingOccurrences(of: ": A.b", with: "").dropLast(
                trigger.summary.hasSuffix(".") ? 1 : 0)
            #expect(words.contains(sentence), "\(sentence)")
        }
    }
}
