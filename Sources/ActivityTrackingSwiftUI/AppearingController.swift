#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import SwiftUI
    import UIKit

    /// A controller behind a view: it tells when the screen around is there, which is when its transition has ended (`onAppear` does not wait for that), and what is
    /// presented over it, as its ancestors do.
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
                // It lies behind or over what a person touches, and has nothing to be touched.
                view.isUserInteractionEnabled = false
            }

            override func viewDidAppear(_ animated: Bool) {
                super.viewDidAppear(animated)
                isThere(self)
            }
        }
    }
#endif
