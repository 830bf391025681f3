// The sample of the article Adopt.
enum Event: String {
    case recipeOpened = "Recipe Opened"
    case searched
}

struct RecipeScreen {
    let recipe: Recipe

    func appear(from source: String) {
        Analytics.logEvent(Event.recipeOpened.rawValue, parameters: ["recipe_id": recipe.id, "source": source])
    }

    func search(_ keyword: String, _ filters: [String: Any]) {
        Analytics.logEvent(Event.searched.rawValue, parameters: filters)
    }
}

struct Recipe { var id: Int64 }
