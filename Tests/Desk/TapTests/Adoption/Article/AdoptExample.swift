// The sample of the article Adopt.
enum Event: String {
    case recipeOpened = "Recipe Opened"
    case searched
}

struct RecipeScreen {
    func appear() {
        Analytics.logEvent(Event.recipeOpened.rawValue, parameters: ["source": "feed", "position": 1])
    }

    func search(_ keyword: String) {
        Analytics.logEvent(Event.searched.rawValue, parameters: ["keyword": keyword])
    }
}
