package import JSONSyntax
import LogProject

/// Call sites and coverage in the report.
extension ImpactReport {
    /// The numbers of call sites for the first line.
    var callCounts: [String] {
        let possible = impact.calls.count { $0.doubt != nil }
        return [(impact.calls.count - possible, "call site"), (possible, "possible call site")]
            .filter { $0.0 > 0 }.map { counted($0, $1) }
    }

    var callLines: [String] {
        let subject = "`\(Self.shown(impact.subject.column ?? impact.subject.event))`"
        return impact.calls.map { call in
            let column = call.site.column.map { ":\($0)" } ?? ""
            let place = "\(Self.shown(consumers[call.consumer].file)):\(call.site.line)\(column)"
            let doubt = call.doubt.map { ": \($0.rawValue)" } ?? ""
            return "  \(place): \(Self.subject(call)) \(call.doubt == nil ? "posts" : "may post") \(subject)\(doubt)"
        }
    }

    private static func subject(_ call: Impact.Call) -> String {
        call.site.tap.map { "tap of \(shown($0))" } ?? "call"
    }

    // MARK: Coverage

    var coverageLines: [String] { impact.coverage.map { "coverage: " + Self.shown(sentence($0)) } }

    private func sentence(_ finding: RecordCoverage.Finding) -> String {
        let name = "`\(impact.subject.column ?? impact.subject.event)`"
        let records = "\(grouped(finding.valid)) valid \(finding.valid == 1 ? "record" : "records")"
        guard finding.records > 0 else { return "`\(impact.subject.event)` never occurred [\(finding.file)]" }
        guard finding.valid > 0 else {
            return "`\(impact.subject.event)` has no valid record among \(grouped(finding.records)) [\(finding.file)]"
        }
        let versions = finding.versions.map { $0 == $1 ? ", app version \($0)" : ", app versions \($0) to \($1)" } ?? ""
        let ending = "\(records)\(versions)\(finding.hasAllVersions ? "" : " and later ones") [\(finding.file)]"
        guard impact.subject.column != nil else { return "\(name) occurred in \(ending)" }
        guard let filled = finding.filled else { return "\(name) is not counted in \(ending)" }
        if filled == 0 { return "\(name) is never filled in \(ending)" }
        return filled == finding.valid
            ? "\(name) is always filled in \(ending)"
            : "\(name) is filled in \(Self.percent(filled, of: finding.valid)) of \(ending)"
    }

    /// Returns a percentage. A share that is neither 0 nor 1 is not rounded to these.
    private static func percent(_ count: Int, of all: Int) -> String {
        let tenths = (Double(count) / Double(all) * 1000).rounded(.down)
        return tenths < 1 ? "less than 0.1%" : "\(Int(tenths) / 10).\(Int(tenths) % 10)%"
    }

    func write(_ finding: RecordCoverage.Finding, to json: inout JSONWriter) {
        json.member("file", finding.file)
        json.member("records", finding.records)
        json.member("valid", finding.valid)
        if let filled = finding.filled { json.member("filled", filled) }
        json.object("appVersions", inline: true) { json in
            for (version, count) in finding.appVersions {
                json.key(named: version)
                json.value(count)
            }
        }
    }
}

extension Impact.Call {
    package func write(in file: String, to json: inout JSONWriter) {
        json.member("kind", site.tap == nil ? "call" : "tap")
        json.member("file", file)
        json.member("line", site.line)
        if let column = site.column { json.member("column", column) }
        if let tap = site.tap { json.member("tap", tap) }
        json.member("certain", doubt == nil)
        if let doubt { json.member("may", doubt.rawValue) }
    }
}
