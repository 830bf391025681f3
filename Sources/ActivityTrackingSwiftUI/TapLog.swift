#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import SwiftUI

    extension View {
        /// Posts an event when the view is tapped, beside what else the tap does.
        @available(tvOS 16, *)
        public func postTapLog(_ event: @autoclosure @escaping () -> some LogCategory) -> some View { modifier(PostTapLog(event: event)) }
    }

    @available(tvOS 16, *)
    private struct PostTapLog<Event: LogCategory>: ViewModifier {
        let event: () -> Event
        @Environment(\.appEnvironment) private var environment

        init(event: @escaping () -> Event) { self.event = event }

        func body(content: Content) -> some View {
            content.simultaneousGesture(TapGesture().onEnded { AppEnvironmentRequired.logger(of: environment)?.post(event()) })
        }
    }

    /// A button's style that posts an event when the button is tapped, beside what it is for: `.buttonStyle(LogButtonStyle(event))`.
    ///
    /// The button looks as the style around it says.
    public struct LogButtonStyle<Event: LogCategory>: PrimitiveButtonStyle {
        private let event: () -> Event

        public init(_ event: @autoclosure @escaping () -> Event) { self.event = event }

        public func makeBody(configuration: Configuration) -> some View { LogButton(configuration: configuration, event: event) }
    }

    /// Posts where the button is triggered, which is not always by a finger.
    private struct LogButton<Event: LogCategory>: View {
        let configuration: PrimitiveButtonStyleConfiguration
        let event: () -> Event
        @Environment(\.appEnvironment) private var environment

        init(configuration: PrimitiveButtonStyleConfiguration, event: @escaping () -> Event) {
            self.configuration = configuration
            self.event = event
        }

        var body: some View {
            Button(role: configuration.role) {
                AppEnvironmentRequired.logger(of: environment)?.post(event())
                configuration.trigger()
            } label: {
                configuration.label
            }
        }
    }
#endif
