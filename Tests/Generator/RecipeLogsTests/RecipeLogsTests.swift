import ActivityTracking
import Foundation
import RecipeLogs
import Testing
import TestSupport

/// Tests of the sample's generated code, as the build plugin compiles it.
struct RecipeLogsTests {
    static let common = CommonColumns(
        userId: UserID(1024), sessionId: UUID(), appVersion: "2026.4.0", osVersion: "iOS 19.4", deviceKind: .phone,
        deviceModel: "iPhone18,3", timeZone: "Asia/Tokyo", locale: "ja-JP", network: .wifi, isPremium: true,
        experiments: ["新しい検索:B"])

    /// `loggen.yml` of the sample sets `sampling-key`, and its documents set 10%.
    @Test("A user's events are all in the sample, or none of them") func eventsOfAUserAreInTheSampleTogether() {
        #expect(CommonColumns.definition.samplingKey == "user_id")
        var sizes: Set<Int> = []
        for user in 0..<200 {
            var common = Self.common
            common.userId = UserID(Int64(user))
            let records = (0..<3).map {
                LogRecord(
                    RecipeSearch.showRecipe(recipeId: RecipeID(Int64($0)), position: $0, keyword: "", order: .newest),
                    common: common)
            }
            sizes.insert(records.compactMap { Sampling().process($0) }.count)
        }
        #expect(sizes == [0, 3])
    }

    struct Sample: CustomTestStringConvertible, Sendable {
        var event: String
        var violations: [String]
        var record: LogRecord
        var testDescription: String { event }

        init(_ event: some LogCategory, violations: [String] = [], common: CommonColumns = RecipeLogsTests.common) {
            self.event = String(event.description.prefix { $0 != " " })
            self.violations = violations
            record = LogRecord(event, common: common)
        }
    }

    static let samples: [Sample] = {
        let recipe = RecipeID(42)
        let sentAt = Date(timeIntervalSince1970: 1_775_000_000.25)
        var samples = [
            Sample(RecipeSearch.viewSearch()), Sample(RecipeSearch.viewSearch(referrer: .home)),
            Sample(
                RecipeSearch.search(
                    keyword: "卵 トマト\n\"半熟\"", order: .cookingTime, tags: ["お弁当", ""], excludedIngredients: ["えび"],
                    resultCount: 1280,
                    elapsed: 0.42)),
            Sample(RecipeSearch.showRecipe(recipeId: recipe, position: 4, keyword: "なす", order: .popular)),
            Sample(
                RecipeSearch.tapRecipe(
                    recipeId: recipe, position: 0, keyword: "", order: .newest, placement: .editorial)),
            Sample(RecipeSearch.tapSuggestion(suggestion: "卵焼き", suggestionSource: .completion, position: 1)),
            Sample(RecipeSearch.clearHistory),
            Sample(RecipeDetail.shareRecipe(recipeId: recipe, destination: .copyLink)),
            Sample(RecipeDetail.changeServings(recipeId: recipe, servingsFrom: 1.5, servingsTo: 100)),
            Sample(
                RecipePosting.finishUpload(
                    draftId: UUID(), photoBytes: 2_400_000, elapsed: 3.5, attemptCount: 10, failure: .tooLarge)),
            Sample(
                PushNotification.receiveNotification(
                    notificationId: UUID(), notificationKind: .campaign, sentAt: sentAt)),
            Sample(VideoPlayback.enterFullScreen),
            Sample(AppSettings.changeSetting(setting: .textSize, valueBefore: "small", valueAfter: "large")),
            Sample(
                RecipeDetail.changeServings(recipeId: recipe, servingsFrom: -1, servingsTo: 101),
                violations: ["servings_from: minimum", "servings_to: maximum"]),
            Sample(
                RecipeSearch.search(
                    keyword: String(repeating: "卵", count: 257), order: .newest, tags: [], excludedIngredients: [],
                    resultCount: 0, elapsed: .nan),
                violations: ["keyword: maxLength", "excluded_ingredients: minItems", "elapsed: type"]),
        ]
        if let day = LogDate(year: 2026, month: 4, day: 1) {
            samples.append(Sample(RecipeDetail.viewRecipe(recipeId: recipe, hasVideo: true, publishedOn: day)))
        }
        if let link = URL(string: "https://example.com/recipes/42?from=卵") {
            samples.append(
                Sample(
                    PushNotification.openNotification(
                        notificationId: UUID(), notificationKind: .recipe, sentAt: sentAt, destinationUrl: link,
                        campaign: CampaignCode("SPRING-2026"), wasRunning: false)))
        }
        var crowded = common
        crowded.experiments = Array(repeating: "x", count: 21)
        crowded.locale = String(repeating: "a", count: 36)
        samples.append(
            Sample(
                RecipeSearch.clearHistory, violations: ["locale: maxBytes", "experiments: maxItems"], common: crowded))
        return samples
    }()

    /// A record with violations is valid only because it declares them. Iglu's schemas agree.
    @Test("Records match the schemas of their envelope") func recordsAreWhatTheSchemasAccept() throws {
        let scratch = try Scratch(["loggen.yml": "outputs: {json-schema: {}, iglu: {vendor: com.example}}\n"])
        let generation = try Tool.run(
            Tool.repository.appendingPathComponent("Definitions").path, "--config", "loggen.yml", "--output",
            "Generated", in: scratch.url)
        #expect(generation.code == 0, "\(generation.error)")
        let schemas = try scratch.files(under: "Generated").values.map { [UInt8]($0) }
        var cases: [(instance: String, isValid: Bool)] = []
        var iglu: [JSONSchemaValidation.Case] = []
        for sample in Self.samples {
            let json = String(decoding: sample.record.json, as: UTF8.self)
            #expect(sample.record.violations.map(\.entry) == sample.violations, "\(sample.event)")
            cases.append((json, true))
            let uri = "iglu:com.example/\(sample.event.replacingOccurrences(of: ".", with: "-"))/jsonschema/1-0-0"
            iglu.append(.init(schema: uri, instance: json))
            guard let end = json.range(of: ",\"violations\":[", options: .backwards) else {
                #expect(sample.violations == [], "\(json)")
                continue
            }
            cases.append((json[..<end.lowerBound] + "}", false))
            iglu.append(.init(schema: uri, instance: json[..<end.lowerBound] + "}"))
        }
        let outcome = try JSONSchemaValidation.run(
            schemas: schemas, cases: cases.map { .init(schema: "envelope.schema.json", instance: $0.instance) } + iglu)
        #expect(outcome.problems == [])
        #expect(Array(outcome.verdicts.dropFirst(cases.count)) == cases.map(\.isValid))
        for (verdict, testCase) in zip(outcome.verdicts, cases) {
            #expect(verdict == testCase.isValid, "\(testCase.instance)")
        }
    }

    @Test("Common columns with equal values are equal") func commonColumnsWithEqualValuesAreEqual() {
        var other = Self.common
        #expect(other == Self.common)
        other.userId = nil
        #expect(other != Self.common)
    }
}
