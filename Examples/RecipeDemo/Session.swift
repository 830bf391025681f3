import ActivityTracking
import ContentVisibility
import Foundation
import RecipeLogs

/// A launch of the app: its actions, and the events of its screens, contents and actions.
///
/// The triggers in the definitions decide when an event is posted; `Plan` reads them.
struct Launch: Sendable {
    /// An action of the person or the app that does not concern visibility.
    struct Action: Sendable {
        /// The time in seconds since the launch.
        var time: Double
        /// The description for people.
        var words: String
        var event: (any LogCategory)?
        var turn: Turn?

        init(_ time: Double, _ words: String, _ event: (any LogCategory)? = nil, _ turn: Turn? = nil) {
            (self.time, self.words, self.event, self.turn) = (time, words, event, turn)
        }
    }

    /// A change of the app's surroundings.
    enum Turn: Sendable {
        /// The app has entered the background, and delivers while the system lets it run.
        case background
        /// The next batch arrives, then the network fails before the answer.
        case networkGoes
        case networkReturns
        /// The process is killed.
        case kill
    }

    /// The name of the scenario file.
    var file: String
    var scenario: [UInt8]
    /// The events by the identifiers of the scenario.
    var screens: [String: any LogCategory]
    var contents: [String: any LogCategory]
    /// The events of screens that are left, for the engagement in the visit.
    var leaving: [String: @Sendable (VisitEngagement) -> any LogCategory]
    /// The actions in order of time. They repeat steps of the scenario, because those have no description to print.
    var actions: [Action]
    /// A Boolean value that indicates whether there is a network when the app starts.
    var isOnline: Bool

    var leftEvents: [String: any LogCategory] { leaving.mapValues { $0(VisitEngagement()) } }
}

/// The session: two launches of the sample app, without a screen.
enum Session {
    static let launches = [first, second]

    /// A user who is in the sample of each `sampling` rate of the definitions, so that every event is kept.
    static let user = UserID(1171)

    static func columns(session: UUID, isOnline: Bool) -> CommonColumns {
        CommonColumns(
            userId: user, sessionId: session, appVersion: "2026.4.0", osVersion: "iOS 19.4", deviceKind: .phone,
            deviceModel: "iPhone18,3",
            timeZone: "Asia/Tokyo", locale: "ja-JP", network: isOnline ? .wifi : .offline, isPremium: false,
            experiments: ["home_order:b"])
    }

    private static let first = Launch(
        file: "first-launch.json",
        scenario: PackageResources.first_launch_json,
        screens: present([
            "home": Home.viewHome(sectionCount: 5),
            "search": RecipeSearch.viewSearch(referrer: .home),
            "recipe-732": recipe(732, referrer: .home),
            "recipe-206": recipe(206, referrer: .search),
        ]),
        contents: merged(
            feed([
                (.hero, [42, 108, 77]), (.seasonal, [310, 311, 312]), (.following, [731, 732, 733]),
                (.history, [15, 16]), (.campaign, [500, 501]),
            ]),
            results(201...208),
            steps(of: 732, ingredients: 9, 1...3),
            steps(of: 206, ingredients: 6, 1...1)),
        leaving: ["recipe-732": leave(732), "recipe-206": leave(206)],
        actions: [
            Launch.Action(0, "The app opens"),
            Launch.Action(3.4, "The first carousel is moved on"),
            Launch.Action(6.6, "Home is scrolled"),
            Launch.Action(
                9.8, "A recipe is tapped", Home.tapFeedRecipe(section: .following, recipeId: RecipeID(732), position: 1)
            ),
            Launch.Action(12.8, "The recipe is scrolled"),
            Launch.Action(
                15.2, "Twice the servings",
                RecipeDetail.changeServings(recipeId: RecipeID(732), servingsFrom: 2, servingsTo: 4)),
            Launch.Action(
                16.2, "The recipe is saved",
                RecipeDetail.saveRecipe(recipeId: RecipeID(732), folder: "お弁当", isSaved: true)),
            Launch.Action(16.6, "Back to home"),
            Launch.Action(17.6, "Home is pulled down to refresh", Home.refreshFeed),
            Launch.Action(21, "The app enters the background", nil, .background),
            Launch.Action(24, "The app is in front again"),
            Launch.Action(25, "The network goes away", nil, .networkGoes),
            Launch.Action(26.6, "The search tab is selected"),
            Launch.Action(
                27.4, "A suggestion is tapped",
                RecipeSearch.tapSuggestion(suggestion: "なす", suggestionSource: .history, position: 0)),
            Launch.Action(
                28.4, "The results for なす are there",
                RecipeSearch.search(keyword: "なす", order: .newest, tags: [], resultCount: 1280, elapsed: 0.42)),
            Launch.Action(31.2, "The results are scrolled"),
            Launch.Action(
                35.4, "A result is tapped",
                RecipeSearch.tapRecipe(
                    recipeId: RecipeID(206), position: 5, keyword: "なす", order: .newest, placement: .organic)),
            Launch.Action(
                38.4, "The recipe's link is copied",
                RecipeDetail.shareRecipe(recipeId: RecipeID(206), destination: .copyLink)),
            Launch.Action(39.2, "Back to the results"),
            Launch.Action(41.6, "The app is killed (SIGKILL)", nil, .kill),
        ],
        isOnline: true)

    private static let second = Launch(
        file: "second-launch.json",
        scenario: PackageResources.second_launch_json,
        screens: present([
            "home": Home.viewHome(sectionCount: 3),
            "settings": AppSettings.viewSettings,
            "recipe-42": recipe(42, referrer: .deepLink),
            "kitchen-2048": Kitchen.viewKitchen(kitchenId: UserID(2048), isMine: false, referrer: .home),
        ]),
        contents: merged(
            feed([(.hero, [42, 108]), (.seasonal, [310, 311]), (.following, [731, 732])]),
            steps(of: 42, ingredients: 7, 1...1),
            kitchen(2048, recipes: 901...906)),
        leaving: ["recipe-42": leave(42)],
        actions: [
            Launch.Action(0, "The app opens again, without a network"),
            Launch.Action(3.2, "The network is back", nil, .networkReturns),
            Launch.Action(3.4, "Settings come as a sheet"),
            Launch.Action(
                5, "Autoplay is changed",
                AppSettings.changeSetting(setting: .autoplay, valueBefore: "on", valueAfter: "wifi_only")),
            Launch.Action(
                6.4, "A link opens a recipe over the sheet",
                URL(string: "https://example.com/recipes/42").map {
                    DeepLink.openLink(destinationUrl: $0, linkKind: .universal, openedScreen: .recipe, coveredCount: 1)
                }),
            Launch.Action(9.4, "The recipe is closed"),
            Launch.Action(10.4, "The sheet is closed"),
            Launch.Action(13, "The app enters the background", nil, .background),
            Launch.Action(15, "The app is in front again, and refreshes"),
            Launch.Action(18.2, "The kitchen of the recipe's author is opened"),
            Launch.Action(
                20, "The author is followed", Kitchen.changeFollow(kitchenId: UserID(2048), isFollowing: true)),
            Launch.Action(21, "The session ends"),
        ],
        isOnline: false)

    // MARK: Events

    private static func recipe(_ id: Int64, referrer: ScreenName) -> (any LogCategory)? {
        LogDate(year: 2026, month: 4, day: 1).map {
            RecipeDetail.viewRecipe(recipeId: RecipeID(id), referrer: referrer, hasVideo: id == 42, publishedOn: $0)
        }
    }

    private static func leave(_ id: Int64) -> @Sendable (VisitEngagement) -> any LogCategory {
        { RecipeDetail.leaveRecipe(recipeId: RecipeID(id), visibleSeconds: $0.seconds, readDepth: $0.depth) }
    }

    private static func feed(_ sections: [(FeedSection, [Int64])]) -> [String: any LogCategory] {
        var contents: [String: any LogCategory] = [
            "banner": Home.seeCampaignBanner(campaign: CampaignCode("spring-2026"))
        ]
        for (place, (section, recipes)) in sections.enumerated() {
            contents[section.rawValue] = Home.showSection(section: section, position: place)
            for (position, recipe) in recipes.enumerated() {
                contents["\(section.rawValue)-\(recipe)"] = Home.seeFeedRecipe(
                    section: section, recipeId: RecipeID(recipe), position: position,
                    rankScore: 0.95 - 0.1 * Double(position))
            }
        }
        return contents
    }

    private static func results(_ recipes: ClosedRange<Int64>) -> [String: any LogCategory] {
        var contents: [String: any LogCategory] = [:]
        for (position, recipe) in recipes.enumerated() {
            contents["なす-\(recipe)"] = RecipeSearch.showRecipe(
                recipeId: RecipeID(recipe), position: position, keyword: "なす", order: .newest, tags: [])
        }
        return contents
    }

    private static func steps(of recipe: Int64, ingredients: UInt8, _ steps: ClosedRange<UInt8>) -> [String:
        any LogCategory]
    {
        var contents: [String: any LogCategory] = [
            "ingredients-\(recipe)": RecipeDetail.seeIngredients(
                recipeId: RecipeID(recipe), ingredientCount: ingredients)
        ]
        for step in steps {
            contents["step-\(recipe)-\(step)"] = RecipeDetail.seeStep(recipeId: RecipeID(recipe), step: step)
        }
        return contents
    }

    private static func kitchen(_ id: Int64, recipes: ClosedRange<Int64>) -> [String: any LogCategory] {
        var contents: [String: any LogCategory] = [:]
        for (position, recipe) in recipes.enumerated() {
            contents["kitchen-\(id)-\(recipe)"] = Kitchen.seeKitchenRecipe(
                kitchenId: UserID(id), recipeId: RecipeID(recipe), position: position)
        }
        return contents
    }

    /// Drops events whose date is not valid.
    private static func present(_ events: [String: (any LogCategory)?]) -> [String: any LogCategory] {
        events.compactMapValues { $0 }
    }

    private static func merged(_ parts: [String: any LogCategory]...) -> [String: any LogCategory] {
        parts.reduce(into: [:]) { $0.merge($1) { _, new in new } }
    }
}
