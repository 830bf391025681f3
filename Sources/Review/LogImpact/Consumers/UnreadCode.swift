/// The files of code in languages whose calls are not read, by language.
struct UnreadCode {
    /// Indicates whether tapgen's report of Swift has been read.
    var hasUsages = false
    private var found: [String: (file: String, count: Int)] = [:]

    private static let languages = [
        "swift": "Swift", "java": "Java", "vue": "Vue", "svelte": "Svelte", "astro": "Astro",
    ]

    /// Counts a file. Returns false for other languages.
    mutating func add(_ file: String, _ fileExtension: String) -> Bool {
        guard let language = Self.languages[fileExtension.lowercased()] else { return false }
        found[language, default: (file, 0)].count += 1
        return true
    }

    /// A message for each language, at its first file.
    var messages: [UnreadableConsumer] {
        found.filter { $0.key != "Swift" || !hasUsages }.sorted { $0.key < $1.key }.map { language, files in
            let count = files.count == 1 ? "1 file" : "\(files.count) files"
            let fix = language == "Swift" ? "; add the report of `tapgen usage --format json` to the consumers" : ""
            return UnreadableConsumer(
                file: files.file, message: "calls in \(language) are not read (\(count))\(fix)", hidesOwners: false)
        }
    }
}
