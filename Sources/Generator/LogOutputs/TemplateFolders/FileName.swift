enum FileName {
    /// Returns the problem with a name, or nil if the name is valid.
    static func problem(with name: String) -> String? {
        if name.unicodeScalars.contains("/") {
            return "all files stand in the output's own folder, by which loggen knows those that nothing makes any more"
        }
        if name.hasPrefix(".") { return "it would be hidden" }
        if !name.unicodeScalars.allSatisfy(SwiftText.isVisible) { return "it has a character that does not show" }
        if let sign = name.unicodeScalars.first(where: { "\\:*?\"<>|".unicodeScalars.contains($0) }) {
            return "`\(sign)` stands in no name of a file"
        }
        if name.hasPrefix(" ") { return "it begins with a blank" }
        if name.utf8.count > 255 { return "it is longer than 255 bytes" }
        let stem = name.prefix { $0 != "." }.lowercased()
        return devices.contains(stem) ? "`\(stem)` is a device to Windows, where no clone would have the file" : nil
    }

    private static let devices: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })
}
