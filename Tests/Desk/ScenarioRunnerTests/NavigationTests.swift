import Testing
import TestSupport

@testable import ScenarioRunner

struct NavigationTests {
    @Test("The reported changes add up to the state of all screens", arguments: 1...Depth.cases(2, deep: 10))
    func changes(seed: Int) throws {
        var dice = SeededGenerator(seed: UInt64(seed))
        let names = [nil, nil, nil, nil, nil, nil, "bar", "bar", "bar", "inner", "inner", nil]
        let text = names.enumerated().map { #"{"id":"s\#($0)"\#($1.map { #","tabs":"\#($0)""# } ?? "")}"# }.joined(
            separator: ",")
        let bytes = Array(#"{"viewport":{"width":1,"height":1},"screens":[\#(text)],"steps":[]}"#.utf8)
        let screens = try Scenario(bytes, file: "s.json").screens
        var navigation = Navigation(screens)
        var places = Array(repeating: Navigation.Place(), count: screens.count)
        var deepest = 0
        navigation.open(0)
        for _ in 0..<600 {
            let screen = Int.random(in: 0..<screens.count, using: &dice)
            let isFree = !navigation.contains(screen) && !navigation.isWaiting(screen)
            switch Int.random(in: 0..<10, using: &dice) {
            case 0, 1: if isFree { navigation.push(screen) }
            case 2: _ = navigation.pop()
            case 3: if isFree { navigation.presentSheet(screen) }
            case 4, 5: if isFree { navigation.presentCover(screen) }
            case 6: _ = navigation.dismiss()
            case 7: if Int.random(in: 0..<4, using: &dice) == 0 { navigation.closeAll() }
            case 8: if Int.random(in: 0..<8, using: &dice) == 0 { navigation.open(screen) }
            default: _ = navigation.select(screen)
            }
            repeat {
                let changes = navigation.takeChanges()
                for (screen, place) in changes.places { places[screen] = place }
                #expect(places == navigation.places())
                deepest = max(deepest, places.count(where: \.isCurrent))
            } while navigation.step()
            #expect(places.count { $0 == Navigation.Place(isCurrent: true) } == 1)
            for (number, place) in places.enumerated() where place.isCurrent { #expect(navigation.contains(number)) }
        }
        #expect(deepest >= 4)
    }
}
