// The part of XCUIAutomation that the example's UI tests use, restated from
// developer.apple.com/documentation/xcuiautomation. Only signatures. A comment `documentation/…` is the path of the
// restated declaration's page on developer.apple.com.
public import Foundation
public import UIKit

/// documentation/xcuiautomation/xcuielement
@MainActor open class XCUIElement {
    /// documentation/xcuiautomation/xcuielement/elementtype
    public enum ElementType: UInt { case any = 0 }

    public init() {}
    open var exists: Bool { false }
    open func tap() {}
    open func waitForExistence(timeout: TimeInterval) -> Bool { false }
    open var buttons: XCUIElementQuery { XCUIElementQuery() }
    open var tabBars: XCUIElementQuery { XCUIElementQuery() }
    open func descendants(matching type: ElementType) -> XCUIElementQuery { XCUIElementQuery() }
}

/// documentation/xcuiautomation/xcuielementquery
@MainActor open class XCUIElementQuery {
    open subscript(key: String) -> XCUIElement { XCUIElement() }
    open var buttons: XCUIElementQuery { self }
}

/// documentation/xcuiautomation/xcuiapplication
@MainActor open class XCUIApplication: XCUIElement {
    /// documentation/xcuiautomation/xcuiapplication/state-swift.enum
    public enum State: UInt {
        case unknown, notRunning, runningBackgroundSuspended, runningBackground, runningForeground
    }

    open var launchEnvironment: [String: String] = [:]
    open func launch() {}
    open func activate() {}
    open func wait(for state: State, timeout: TimeInterval) -> Bool { false }
}

/// documentation/xcuiautomation/xcuidevice
@MainActor open class XCUIDevice {
    /// documentation/xcuiautomation/xcuidevice/button
    public enum Button: Int { case home = 1 }

    open class var shared: XCUIDevice { XCUIDevice() }
    open var orientation = UIDeviceOrientation.portrait
    open func press(_ button: Button) {}
}
