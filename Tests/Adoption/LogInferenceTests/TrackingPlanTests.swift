import Foundation
import MarkdownSyntax
import Testing
import TestSupport

import LogDefinitions

@testable import LogInference

/// Tests that tracking plans of RudderStack and Segment become clean documents, and that losses are reported.
struct TrackingPlanTests {
    private func source(_ name: String) throws -> InferenceSource {
        let file = Tool.repository.appendingPathComponent("Tests/Adoption/LogInferenceTests/Samples/\(name)")
        return InferenceSource(path: name, bytes: Array(try Data(contentsOf: file)))
    }

    private func expectClean(_ inference: Inference) async {
        let files = inference.documents.map {
            SourceFile(path: $0.path, relativePath: $0.path, source: SourceText(Array($0.text.utf8)))
        }
        let analysis = await Analysis.run(files)
        // The categories of a plan keep their names.
        let found = analysis.diagnostics.filter { $0.rule.name != "framework-name" }
        #expect(found.isEmpty, "\(found.map(\.message))")
        #expect(await DefinitionFormatter.format(analysis).isEmpty)
    }

    private func lines(_ inference: Inference) -> [String] {
        inference.findings.map { "\($0.place.map { "\($0): " } ?? "")\($0.kind.rawValue): \($0.message)" }
    }

    @Test("A plan of RudderStack's v1 format becomes documents") func rudderStackV1() async throws {
        let inference = await Inference.ofRudderStack([try source("rudder.yaml")], category: nil)
        await expectClean(inference)
        #expect(
            squeezed(inference.documents.map { "==> \($0.path)\n\($0.text)" }.joined())
                == squeezed(
                    """
                    ==> types.md
                    # types

                    ## OrderStatus

                    What became of it

                    | value    | description |
                    | -------- | ----------- |
                    | paid     |             |
                    | shipped  |             |
                    | returned |             |
                    ==> checkout_flow.md
                    # Checkout Flow `checkout_flow`

                    ## Order Completed `order_completed`

                    An order was paid.

                    | column   | type           | description                                |
                    | -------- | -------------- | ------------------------------------------ |
                    | order_id | string(32)     | The order's number \\| as printed (orderId) |
                    | total    | double(0...)   | Total                                      |
                    | status   | OrderStatus?   |                                            |
                    | coupons  | [string; ...5]? |                                           |
                    | code     | int(100...599)? |                                           |
                    ==> web_shop.md
                    # Web Shop `web_shop`

                    ## Cart Viewed `cart_viewed`

                    ## identify

                    | column   | type        | description                                |
                    | -------- | ----------- | ------------------------------------------ |
                    | order_id | string(32)? | The order's number \\| as printed (orderId) |

                    """))
        #expect(lines(inference).count { $0.contains("warning:") } == 2, "\(lines(inference))")
        #expect(lines(inference).contains { $0.contains("`address` is left out: it is an object") })
        #expect(
            lines(inference).contains { $0.contains("the property `#property:missing` is not in any of the files") })
        #expect(lines(inference).contains { $0.contains("`Order Completed` allows other properties") })
    }

    @Test("A plan of RudderStack's older format becomes documents") func rudderStackBeforeV1() async throws {
        let inference = await Inference.ofRudderStack([try source("rudder-old.yaml")], category: nil)
        await expectClean(inference)
        #expect(
            inference.documents.map { squeezed($0.text) } == [
                squeezed(
                    """
                    # API Plan `api_plan`

                    Calls of the API.

                    ## API Called `api_called`

                    | column     | type            | description |
                    | ---------- | --------------- | ----------- |
                    | api_method | enum(GET, PUT)  | API Method  |
                    | tries      | int64?          |             |
                    | codes      | [int64; 1...]?  |             |

                    """)
            ])
        #expect(
            lines(inference).contains("rudder-old.yaml:21:7: note: `idle` is left out: no rule refers to it"),
            "\(lines(inference))")
        #expect(!inference.hasLosses, "\(lines(inference))")
    }

    @Test("A plan from RudderStack's API becomes documents") func rudderStackOfTheAPI() async throws {
        let inference = await Inference.ofRudderStack([try source("rudder-api.json")], category: "app")
        await expectClean(inference)
        #expect(
            inference.documents.map { squeezed($0.text) } == [
                squeezed(
                    """
                    # app

                    ## Recipe Viewed `recipe_viewed`

                    A recipe was viewed.

                    | column    | type                 | description |
                    | --------- | -------------------- | ----------- |
                    | recipe_id | int(0...)            | recipeId    |
                    | source    | enum(home, search)?  |             |

                    ## identify

                    | column | type   | description |
                    | ------ | ------ | ----------- |
                    | plan   | string |             |

                    """)
            ])
        #expect(!inference.hasLosses, "\(lines(inference))")
    }

    @Test("A plan of Segment becomes documents") func segment() async throws {
        let inference = await Inference.ofSegment([try source("segment.json")], category: "shop")
        await expectClean(inference)
        #expect(
            squeezed(inference.documents.map { "==> \($0.path)\n\($0.text)" }.joined())
                == squeezed(
                    """
                    ==> common.md
                    # common

                    | column | type   | description |
                    | ------ | ------ | ----------- |
                    | brand  | string |             |
                    ==> shop.md
                    # shop

                    ## Order Completed `order_completed`

                    Who bought what

                    | key   | value      |
                    | ----- | ---------- |
                    | owner | @shop-team |

                    | column     | type             | description |
                    | ---------- | ---------------- | ----------- |
                    | order_id   | string           | The order   |
                    | total      | double?          | In cents    |
                    | currency   | enum(JPY, USD)?  |             |
                    | shipped_at | timestamp?       | shippedAt   |

                    ## identify

                    | column | type    | description |
                    | ------ | ------- | ----------- |
                    | email  | string? |             |

                    """))
        let lost = lines(inference).filter { $0.contains("warning:") }
        #expect(lost.count == 6, "\(lost)")
        for part in [
            "`pattern` of `order_id`", "`products` is left out", "the content of `context` of `identify`",
            "the format `email`", "the label `priority`",
        ] {
            #expect(lost.contains { $0.contains(part) }, "\(part): \(lost)")
        }
        #expect(lines(inference).contains { $0.contains("`total` is required and may be null") })
    }

    @Test(
        "An unused member anywhere in a plan is reported",
        arguments: [
            (
                PlanKind.segment,
                #"{"data":{"rules":[{"key":"A","type":"TRACK"@1,"jsonSchema":{"type":"object"@2,"properties":{"properties":{"type":"object"@3,"properties":{"a":{"type":"string"@4},"b":{"type":"array","items":{"type":"string"@5}}}}}}}]@6}}"#
            ),
            (
                .segment,
                #"{"tracking_plans":[{"name":"workspaces/w/tracking-plans/rs_1","display_name":"P","rules":{"events":[{"name":"A"@1,"rules":{"type":"object","labels":{"a":"b"@2},"properties":{"properties":{"type":"object","properties":{"a":{"type":"string"@3}}}}}}]},"update_time":"x"@4}]@5}"#
            ),
            (
                .rudderstack,
                #"{"events":[{"name":"A","eventType":"track"@1,"rules":{"type":"object"@2,"properties":{"properties":{"type":"object","properties":{"a":{"type":"string"@3}}}}}}]@4}"#
            ),
            (
                .rudderstack,
                ##"[{"version":"rudder/v1","kind":"events","metadata":{"name":"g"}@1,"spec":{"events":[{"id":"e","name":"E","event_type":"track"@2}]}},{"kind":"properties","metadata":{"name":"g"},"spec":{"properties":[{"id":"p","name":"p","type":"string"@3,"config":{"minLength":0@4}}]}},{"kind":"tracking-plan"@5,"spec":{"id":"t","display_name":"T"@6,"rules":[{"type":"event_rule","id":"r"@7,"event":"#event:e","properties":[{"property":"#property:p","required":true@8}]}]}}]"##
            ),
        ]) func unusedMemberOfAPlanIsReported(kind: PlanKind, plan: String) async
    {
        func infer(_ text: String) async -> Inference {
            // The test cases contain consecutive YAML documents, as `rudder-cli` writes them, as a list.
            let isDocuments = text.hasPrefix("[")
            let documents =
                isDocuments
                ? String(text.dropFirst().dropLast()).replacing("},{\"kind\"", with: "}\n---\n{\"kind\"") : text
            let source = InferenceSource(path: "p", bytes: Array((isDocuments ? "---\n" + documents : documents).utf8))
            return kind == .segment
                ? await Inference.ofSegment([source], category: nil)
                : await Inference.ofRudderStack([source], category: nil)
        }
        let places = (1...8).filter { plan.contains("@\($0)") }
        func filled(_ place: Int, _ text: String) -> String {
            places.reduce(plan) { $0.replacing("@\($1)", with: $1 == place ? text : "") }
        }
        let plain = await infer(filled(0, ""))
        #expect(plain.events == 1, "\(lines(plain))")
        for place in places {
            for key in ["unheard", "default", "$comment", "readOnly", "owners"] {
                let said = await infer(filled(place, ",\"\(key)\":\"x\""))
                #expect(
                    said.findings.contains {
                        $0.kind == .warning && $0.message.contains("`\(key)`") && $0.place != nil
                    },
                    "@\(place) \(key): \(lines(said))")
            }
        }
    }

    @Test("Members that are specific to the other system are reported once")
    func membersOfTheOtherSystemAreReportedOnce() async throws {
        let plan =
            #"{"data":{"trackingPlan":{"id":"tp","slug":"s","name":"P","type":"LIVE","createdAt":"2026"},"rules":[{"key":"A","type":"TRACK","version":1,"createdAt":"2026","deprecatedAt":"2026-04-01","jsonSchema":{"type":"object"}},{"key":"B","type":"TRACK","version":2,"deprecatedAt":"0001-01-01T00:00:00.000Z","jsonSchema":{"type":"object"}}]}}"#
        let inference = await Inference.ofSegment([InferenceSource(path: "p", bytes: Array(plan.utf8))], category: nil)
        let notes = lines(inference).filter { $0.contains("the plan's system") }
        #expect(notes.count == 1 && !inference.hasLosses, "\(lines(inference))")
        for part in ["`id`", "`slug`", "`createdAt` (2 times)", "`version` (2 times)"] {
            #expect(notes.first?.contains(part) == true, "\(part)")
        }
        let text = try #require(inference.documents.first?.text)
        // The first rule is deprecated. A date in year 1 means no date.
        #expect(text.contains("since 2026-04-01") && !text.contains("since 0001"), "\(text)")
    }

    @Test("References to a category may have two forms") func aCategoryMayBeReferredToInTwoForms() async {
        for reference in ["\"#/categories/g/c\"", "{$ref: \"#/categories/g/c\"}"] {
            let plan = """
                kind: categories
                metadata: {name: g}
                spec: {categories: [{id: c, name: Browsing}]}
                ---
                kind: events
                metadata: {name: g}
                spec: {events: [{id: e, name: Opened, event_type: track, category: \(reference)}]}
                ---
                kind: tp
                spec: {id: t, display_name: Plan, rules: [{type: event_rule, id: r, event: {$ref: "#/events/g/e"}}]}
                """
            let inference = await Inference.ofRudderStack(
                [InferenceSource(path: "p", bytes: Array(plan.utf8))], category: nil)
            #expect(inference.documents.map(\.path) == ["browsing.md"], "\(lines(inference))")
            let lost = await Inference.ofRudderStack(
                [InferenceSource(path: "p", bytes: Array(plan.replacing("id: c,", with: "id: d,").utf8))], category: nil
            )
            #expect(
                lines(lost).contains {
                    $0.contains("the category `#/categories/g/c` of `Opened` is not in any of the files")
                })
        }
    }

    @Test("Input that is not a plan is reported") func inputThatIsNotAPlanIsReported() async {
        for (text, part) in [
            ("{}", "not a tracking plan"), ("{\"rules\": [{\"key\": \"a\"}]}", "no JSON Schema"), ("a: [", "not YAML"),
            ("{\"a\": 1,}", "a key in double"),
            ("[1]", "no JSON Schema"), ("\u{FF}", "not a tracking plan"),
        ] {
            let inference = await Inference.ofSegment(
                [InferenceSource(path: "x", bytes: Array(text.utf8))], category: nil)
            #expect(
                inference.hasLosses && inference.findings.contains { $0.message.contains(part) },
                "\(text): \(lines(inference))")
        }
        // Nested aliases would expand to a billion values.
        var bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        for level in 1...9 {
            let alias = "*a\(level - 1)"
            bomb += "a\(level): &a\(level) [" + repeatElement(alias, count: 10).joined(separator: ",") + "]\n"
        }
        let inference = await Inference.ofSegment([InferenceSource(path: "x", bytes: Array(bomb.utf8))], category: nil)
        #expect(inference.findings.contains { $0.message.contains("expand too far") }, "\(lines(inference))")
    }
}

/// Returns a document without the blanks and hyphens that only align its tables.
func squeezed(_ text: String) -> String {
    text.replacing(#/[ ]{2,}/#, with: " ").replacing(#/-{4,}/#, with: "---").replacing("|  |", with: "| |")
}
