#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import SwiftUI
    import UIKit

    /// A view controller behind a view. It tells when the screen around has appeared: when its transition has ended,
    /// for which `onAppear` does not wait. It also knows what is presented over the screen.
    struct AppearingController: UIViewControllerRepresentable {
        let isThere: (UIViewController) -> Void
        var isGone: () -> Void = {}

        func makeUIViewController(context: Context) -> Controller { Controller() }

        func updateUIViewController(_ controller: Controller, context: Context) {
            controller.isThere = isThere
            controller.isGone = isGone
        }

        static func dismantleUIViewController(_ controller: Controller, coordinator: ()) {
            // Not while views are being updated.
            Task { controller.isGone() }
        }

        final class Controller: UIViewController {
            var isThere: (UIViewController) -> Void = { _ in }
            var isGone: () -> Void = {}

            override func viewDidLoad() {
                super.viewDidLoad()
                // It lies behind or over what a person touches.
                view.isUserInteractionEnabled = false
            }

            override func viewDidAppear(_ animated: Bool) {
                super.viewDidAppear(animated)
                isThere(self)
            }
        }
    }
#endif
