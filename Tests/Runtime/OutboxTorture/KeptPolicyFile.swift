import Foundation

/// Compares the policies that processes report as stored with the policy file.
struct KeptPolicyFile {
    /// The number of policies that were stored.
    private(set) var count = 0
    /// The number of the policy that was found last.
    private var last: Int?
    private var calls: [Call] = []
    private var process = 0
    private var time = 0

    /// A policy that a process applied in this round.
    private struct Call {
        var number: Int
        var process: Int
        var begun: Int
        /// The time at which the policy was reported as stored; nil if it was not.
        var kept: Int?
    }

    static func url(_ folder: String) -> URL { URL(fileURLWithPath: folder).appendingPathComponent("outbox.policy") }

    /// Returns a policy whose number is in every part. Some are long and some are short, so a mixture of two is
    /// invalid.
    ///
    /// - Parameter expires: The expiry. The default is a week from now.
    static func document(_ number: Int, expires: String? = nil) -> Data {
        let names = (0..<[1, 40, 800][number % 3]).map { ",\"n\(number)_\($0)\"" }.joined()
        let expires = expires ?? ISO8601DateFormatter().string(from: Date().addingTimeInterval(7 * 86_400))
        return Data(
            """
            {"version":1,"number":\(number),"off":["recipe_search.view_search"\(names)],"sampling":[{"name":"recipe_search","share":1}],\
            "batch":{"records":\(50 + number % 50)},"expires":"\(expires)"}
            """.utf8)
    }

    /// Begins the lines of another process.
    mutating func begin() { process += 1 }

    /// Reads a line that a process has printed. Returns false if the line belongs to another check.
    mutating func hear(_ line: String) -> Bool {
        let words = line.split(separator: " ")
        guard words.count == 2, let number = Int(words[1]) else { return false }
        time += 1
        switch words[0] {
        case "policy": calls.append(Call(number: number, process: process, begun: time))
        case "kept":
            guard let index = calls.firstIndex(where: { $0.number == number }) else { return false }
            calls[index].kept = time
            count += 1
        default: return false
        }
        return true
    }

    /// Checks the folder when every process of a round is dead, and returns the problems.
    mutating func look(in folder: URL) -> [String] {
        defer { calls = [] }
        var problems: [String] = []
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
            $0.hasPrefix("outbox.policy")
        }
        if names.count > 2 { problems.append("parts of policies are left: \(names.sorted().joined(separator: ", "))") }
        let keptNow = calls.filter { $0.kept != nil }
        guard let file = try? Data(contentsOf: Self.url(folder.path)) else {
            return problems + (last == nil && keptNow.isEmpty ? [] : ["the policy is gone"])
        }
        guard let found = Self.number(of: file) else {
            return problems + [
                "half a policy is kept: \(file.count) bytes, \(String(decoding: file.prefix(200), as: UTF8.self))"
            ]
        }
        if let call = calls.first(where: { $0.number == found }) {
            // If the same process has stored a later policy, the file must not contain the earlier one.
            let later = keptNow.first { $0.process == call.process && $0.begun > call.kept ?? .max }
            if let later { problems.append("the policy \(found) is kept, and \(later.number) came after it") }
        } else if found != last || !keptNow.isEmpty {
            problems.append(
                "the policy \(found) is kept, and later ones were: "
                    + "\(keptNow.map { "\($0.number)" }.joined(separator: ", "))"
            )
        }
        last = found
        return problems
    }

    /// Returns the number of a policy that is intact to the byte, in a file with the line before it.
    private static func number(of file: Data) -> Int? {
        guard let end = file.firstIndex(of: 0x0A), Int(String(decoding: file[..<end], as: UTF8.self)) != nil else {
            return nil
        }
        let document = file[(end + 1)...]
        guard let json = try? JSONSerialization.jsonObject(with: Data(document)) as? [String: Any],
            let number = json["number"] as? Int,
            let expires = json["expires"] as? String, Data(document) == Self.document(number, expires: expires)
        else { return nil }
        return number
    }
}
