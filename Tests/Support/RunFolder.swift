package import Foundation

/// A temporary folder that is removed when the test process ends.
///
/// It is for files that outlive a test: a program that all tests share, and the store of an outbox that opens after its
/// test has ended.
package enum RunFolder {
    package static let url: URL = {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("loggen-tests \(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: RunFolder.url) }
        return url
    }()
}
