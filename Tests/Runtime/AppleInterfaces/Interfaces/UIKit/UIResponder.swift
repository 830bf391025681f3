// The part of UIKit that the adapters and the example use, restated from developer.apple.com/documentation/uikit as of
// iOS 15, with the isolation of the newest SDK, and implemented as far as the host needs. Optional Objective-C
// requirements have a default implementation here.
public import Foundation

@MainActor open class UIResponder: NSObject {
    public override init() { super.init() }
}

public struct UIEdgeInsets: Sendable {
    public var top, left, bottom, right: CGFloat

    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

extension CGRect {
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: minX + insets.left, y: minY + insets.top, width: width - insets.left - insets.right,
            height: height - insets.top - insets.bottom)
    }
}

@MainActor open class UIImage: NSObject {}

public enum UIDeviceOrientation: Int, Sendable {
    case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
}
