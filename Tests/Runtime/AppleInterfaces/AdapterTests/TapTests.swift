import ActivityTracking
import ActivityTrackingTesting
import Foundation
import RecipeLogs
import Testing
import UIKit

@testable import ActivityTrackingUIKit
@testable import Recipes
@testable import TappedScreens

/// Runs the code that tapgen has generated, with real screens and actions on a restated UIKit.
@MainActor
struct TapTests {
    private let logs = RecordingDestination()
    private var logger: ActivityLogger { ActivityLogger(destinations: [logs]) }

    /// `shop.pay {"coupon":null}`
    private var posted: [String] {
        logs.records.map { record in
            "\(record.category).\(record.event)" + (record.json(of: "target").map { " " + $0 } ?? "")
        }
    }

    private func tap(_ button: UIButton?) { button?.sendActions(for: .touchUpInside) }

    @Test("A tap posts its event once, however often the screen has appeared")
    func once() throws {
        let cart = CartViewController(logger)
        for _ in 0..<10 { TappedScreens.TapTracking.register(cart) }
        tap(cart.payButton)
        #expect(posted == ["shop.pay"])
        #expect(logs.records[0].json(of: "order") == "\"\(cart.order)\"".lowercased())
        cart.tapRemove(1)
        #expect(posted.last == "shop.remove" && logs.records[1].json(of: "position") == "1")
        tap(cart.hiddenButton)
        #expect(logs.records.count == 2)
    }

    @Test("Two instances of a screen post their own events to their own loggers")
    func instances() {
        let other = RecordingDestination()
        let (first, second) = (CartViewController(logger), CartViewController(ActivityLogger(destinations: [other])))
        TappedScreens.TapTracking.register(first)
        TappedScreens.TapTracking.register(second)
        tap(first.payButton)
        #expect(logs.records.count == 1 && other.records.isEmpty)
        tap(second.payButton)
        #expect(logs.records.count == 1 && other.records.count == 1)
        #expect(logs.records[0].json(of: "order") != other.records[0].json(of: "order_id"))
    }

    @Test("A registered screen is released, and its registration with it")
    func release() {
        weak var gone: CartViewController?
        let before = TapRegistry.shared.count
        do {
            let cart = CartViewController(logger)
            TappedScreens.TapTracking.register(cart)
            tap(cart.payButton)
            gone = cart
            #expect(TapRegistry.shared.count == before + 1)
        }
        #expect(gone == nil && TapRegistry.shared.count <= before)
        // A new screen at the same address is a different one.
        for _ in 0..<100 {
            let cart = CartViewController(logger)
            TappedScreens.TapTracking.register(cart)
            tap(cart.payButton)
        }
        #expect(posted == Array(repeating: "shop.pay", count: 101))
    }

    @Test("A screen's own event wins, also for inherited buttons")
    func overrides() {
        let gift = GiftCartViewController(logger)
        TappedScreens.TapTracking.register(gift)
        tap(gift.payButton)
        gift.tapRemove(0)
        tap(gift.wrapButton)
        #expect(posted == ["shop.help", "shop.remove", "tap.tap \"GiftCartViewController.wrapButton\""])
        let plain = PlainCartViewController(logger)
        TappedScreens.TapTracking.register(plain)
        tap(plain.payButton)
        #expect(posted.last == "shop.close")
    }

    @Test(
        "A missing button is registered at the next appearance, and reported in one message only"
    )
    func lateButtons() {
        var reports: [String] = []
        let report = TapRegistry.shared.report
        defer { TapRegistry.shared.report = report }
        TapRegistry.shared.report = { reports.append($0) }
        let cart = CartViewController(logger)
        TappedScreens.TapTracking.register(cart)
        TappedScreens.TapTracking.register(cart)
        #expect(reports.count == 1)
        #expect(
            reports.first?.hasPrefix(
                "Screens.swift:13: `CartViewController.helpButton` is private and did not exist when its "
                    + "screen appeared"
            )
                == true)
        cart.tapHelp()
        #expect(logs.records.isEmpty)
        cart.couponButton = UIButton()
        TappedScreens.TapTracking.register(cart)
        cart.tapHelp()
        tap(cart.couponButton)
        #expect(
            posted == ["tap.tap \"CartViewController.helpButton\"", "shop.add_coupon"]
                && logs.records[1].json(of: "source") == nil)
        // A new button in the same property is a different one.
        cart.couponButton = UIButton()
        TappedScreens.TapTracking.register(cart)
        tap(cart.couponButton)
        cart.tapShare()
        #expect(posted.suffix(2) == ["shop.add_coupon", "tap.tap \"CartViewController.shareButton\""])
    }

    @Test("A button's position is that at the time of the tap")
    func positions() {
        let cart = CartViewController(logger)
        TappedScreens.TapTracking.register(cart)
        cart.dropFirstRemoveButton()
        cart.tapRemove(0)
        #expect(logs.records[0].json(of: "position") == "0")
        let odd = OddViewController(logger)
        TappedScreens.TapTracking.register(odd)
        tap(odd.holes[1])
        #expect(posted.last == "shop.hole" && logs.records[1].json(of: "position") == "1")
    }

    @Test("A tap has the values from when the finger came down, and leaving the button cancels it")
    func fingerDown() {
        let cart = CartViewController(logger)
        TappedScreens.TapTracking.register(cart)
        let button = cart.firstRemoveButton
        button.sendActions(for: .touchDown)
        // The screen's own action runs first.
        cart.dropFirstRemoveButton()
        tap(button)
        #expect(posted == ["shop.remove"] && logs.records[0].json(of: "position") == "0")
        // The button is no longer part of the screen.
        tap(button)
        cart.payButton.sendActions(for: .touchDown)
        cart.payButton.sendActions(for: .touchUpOutside)
        #expect(logs.records.count == 1)
    }

    @Test(
        "Private buttons are found in wrappers and near similar names; other modules do not matter"
    )
    func oddities() {
        var reports: [String] = []
        let report = TapRegistry.shared.report
        defer { TapRegistry.shared.report = report }
        TapRegistry.shared.report = { reports.append($0) }
        let odd = OddViewController(logger)
        TappedScreens.TapTracking.register(odd)
        Recipes.TapTracking.register(odd)
        odd.tapAll()
        #expect(
            posted == ["tap.tap \"OddViewController.plain\"", "tap.tap \"OddViewController.wrapped\"", "shop.branch"]
                && reports.isEmpty, "\(reports)"
        )
    }

    @Test("Generic, nested and view screens are tracked, also with names that are keywords")
    func kinds() {
        let (list, done, badge) = (ListViewController<Int>(logger), Checkout.DoneViewController(logger), Badge(logger))
        TappedScreens.TapTracking.register(list)
        TappedScreens.TapTracking.register(done)
        TappedScreens.TapTracking.register(badge)
        tap(list.sortButton)
        tap(done.default)
        tap(badge.closeButton)
        #expect(posted == ["shop.sort", "shop.close", "tap.tap \"Badge.closeButton\""])
        let desktop = DesktopViewController(logger)
        TappedScreens.TapTracking.register(desktop)
        tap(desktop.quitButton)
        #expect(posted.last == "tap.tap \"DesktopViewController.quitButton\"")
        #expect(logs.records[0].json(of: "by") == "\"newest\"" && logs.records[0].json(of: "past") == "[\"lowest\"]")
    }

    @Test("The documentation's screen posts the events of its definition and its own")
    func documentation() {
        let (order, test) = (
            OrderViewController(order: 7, activityLogger: logger), OrderViewController(order: 0, activityLogger: logger)
        )
        TappedScreens.appear(order)
        TappedScreens.appear(test)
        order.tapCancel()
        test.tapCancel()
        #expect(posted == ["shop.cancel", "shop.help"] && logs.records[0].json(of: "order_id") == "7")
    }

    @Test("The example's screens post the events of their definitions")
    func example() {
        let environment = RecipesEnvironment(destination: logs)
        let more = MoreViewController(environment: environment)
        let navigation = UINavigationController(rootViewController: more)
        for (row, event) in [
            "recipe_detail.save_recipe", "recipe_search.clear_history", "kitchen.change_follow",
            "premium.start_purchase",
            "recipe_posting.discard_draft",
            "app_settings.log_out",
        ].enumerated() {
            more.tableView(more.tableView, didSelectRowAt: IndexPath(indexes: [0, row]))
            let screen = navigation.viewControllers.last
            screen?.viewDidAppear(false)
            let before = posted.count
            for case let button as UIButton in screen?.view.subviews ?? [] { tap(button) }
            #expect(posted.dropFirst(before) == [event])
        }
        #expect(logs.records[0].json(of: "recipe_id") == "42")
    }
}
