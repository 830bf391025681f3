public import Foundation
public import UIKit

@MainActor @preconcurrency open class UIHostingController<Content: View>: UIViewController {
    open var rootView: Content

    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }

    public init?(coder aDecoder: NSCoder, rootView: Content) { nil }

    public required init?(coder aDecoder: NSCoder) { nil }
}

@MainActor @preconcurrency public protocol UIViewControllerRepresentable: PrimitiveView {
    associatedtype UIViewControllerType: UIViewController
    associatedtype Coordinator = Void
    typealias Context = UIViewControllerRepresentableContext<Self>
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
}

@MainActor @preconcurrency
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    public let coordinator: Representable.Coordinator

    /// Creates a context, which SwiftUI does itself.
    public init(_coordinator coordinator: Representable.Coordinator) { self.coordinator = coordinator }
}

extension UIViewControllerRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

extension UIViewControllerRepresentable {
    public static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: Coordinator) {}

    public func _evaluate(_ context: HostContext) {
        context.connect(self)
        let coordinator = makeCoordinator()
        let controller = context.stored("controller") {
            makeUIViewController(context: Self.Context(_coordinator: coordinator))
        }
        updateUIViewController(controller, context: Self.Context(_coordinator: coordinator))
        context.onAppear { context.host.appear(controller, level: context.level) }
        context.host.controllers[context.path] = (
            controller, { Self.dismantleUIViewController(controller, coordinator: coordinator) }
        )
    }
}
