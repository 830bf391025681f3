// The part of XCUIAutomation that the example's UI tests use, restated from
// developer.apple.com/documentation/xcuiautomation. Only signatures.
public import Foundation
public import UIKit

@MainActor open class XCUIElement {
    public enum ElementType: UInt { case any = 0 }

    public init() {}
    open var exists: Bool { false }
    open func tap() {}
    open func waitForExistence(timeout: TimeInterval) -> Bool { false }
    open var buttons: XCUIElementQuery { XCUIElementQuery() }
    open var tabBars: XCUIElementQuery { XCUIElementQuery() }
    open func descendants(matching type: ElementType) -> XCUIElementQuery { XCUIElementQuery() }
}

@MainActor open class XCUIElementQuery {
    open subscript(key: String) -> XCUIElement { XCUIElement() }
    open var buttons: XCUIElementQuery { self }
}

@MainActor open class XCUIApplication: XCUIElement {
    public enum State: UInt {
        case unknown, notRunning, runningBackgroundSuspended, runningBackground, runningForeground
    }

    open var launchEnvironment: [String: String] = [:]
    open func launch() {}
    open func activate() {}
    open func wait(for state: State, timeout: TimeInterval) -> Bool { false }
}

@MainActor open class XCUIDevice {
    public enum Button: Int { case home = 1 }

    open class var shared: XCUIDevice { XCUIDevice() }
    open var orientation = UIDeviceOrientation.portrait
    open func press(_ button: Button) {}
}
