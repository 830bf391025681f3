import ActivityInspector
import Foundation
import SwiftUI
import Testing

/// The sample of ActivityInspector's documentation.
struct DebugButton: View {
    let inspector: InspectorDestination
    @State private var sheet: Sheet?

    private enum Sheet: Int, Identifiable {
        case logs
        var id: Int { rawValue }
    }

    init(inspector: InspectorDestination) { self.inspector = inspector }

    var body: some View {
        Button(action: { sheet = .logs }, label: { Text(verbatim: "Logs") })
            .sheet(item: $sheet) { _ in ActivityInspectorView(inspector) }
    }
}

@MainActor
struct InspectorViewExample {
    @Test("The sample's button opens the inspector")
    func opens() {
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            DebugButton(inspector: InspectorDestination(isOn: true))
        }
        #expect(!host.drawings(in: "").contains("Records"))
        host.tap(text: "Logs")
        #expect(host.drawings(in: "").contains("Records"))
    }
}
