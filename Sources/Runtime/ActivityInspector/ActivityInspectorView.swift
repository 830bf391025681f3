#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ContentVisibility
    import Foundation
    public import SwiftUI

    /// A view of the latest records, the checklist, and the contents in view.
    ///
    /// Present it as a sheet, because it has a navigation bar of its own. The contents in view are those when the view
    /// was created: the state of the screen below before the sheet covered it.
    public struct ActivityInspectorView: View {
        private let inspector: InspectorDestination
        @State private var screens: [ScreenSnapshot]
        @State private var text = ""
        @State private var onlyRejected = false
        @State private var category: String?
        @State private var owner: String?
        @State private var shared: SharedReport?

        private static let secondsBetweenUpdates = 0.5

        /// - Parameter inspector: The destination of the app's logger.
        public init(_ inspector: InspectorDestination) {
            self.inspector = inspector
            // SwiftUI may create this view at each update of its parent. An inspector that is off takes no snapshots.
            _screens = State(initialValue: inspector.isOn ? ScreenSnapshot.all : [])
        }

        public var body: some View {
            NavigationView {
                TimelineView(.periodic(from: Date(), by: Self.secondsBetweenUpdates)) { _ in list(inspector.snapshot) }
                    .searchable(text: $text, prompt: Text(verbatim: "Events and values"))
                    .navigationTitle(Text(verbatim: "Logs"))
            }
            .navigationViewStyle(.stack)
            .reportSheet($shared)
        }

        private var filter: RecordFilter {
            RecordFilter(category: category, owner: owner, onlyRejected: onlyRejected, text: text)
        }

        private func list(_ state: InspectorState) -> some View {
            List {
                Section {
                    Text(verbatim: InspectorReport.summary(of: state, isOn: inspector.isOn))
                    NavigationLink {
                        ChecklistView(inspector: inspector)
                    } label: {
                        Text(verbatim: EventChecklist(state, by: .owner).summary)
                    }
                    NavigationLink {
                        ContentsView(screens: $screens)
                    } label: {
                        Text(verbatim: InspectorReport.summary(of: screens))
                    }
                    VerbatimButton("Share") {
                        shared = SharedReport(text: InspectorReport.markdown(inspector.snapshot, filter, screens))
                    }
                }
                Section {
                    Toggle(isOn: $onlyRejected) { Text(verbatim: "Only violations") }
                    ChoicePicker(title: "Category", choices: state.categories, selection: $category)
                    ChoicePicker(title: "Owner", choices: state.owners, selection: $owner)
                    VerbatimButton("Clear") { inspector.clear() }
                }
                TitledSection("Records") {
                    ForEach(state.records(filter), id: \.number) { entry in
                        NavigationLink {
                            RecordView(inspector: inspector, entry: entry)
                        } label: {
                            Row(entry.fullName) {
                                Text(verbatim: "\(entry.time()), \(entry.verdictText)")
                                    .foregroundColor(entry.verdict?.isRejected == true ? .red : .secondary)
                                caption(entry.valueText).lineLimit(2)
                            }
                        }
                    }
                }
            }
        }
    }

    private struct TitledSection<Content: View>: View {
        let title: String
        let content: Content

        init(_ title: String, @ViewBuilder content: () -> Content) { (self.title, self.content) = (title, content()) }

        var body: some View {
            Section {
                content
            } header: {
                Text(verbatim: title)
            }
        }
    }

    private struct Row<Content: View>: View {
        let title: String
        let content: Content

        init(_ title: String, @ViewBuilder content: () -> Content) { (self.title, self.content) = (title, content()) }

        var body: some View {
            VStack(alignment: .leading) {
                Text(verbatim: title).font(.headline)
                content
            }
            .accessibilityElement(children: .combine)
        }
    }

    private struct Lines: View {
        let lines: [String]
        let color: Color

        init(_ lines: [String], _ color: Color) { (self.lines, self.color) = (lines, color) }

        var body: some View {
            ForEach(Array(lines.enumerated()), id: \.offset) { Text(verbatim: $0.element).foregroundColor(color) }
        }
    }

    private func caption(_ text: String) -> Text { Text(verbatim: text).foregroundColor(.secondary).font(.caption) }

    private struct VerbatimButton: View {
        let title: String
        let action: @MainActor () -> Void

        init(_ title: String, action: @escaping @MainActor () -> Void) {
            self.title = title
            self.action = action
        }

        var body: some View { Button(action: action) { Text(verbatim: title) } }
    }

    private struct ChoicePicker: View {
        let title: String
        let choices: [String]
        @Binding var selection: String?

        var body: some View {
            Picker(selection: $selection) {
                Text(verbatim: "All").tag(String?.none)
                ForEach(choices, id: \.self) { Text(verbatim: $0).tag(String?.some($0)) }
            } label: {
                Text(verbatim: title)
            }
        }
    }

    /// A record next to the definition of its event.
    struct RecordView: View {
        let inspector: InspectorDestination
        let entry: InspectedRecord

        var body: some View {
            // The verdict may have arrived after the row was drawn.
            let entry = inspector.snapshot.record(entry.number) ?? entry
            List {
                TitledSection("Record") {
                    Text(verbatim: "\(entry.time()), \(entry.verdictText)")
                    Lines(entry.violations, .red)
                }
                TitledSection("Columns") {
                    ForEach(entry.columns, id: \.name) { ColumnRow(column: $0) }
                }
                TitledSection("Definition") {
                    ForEach(entry.properties, id: \.label) { Text(verbatim: "\($0.label): \($0.value)") }
                }
                TitledSection("Envelope") {
                    ForEach(entry.envelope, id: \.name) { ColumnRow(column: $0) }
                }
            }
            .navigationTitle(Text(verbatim: entry.fullName))
        }
    }

    private struct ColumnRow: View {
        let column: InspectedRecord.Column

        var body: some View {
            Row(column.name) {
                Text(verbatim: column.value ?? "–")
                caption(column.summary)
                Lines(column.violations, .red)
            }
        }
    }

    /// The events of the definitions, and how often each was posted.
    struct ChecklistView: View {
        let inspector: InspectorDestination
        @State var grouping = EventChecklist.Grouping.owner

        var body: some View {
            let checklist = EventChecklist(inspector.snapshot, by: grouping)
            List {
                Picker(selection: $grouping) {
                    ForEach(EventChecklist.Grouping.allCases, id: \.self) { Text(verbatim: $0.title).tag($0) }
                } label: {
                    Text(verbatim: "Group")
                }
                ForEach(checklist.sections, id: \.title) { section in
                    TitledSection(section.title) {
                        ForEach(section.items, id: \.name) { item in
                            Row("\(item.isSeen ? "✓ " : "")\(item.name)") {
                                Text(verbatim: item.summary)
                                    .foregroundColor(item.count.last?.isRejected == true ? .red : .secondary)
                                caption(item.definition)
                            }
                        }
                    }
                }
            }
            .navigationTitle(Text(verbatim: checklist.summary))
        }
    }

    /// The contents in view, and why each has been seen or not.
    struct ContentsView: View {
        @Binding var screens: [ScreenSnapshot]

        var body: some View {
            List {
                VerbatimButton("Update") { screens = ScreenSnapshot.all }
                ForEach(Array(screens.enumerated()), id: \.offset) { _, screen in
                    TitledSection(screen.title) {
                        ForEach(Array(screen.contents.enumerated()), id: \.offset) { _, content in
                            Row(content.shortName) {
                                Text(verbatim: content.progress.label)
                                Text(verbatim: content.progress.reason)
                                caption(content.facts)
                            }
                        }
                    }
                }
            }
            .navigationTitle(Text(verbatim: InspectorReport.summary(of: screens)))
        }
    }
#endif
