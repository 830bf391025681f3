#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    import ContentVisibility
    public import SwiftUI

    extension View {
        /// Posts an event when the view is tapped, in addition to the view's other actions.
        ///
        /// VoiceOver and keyboards trigger a control without a tap. For a button, the function of `Button` with this
        /// name posts then, too. If other modifiers precede it, use ``LogButtonStyle``.
        @available(tvOS 16, *)
        public func postTapLog(_ event: @autoclosure @escaping () -> some LogCategory) -> some View {
            modifier(PostTapLog(event: event))
        }
    }

    extension Button {
        /// Posts an event when the button is triggered, by a tap, VoiceOver or a keyboard, before the button's action.
        public func postTapLog(_ event: @autoclosure @escaping () -> some LogCategory) -> some View {
            buttonStyle(LogButtonStyle(event()))
        }
    }

    @available(tvOS 16, *)
    private struct PostTapLog<Event: LogCategory>: ViewModifier {
        let event: () -> Event
        @Environment(\.appEnvironment) var environment

        func body(content: Content) -> some View {
            content.simultaneousGesture(
                TapGesture().onEnded { AppEnvironmentReader.logger(of: environment)?.postTap(event()) })
        }
    }

    /// A button style that posts an event when the button is tapped, and then performs the button's action:
    /// `.buttonStyle(LogButtonStyle(event))`.
    ///
    /// The surrounding style determines the appearance of the button.
    public struct LogButtonStyle<Event: LogCategory>: PrimitiveButtonStyle {
        private let event: () -> Event

        /// - Parameter event: The event.
        public init(_ event: @autoclosure @escaping () -> Event) { self.event = event }

        public func makeBody(configuration: Configuration) -> some View {
            LogButton(configuration: configuration, event: event)
        }
    }

    extension ActivityLogger {
        fileprivate func postTap(_ event: some LogCategory) {
            #if DEBUG
                TrackedEvent(event).compare(postedAs: .tap(target: ""))
            #endif
            post(event)
        }
    }

    /// A button that posts when it is triggered, which includes VoiceOver and keyboards.
    private struct LogButton<Event: LogCategory>: View {
        let configuration: PrimitiveButtonStyleConfiguration
        let event: () -> Event
        @Environment(\.appEnvironment) var environment

        var body: some View {
            Button(role: configuration.role) {
                AppEnvironmentReader.logger(of: environment)?.postTap(event())
                configuration.trigger()
            } label: {
                configuration.label
            }
        }
    }
#endif
