import UIKit
import XCTest

#if canImport(XCUIAutomation)
    import XCUIAutomation
#endif

/// What only a device shows: that the toolkits call the adapters when they should. Times are longer than the dwell of two seconds.
@MainActor
final class RecipesUITests: XCTestCase {
    private let dwell = 3.0

    private func launch(_ tab: String) -> XCUIApplication {
        let app = XCUIApplication()
        app.launchEnvironment["ACTIVITY_TRACKING_OVERLAY"] = "1"
        app.launch()
        app.tabBars.buttons[tab].tap()
        return app
    }

    private func isTracked(_ name: String, in app: XCUIApplication) -> Bool {
        app.descendants(matching: .any)["\(name)-tracked"].waitForExistence(timeout: dwell)
    }

    private func isUntracked(_ name: String, in app: XCUIApplication) -> Bool { app.descendants(matching: .any)["\(name)-untracked"].exists }

    func testTheHalfVisibleLastCellIsNotSeen() {
        let app = launch("List")
        XCTAssertTrue(isTracked("row-6", in: app))
        XCTAssertTrue(isUntracked("row-7", in: app))
        app.buttons["bottom"].tap()
        XCTAssertTrue(isTracked("row-29", in: app))
        XCTAssertTrue(isTracked("row-23", in: app))
        XCTAssertFalse(app.descendants(matching: .any)["row-15-tracked"].exists)
    }

    func testRotationShowsOtherContents() {
        let app = launch("Home")
        XCTAssertTrue(isTracked("recipe-0-0", in: app))
        XCUIDevice.shared.orientation = .landscapeLeft
        XCTAssertTrue(isTracked("recipe-0-3", in: app))
        XCUIDevice.shared.orientation = .portrait
    }

    func testTimeInTheBackgroundIsNoDwell() {
        let app = launch("Table")
        XCUIDevice.shared.press(.home)
        _ = app.wait(for: .runningBackground, timeout: dwell)
        Thread.sleep(forTimeInterval: dwell)
        app.activate()
        XCTAssertTrue(isUntracked("table-0", in: app))
        XCTAssertTrue(isTracked("table-0", in: app))
    }

    func testTheTableOfUIKitSeesTheSame() {
        let app = launch("Table")
        XCTAssertTrue(isTracked("table-6", in: app))
        XCTAssertTrue(isUntracked("table-7", in: app))
    }
}
