#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ActivityTrackingUIKit
    public import SwiftUI

    extension View {
        /// Presents a sheet over which the window's covers can open. Over other sheets, a cover waits until the sheet
        /// is dismissed.
        /// - Parameters:
        ///   - item: A binding to the presented item; nil for none.
        ///   - onDismiss: Called when the sheet has been dismissed.
        ///   - content: Returns the sheet for an item.
        public func coverableSheet<Item: Identifiable>(
            item: Binding<Item?>, onDismiss: @escaping () -> Void = {},
            @ViewBuilder content: @escaping (Item) -> some View
        ) -> some View {
            modifier(CoverableSheet(item: item, onDismiss: onDismiss, sheet: { AnyView(content($0)) }))
        }
    }

    private struct CoverableSheet<Item: Identifiable>: ViewModifier {
        let item: Binding<Item?>
        let onDismiss: () -> Void
        let sheet: (Item) -> AnyView
        @Environment(\.coverableSheets) var sheets
        @Environment(\.screenTracker) var screen

        func body(content: Content) -> some View {
            content
                .onAppear { if item.wrappedValue != nil { sheets.setPresented(true) } }
                .onNewValue(of: item.wrappedValue != nil) { if $0 { sheets.setPresented(true) } }
                .sheet(item: item) {
                    // Another item may already be set. SwiftUI then presents a sheet for it.
                    sheets.setPresented(item.wrappedValue != nil)
                    ScreenTracker.presentationDidChange(over: screen)
                    onDismiss()
                } content: {
                    // A sheet without a tracked screen does not notify the screen below, so this controller does.
                    let sheet = sheet($0).background(
                        AppearingController { _ in ScreenTracker.presentationDidChange(over: screen) })
                    // The sheet is not in the presenter's scroll view, whose environment it inherits.
                    sheets.level(AnyView(sheet.environment(\.impressionScope, nil)))
                }
        }
    }

    /// The functions that make a sheet a level from which covers are presented.
    struct CoverableSheets {
        var setPresented: (Bool) -> Void = { _ in }
        var level: (AnyView) -> AnyView = { $0 }
    }

    extension EnvironmentValues {
        var coverableSheets: CoverableSheets {
            get { self[ValueKey<CoverableSheets>.self] ?? CoverableSheets() }
            set { self[ValueKey<CoverableSheets>.self] = newValue }
        }
    }
#endif
