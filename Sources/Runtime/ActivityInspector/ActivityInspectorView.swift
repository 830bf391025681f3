#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ContentVisibility
    import Foundation
    public import SwiftUI

    /// A view of the latest records, the checklist, and the contents in view.
    ///
    /// Present it as a sheet, or push it from a debug menu. The contents in view are those when the view was created,
    /// so a sheet shows the state of the screen below before the sheet covered it.
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

        private var isPaused: Binding<Bool> {
            Binding(get: { [inspector] in inspector.isPaused }, set: { [inspector] in inspector.isPaused = $0 })
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
                    Toggle(isOn: isPaused) {
                        Text(verbatim: "Pause")
                    }
                    Toggle(isOn: $onlyRejected) { Text(verbatim: "Only violations") }
                    ChoicePicker(title: "Category", choices: state.categories, selection: $category)
                    ChoicePicker(title: "Owner", choices: state.owners, selection: $owner)
                    VerbatimButton("Clear") { inspector.clear() }
                }
                Section {
                    ForEach(state.records(filter), id: \.number) { entry in
                        NavigationLink {
                            RecordView(inspector: inspector, entry: entry)
                        } label: {
                            RecordRow(entry: entry)
                        }
                    }
                } header: {
                    Text(verbatim: "Records")
                }
            }
        }
    }

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

    private struct RecordRow: View {
        let entry: InspectedRecord

        var body: some View {
            VStack(alignment: .leading) {
                Text(verbatim: entry.fullName).font(.headline)
                Text(verbatim: "\(entry.time()), \(entry.verdictText)")
                    .foregroundColor(entry.verdict?.isRejected == true ? .red : .secondary)
                Text(verbatim: entry.valueText).foregroundColor(.secondary).font(.caption).lineLimit(2)
            }
            .accessibilityElement(children: .combine)
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
                Section {
                    Text(verbatim: "\(entry.time()), \(entry.verdictText)")
                    lines(entry.violations, .red)
                    lines(entry.deliveryNotes, .secondary)
                } header: {
                    Text(verbatim: "Record")
                }
                Section {
                    ForEach(entry.columns, id: \.name) { ColumnRow(column: $0) }
                } header: {
                    Text(verbatim: "Columns")
                }
                Section {
                    ForEach(entry.properties, id: \.label) { Text(verbatim: "\($0.label): \($0.value)") }
                } header: {
                    Text(verbatim: "Definition")
                }
                Section {
                    ForEach(entry.envelope, id: \.name) { ColumnRow(column: $0) }
                } header: {
                    Text(verbatim: "Envelope")
                }
            }
            .navigationTitle(Text(verbatim: entry.fullName))
        }

        private func lines(_ lines: [String], _ color: Color) -> some View {
            ForEach(Array(lines.enumerated()), id: \.offset) { Text(verbatim: $0.element).foregroundColor(color) }
        }
    }

    private struct ColumnRow: View {
        let column: InspectedRecord.Column

        var body: some View {
            VStack(alignment: .leading) {
                Text(verbatim: column.name).font(.headline)
                Text(verbatim: column.value ?? "–")
                Text(verbatim: column.summary).foregroundColor(.secondary).font(.caption)
                ForEach(Array(column.violations.enumerated()), id: \.offset) {
                    Text(verbatim: $0.element).foregroundColor(.red)
                }
            }
            .accessibilityElement(children: .combine)
        }
    }

    /// The events of the definitions, and how often each was posted.
    struct ChecklistView: View {
        let inspector: InspectorDestination
        @State private var grouping = EventChecklist.Grouping.owner

        init(inspector: InspectorDestination) { self.inspector = inspector }

        var body: some View {
            let checklist = EventChecklist(inspector.snapshot, by: grouping)
            List {
                Picker(selection: $grouping) {
                    ForEach(EventChecklist.Grouping.allCases, id: \.self) { Text(verbatim: $0.title).tag($0) }
                } label: {
                    Text(verbatim: "Group")
                }
                ForEach(checklist.sections, id: \.title) { section in
                    Section {
                        ForEach(section.items, id: \.name) { ChecklistRow(item: $0) }
                    } header: {
                        Text(verbatim: section.title)
                    }
                }
            }
            .navigationTitle(Text(verbatim: checklist.summary))
        }
    }

    private struct ChecklistRow: View {
        let item: EventChecklist.Item

        var body: some View {
            VStack(alignment: .leading) {
                Text(verbatim: "\(item.isSeen ? "✓ " : "")\(item.name)").font(.headline)
                Text(verbatim: item.summary)
                    .foregroundColor(item.count.last?.isRejected == true ? .red : .secondary)
                Text(verbatim: item.definition).foregroundColor(.secondary).font(.caption)
            }
            .accessibilityElement(children: .combine)
        }
    }

    /// The contents in view, and why each has been seen or not.
    struct ContentsView: View {
        @Binding var screens: [ScreenSnapshot]

        var body: some View {
            List {
                VerbatimButton("Update") { screens = ScreenSnapshot.all }
                ForEach(Array(screens.enumerated()), id: \.offset) { _, screen in
                    Section {
                        ForEach(Array(screen.contents.enumerated()), id: \.offset) { ContentRow(content: $0.element) }
                    } header: {
                        Text(verbatim: screen.title)
                    }
                }
            }
            .navigationTitle(Text(verbatim: InspectorReport.summary(of: screens)))
        }
    }

    private struct ContentRow: View {
        let content: ScreenSnapshot.Content

        var body: some View {
            VStack(alignment: .leading) {
                Text(verbatim: content.shortName).font(.headline)
                Text(verbatim: content.progress.label)
                Text(verbatim: content.progress.reason)
                Text(verbatim: content.facts).foregroundColor(.secondary).font(.caption)
            }
            .accessibilityElement(children: .combine)
        }
    }
#endif
