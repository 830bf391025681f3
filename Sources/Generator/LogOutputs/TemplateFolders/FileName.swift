enum FileName {
    /// Returns the problem with a name, or nil if the name is valid.
    static func problem(with name: String) -> String? {
        if name.unicodeScalars.contains("/") {
            return "all files have to be directly in the output's folder, where loggen searches for stale files"
        }
        if name.hasPrefix(".") { return "it would be hidden" }
        if !name.unicodeScalars.allSatisfy(SwiftText.isVisible) { return "it has an invisible character" }
        if let sign = name.unicodeScalars.first(where: { "\\:*?\"<>|".unicodeScalars.contains($0) }) {
            return "`\(sign)` is not allowed in file names"
        }
        if name.hasPrefix(" ") { return "it begins with a blank" }
        if name.utf8.count > 255 { return "it is longer than 255 bytes" }
        let stem = name.prefix { $0 != "." }.lowercased()
        return devices.contains(stem)
            ? "`\(stem)` is a device on Windows, where a clone could not contain the file" : nil
    }

    private static let devices: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })
}
