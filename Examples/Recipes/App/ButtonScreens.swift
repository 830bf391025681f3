import ActivityTracking
import ActivityTrackingUIKit
import Foundation
import RecipeLogs
import UIKit

// Screens with one button each, without tracking code. The definitions contain the events of the taps, and
// TapTracking.swift registers the buttons. The screens provide the values of the columns.

/// A screen with one button and the app's environment.
class ButtonViewController: UIViewController, TapTrackable {
    let environment: RecipesEnvironment
    var activityLogger: ActivityLogger { environment.activityLogger }

    init(environment: RecipesEnvironment) {
        self.environment = environment
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    fileprivate func show(_ button: UIButton, _ title: String) {
        button.setTitle(title, for: .normal)
        button.frame = CGRect(x: 20, y: 200, width: 200, height: 44)
        view.addSubview(button)
    }

    #if !canImport(ObjectiveC)
        override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            TapTracking.register(self)
        }
    #endif
}

final class RecipeViewController: ButtonViewController {
    private let recipe: RecipeID
    private let saveButton = UIButton(type: .system)

    init(recipe: RecipeID, environment: RecipesEnvironment) {
        self.recipe = recipe
        super.init(environment: environment)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        show(saveButton, "Save")
    }

    func saveButtonTapColumns() -> (recipeId: RecipeID, folder: String?, isSaved: Bool) { (recipe, nil, true) }
}

final class SearchViewController: ButtonViewController {
    let clearHistoryButton = UIButton(type: .system)

    override func viewDidLoad() {
        super.viewDidLoad()
        show(clearHistoryButton, "Clear history")
    }
}

final class KitchenViewController: ButtonViewController {
    private lazy var followButton = UIButton(type: .system)
    private let cook = UserID(2048)

    override func viewDidLoad() {
        super.viewDidLoad()
        show(followButton, "Follow")
    }

    func followButtonTapColumns() -> (kitchenId: UserID, isFollowing: Bool) { (cook, true) }
}

final class PremiumViewController: ButtonViewController {
    private let purchaseButton = UIButton(type: .system)

    override func viewDidLoad() {
        super.viewDidLoad()
        show(purchaseButton, "Try Premium")
    }

    func purchaseButtonTapColumns() -> (plan: PremiumPlan, isTrial: Bool) { (.yearly, true) }
}

final class DraftViewController: ButtonViewController {
    private let discardButton = UIButton(type: .system)
    private let draft = UUID()

    override func viewDidLoad() {
        super.viewDidLoad()
        show(discardButton, "Discard")
    }

    func discardButtonTapColumns() -> (draftId: UUID, stepCount: UInt8) { (draft, 0) }
}

final class SettingsViewController: ButtonViewController {
    private let logOutButton = UIButton(type: .system)
    // The terms are not tracked.
    private let termsButton = UIButton(type: .system)  // loggen:ignore

    override func viewDidLoad() {
        super.viewDidLoad()
        show(logOutButton, "Log out")
        view.addSubview(termsButton)
    }

    func logOutButtonTapColumns() -> Int32 { 0 }
}
