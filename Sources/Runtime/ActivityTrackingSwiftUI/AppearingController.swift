#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import SwiftUI
    import UIKit

    /// A view controller that reports when the surrounding screen has appeared, at the end of its transition.
    /// `onAppear` is called earlier. The view controller also gives access to the presented view controllers.
    struct AppearingController: UIViewControllerRepresentable {
        let isThere: (UIViewController) -> Void
        var isGone: () -> Void = {}

        func makeUIViewController(context: Context) -> Controller { Controller() }

        func updateUIViewController(_ controller: Controller, context: Context) {
            controller.isThere = isThere
            controller.isGone = isGone
        }

        static func dismantleUIViewController(_ controller: Controller, coordinator: ()) {
            // Do not change state while SwiftUI updates views.
            Task { controller.isGone() }
        }

        final class Controller: UIViewController {
            var isThere: (UIViewController) -> Void = { _ in }
            var isGone: () -> Void = {}

            override func viewDidLoad() {
                super.viewDidLoad()
                // The view has the size of the screen, and must not intercept touches for the screen's views.
                view.isUserInteractionEnabled = false
            }

            override func viewDidAppear(_ animated: Bool) {
                super.viewDidAppear(animated)
                isThere(self)
            }
        }
    }
#endif
