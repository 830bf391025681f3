import Foundation

/// What processes have said of the policies that they handed over, and whether the file that is found agrees.
struct KeptPolicyFile {
    /// How many were kept.
    private(set) var count = 0
    /// What was found last.
    private var last: Int?
    private var calls: [Call] = []
    private var process = 0
    private var time = 0

    /// A policy that was handed over in this round.
    private struct Call {
        var number: Int
        var process: Int
        var begun: Int
        /// nil if nobody has said that it is kept.
        var kept: Int?
    }

    static func url(_ folder: String) -> URL { URL(fileURLWithPath: folder).appendingPathComponent("outbox.policy") }

    /// A policy that says its number everywhere. Some are long and some are short, so that parts of two are none.
    /// - Parameter expires: a week from now if it is left out.
    static func document(_ number: Int, expires: String? = nil) -> Data {
        let names = (0..<[1, 40, 800][number % 3]).map { ",\"n\(number)_\($0)\"" }.joined()
        let expires = expires ?? ISO8601DateFormatter().string(from: Date().addingTimeInterval(7 * 86_400))
        return Data(
            """
            {"version":1,"number":\(number),"off":["recipe_search.view_search"\(names)],"sampling":[{"name":"recipe_search","share":1}],\
            "batch":{"records":\(50 + number % 50)},"expires":"\(expires)"}
            """.utf8)
    }

    /// The lines of another process follow.
    mutating func begin() { process += 1 }

    /// Takes a line of a process; false if it is about something else.
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

    /// Looks at the folder when every process of a round is dead. Returns what is wrong.
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
            // Of the same process, one that was handed over later, and kept.
            let later = keptNow.first { $0.process == call.process && $0.begun > call.kept ?? .max }
            if let later { problems.append("the policy \(found) is kept, and \(later.number) came after it") }
        } else if found != last || !keptNow.isEmpty {
            problems.append(
                "the policy \(found) is kept, and later ones were: \(keptNow.map { "\($0.number)" }.joined(separator: ", "))"
            )
        }
        last = found
        return problems
    }

    /// The number of a policy that is whole to the byte, in a file with the line before it.
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
