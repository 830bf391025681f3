import UIKit
import XCTest

#if canImport(XCUIAutomation)
    import XCUIAutomation
#endif

/// Tests that need a device: do the toolkits call the adapters at the right times?
///
/// A simulator may be slow. Checks for expected marks wait with a long timeout, and return as soon as the mark appears.
/// Checks for missing marks follow an expected mark that began in the same instant.
@MainActor
final class RecipesUITests: XCTestCase {
    private let patience = 30.0

    /// - Parameter dwell: the dwell time of rows in seconds; nil for the app's own.
    private func launch(_ tab: String, dwell: Int? = nil) -> XCUIApplication {
        let app = XCUIApplication()
        app.launchEnvironment["ACTIVITY_TRACKING_OVERLAY"] = "1"
        if let dwell { app.launchEnvironment["RECIPES_DWELL"] = "\(dwell)" }
        app.launch()
        app.tabBars.buttons[tab].tap()
        return app
    }

    private func isTracked(_ name: String, in app: XCUIApplication) -> Bool {
        app.descendants(matching: .any)["\(name)-tracked"].waitForExistence(timeout: patience)
    }

    private func isUntracked(_ name: String, in app: XCUIApplication) -> Bool {
        app.descendants(matching: .any)["\(name)-untracked"].exists
    }

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
        // Longer than leaving and returning take, so that only the time in the background could complete the dwell.
        let dwell = 15
        let app = launch("Table", dwell: dwell)
        XCUIDevice.shared.press(.home)
        XCTAssertTrue(app.wait(for: .runningBackground, timeout: patience))
        Thread.sleep(forTimeInterval: TimeInterval(dwell))
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
