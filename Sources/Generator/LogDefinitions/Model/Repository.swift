import Foundation
import MarkdownSyntax

/// The location of the definition files on the web, from `repository` in `loggen.yml`. The location is the address of a
/// line of a file, with the placeholders `{file}` and `{line}`.
///
///     https://github.com/acme/app/blob/main/Definitions/{file}?plain=1#L{line}
///
/// The configuration contains the whole address, because every host has its own form.
package struct Repository: Sendable, Hashable {
    /// The address, with the placeholders.
    private let text: String

    /// An error in an address, and the fix.
    package struct Failure: Error, Sendable {
        package var message: String
        package var help: String
    }

    /// Checks the address in `loggen.yml`. Only web addresses are accepted, because they become links in pages.
    package init(written text: String) throws(Failure) {
        self.text = text
        let help = "write it as in `https://github.com/acme/app/blob/main/Definitions/{file}?plain=1#L{line}`"
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
            throw Failure(message: "`repository` is not a web address: it does not begin with `https://`", help: help)
        }
        // The characters of an address (RFC 3986, section 2).
        guard filled("", "").utf8.allSatisfy({ Self.isUnreserved($0) || ":/?#[]@!$&()*+,;=%".utf8.contains($0) }) else {
            throw Failure(
                message: "`repository` has a character that web addresses cannot contain, such as a space or a brace",
                help: help)
        }
        guard text.holds("{file}") else {
            throw Failure(message: "`repository` has no `{file}`, the place of the definition file's name", help: help)
        }
    }

    /// Returns the address of a line of a definition file.
    /// - Parameters:
    ///   - file: the file's path relative to the definition folder.
    ///   - line: the line, counted from 1.
    package func address(ofLine line: Int, in file: String) -> String {
        filled(PercentEncoding.path(file), String(line))
    }

    private func filled(_ file: String, _ line: String) -> String {
        text.replacingOccurrences(of: "{line}", with: line).replacingOccurrences(of: "{file}", with: file)
    }

    /// Returns whether a byte is unreserved in URLs (RFC 3986, section 2.3).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._~".utf8.contains(byte)
    }
}

extension Model {
    /// The line of a place, counted from 1.
    package func line(of place: Place) -> Int {
        definitions.files[place.file].source.lineIndex(at: place.range.lowerBound) + 1
    }

    /// The web address of a place; nil if the configuration does not contain the location of the definition files.
    package func address(of place: Place) -> String? {
        repository?.address(ofLine: line(of: place), in: definitions.files[place.file].relativePath)
    }
}
