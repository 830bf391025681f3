import ActivityTracking
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import RecipeLogs
import UIKit

/// The same list as a UIKit table.
final class TableViewController: UITableViewController {
    private let environment: RecipesEnvironment
    private let recipes = (0..<30).map { RecipeID(Int64($0)) }
    private lazy var screen = ScreenTracker(self)
    private lazy var contents = ScrollViewTracker<RecipeID>(
        tableView, screen: screen, logger: environment.activityLogger, onSeen: { [weak self] in self?.mark($0) })

    init(environment: RecipesEnvironment) {
        self.environment = environment
        super.init(style: .plain)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "recipe")
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        screen.root.appear()
        screen.presentationDidChange()
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        screen.root.disappear()
        screen.presentationDidChange()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        tableView.rowHeight = tableView.frame.inset(by: tableView.adjustedContentInset).height / ListView.cellsInView
        contents.didLayout()
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { recipes.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "recipe", for: indexPath)
        configure(cell, recipes[indexPath.row])
        return cell
    }

    override func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)
    {
        let recipe = recipes[indexPath.row]
        contents.content(
            cell, id: recipe, rule: environment.rule,
            Home.seeFeedRecipe(section: .seasonal, recipeId: recipe, position: indexPath.row))
    }

    override func tableView(
        _ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) {
        contents.didEndDisplaying(cell)
    }

    override func scrollViewDidScroll(_ scrollView: UIScrollView) { contents.didScroll() }

    private func name(_ recipe: RecipeID) -> String { "table-\(recipe.rawValue)" }

    private func configure(_ cell: UITableViewCell, _ recipe: RecipeID) {
        let isTracked = environment.marks.tracked.contains(name(recipe))
        var content = cell.defaultContentConfiguration()
        content.text = "\(name(recipe)) \(isTracked ? "✓" : "–")"
        cell.contentConfiguration = content
        cell.accessibilityIdentifier = "\(name(recipe))-\(isTracked ? "tracked" : "untracked")"
    }

    private func mark(_ recipe: RecipeID) {
        environment.marks.mark(name(recipe))
        for cell in tableView.visibleCells {
            if let path = tableView.indexPath(for: cell) { configure(cell, recipes[path.row]) }
        }
    }
}
