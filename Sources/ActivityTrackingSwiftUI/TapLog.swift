#if canImport(SwiftUI) && canImport(UIKit)
    public import ActivityTracking
    public import SwiftUI

    extension View {
        /// Posts an event when the view is tapped, beside what else the tap does.
        public func postTapLog(_ event: @autoclosure @escaping () -> some LogCategory) -> some View { modifier(PostTapLog(event: event)) }
    }

    private struct PostTapLog<Event: LogCategory>: ViewModifier {
        let event: () -> Event
        @Environment(\.appEnvironment) private var environment

        init(event: @escaping () -> Event) { self.event = event }

        func body(content: Content) -> some View {
            content.simultaneousGesture(TapGesture().onEnded { AppEnvironmentRequired.logger(of: environment)?.post(event()) })
        }
    }

    /// A button that posts an event when it is tapped, and then does what it is for.
    public struct LogButton<Event: LogCategory, Label: View>: View {
        private let event: () -> Event
        private let action: () -> Void
        private let label: Label
        @Environment(\.appEnvironment) private var environment

        public init(_ event: @autoclosure @escaping () -> Event, action: @escaping () -> Void, @ViewBuilder label: () -> Label) {
            self.event = event
            self.action = action
            self.label = label()
        }

        public var body: some View {
            Button {
                AppEnvironmentRequired.logger(of: environment)?.post(event())
                action()
            } label: {
                label
            }
        }
    }
#endif
