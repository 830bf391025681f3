import Foundation
import RecipeLogs
import UIKit

/// A list of the screens with buttons.
final class MoreViewController: UITableViewController {
    private let screens: [(title: String, make: @MainActor (RecipesEnvironment) -> ButtonViewController)] = [
        ("Recipe 42", { RecipeViewController(recipe: RecipeID(42), environment: $0) }),
        ("Search", SearchViewController.init),
        ("Kitchen", KitchenViewController.init), ("Premium", PremiumViewController.init),
        ("Draft", DraftViewController.init),
        ("Settings", SettingsViewController.init),
    ]
    private let environment: RecipesEnvironment

    init(environment: RecipesEnvironment) {
        self.environment = environment
        super.init(style: .plain)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "screen")
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { screens.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "screen", for: indexPath)
        var content = cell.defaultContentConfiguration()
        content.text = screens[indexPath.row].title
        cell.contentConfiguration = content
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        navigationController?.pushViewController(screens[indexPath.row].make(environment), animated: true)
    }
}
