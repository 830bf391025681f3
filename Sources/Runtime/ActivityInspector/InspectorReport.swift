import ActivityTracking
package import ContentVisibility
package import Foundation
import TextEncoding

extension InspectorDestination {
    /// A report as Markdown: the checklist by owner, the kept records, and their violations.
    ///
    /// Records contain personal data. Nothing is sent: the app passes the string to the pasteboard or a share sheet.
    public var report: String { InspectorReport.markdown(snapshot) }
}

/// The report that testers share. Each string of a record is on one line, without markup and control characters.
package enum InspectorReport {
    /// Returns a report of the inspected records in Markdown.
    /// - Parameters:
    ///   - filter: The records of the report. The checklist is complete.
    ///   - screens: The contents in view.
    ///   - zone: The time zone of the records' times.
    package static func markdown(
        _ state: InspectorState, _ filter: RecordFilter = RecordFilter(), _ screens: [ScreenSnapshot] = [],
        by grouping: EventChecklist.Grouping = .owner, zone: TimeZone = .current
    ) -> String {
        let checklist = EventChecklist(state, by: grouping)
        var lines = ["### Log records", "", summary(of: state), ""]
        lines += [checklist.summary + ".", ""]
        for section in checklist.sections {
            lines += ["#### " + line(section.title), ""]
            lines += section.items.map { "- [\($0.isSeen ? "x" : " ")] \(line($0.name)): \(line($0.summary))" }
            lines.append("")
        }
        let records = state.records(filter)
        lines += ["#### Latest records", ""]
        lines += records.flatMap { entry in
            ["- \(entry.time(in: zone)) \(line(entry.fullName)) (\(entry.verdictText)): \(line(entry.valueText))"]
                + entry.violations.map { "  - \(line($0))" }
        }
        if records.isEmpty { lines.append("No record matches.") }
        for screen in screens {
            lines += ["", "#### Contents in view: " + line(screen.title), ""]
            lines += screen.contents.map { content in
                "- \(line(content.name)): \(line(content.progress.reason)) \(line(content.facts))"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A summary such as `120 records, 2 rejected.`
    package static func summary(of state: InspectorState, isOn: Bool = true) -> String {
        guard isOn else { return "The inspector is off: nothing is recorded." }
        var text = "\(state.total) \(state.total == 1 ? "record" : "records"), \(state.rejected) rejected"
        if state.tooLarge > 0 { text += ", \(state.tooLarge) too large to keep" }
        if state.policy == .denied { text += "; consent is denied, so nothing is recorded" }
        return text + "."
    }

    /// A summary such as `5 contents in view`.
    package static func summary(of screens: [ScreenSnapshot]) -> String {
        let count = screens.reduce(0) { $0 + $1.contents.count }
        return count == 1 ? "1 content in view" : "\(count) contents in view"
    }

    private static func line(_ text: String) -> String { MarkdownEscape.line(text) }
}
