import LogDefinitions
import LogValidation
import MarkdownSyntax

/// Definitions with every type and every bound, as documents and a lock file.
enum ProbeDefinitions {
    static let probe = """
        # probe

        | key | value |
        | --- | --- |
        | owner | @probe-team |

        ## one_of_each

        | column | type |
        | --- | --- |
        | text | string? |
        | text3 | string(3)? |
        | bytes4 | string(4 bytes)? |
        | int8 | int8? |
        | int16 | int16? |
        | int32 | int32? |
        | int64 | int64? |
        | uint8 | uint8? |
        | uint16 | uint16? |
        | uint32 | uint32? |
        | percent | int(0...100)? |
        | from5 | int(5...)? |
        | number | double? |
        | fraction | float(0...0.5)? |
        | wide | double(-9007199254740993...9007199254740993)? |
        | amount | decimal(5, 2)? |
        | cents | decimal(2, 2)? |
        | whole | decimal(3)? |
        | flag | bool? |
        | day | date? |
        | time | timestamp? |
        | key | uuid? |
        | link | url? |
        | order | enum(newest, popular, 新着)? |
        | tags | [string(3)]? |
        | pair | [int8; 1...2]? |
        | grid | [[ListOrder; ...1]]? |
        | sort | ListOrder? |
        | recipe | RecipeID? |
        | ~~gone~~ | bool? |

        ## all_required

        | column | type |
        | --- | --- |
        | sort | ListOrder |
        | pair | [int8; 1...2] |

        ## empty

        ## grown

        | column | type |
        | --- | --- |
        | count | int |

        ## ~~retired_event~~
        """

    static let second = "# second\n\n## empty\n"

    static let common = """
        # common

        | column | type |
        | --- | --- |
        | user_id | int64 |
        | session | uuid? |
        | ~~old_common~~ | bool? |
        """

    static let types = """
        # types

        ## ListOrder

        | value | description |
        | --- | --- |
        | newest | |
        | popular | |

        ## RecipeID: int64
        """

    /// The lock file: `grown` has lost a column, and another column had a different type. `retired_event` was once
    /// active.
    static let lock = """
        loggen.lock 1
        probe.grown 1-0-0 active +user_id:int64 +session:uuid? count:string(2)
        probe.grown 1-0-1 active +user_id:int64 +session:uuid? count:string(2) note:enum(a,b)?
        probe.grown 2-0-0 active +user_id:int64 +session:uuid? count:int ~+old_common
        probe.retired_event 1-0-0 active +user_id:int64 +session:uuid? reason:string(3)
        probe.retired_event 1-1-0 retired +user_id:int64 +session:uuid? ~+old_common

        """

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    static func analyzed(_ documents: [String: String]) async throws -> Definitions {
        let files = documents.map {
            SourceFile(path: "Definitions/\($0).md", relativePath: "\($0).md", source: SourceText(Array($1.utf8)))
        }
        let analysis = await Analysis.run(files)
        guard !analysis.hasErrors else { throw Failure(description: "\(analysis.diagnostics.map(\.message))") }
        return analysis.definitions
    }

    static let model: @Sendable () async throws -> Model = {
        let definitions = try await analyzed(["probe": probe, "second": second, "common": common, "types": types])
        let drift = await Drift.between(lockFile.latest, and: definitions, scope: .everything)
        return Model(definitions, versions: drift.versions, lock: lockFile)
    }

    static var lockFile: LockFile {
        LockFile(
            SourceFile(
                path: "Definitions/loggen.lock", relativePath: LockFile.fileName, source: SourceText(Array(lock.utf8))))
    }

    /// Judges single records.
    struct Validator {
        let rules: RecordRules
        var interest = RecordInterest()

        init(_ events: [EventDescription], refusesDeclared: Bool = false) {
            (rules, interest.refusesDeclared) = (RecordRules(events), refusesDeclared)
        }

        /// Returns the violations of a record; empty for a valid record. The `line` of each violation is 1.
        func violations(of record: [UInt8]) -> [Violation] {
            var judge = RecordEvaluator(rules, interest)
            return judge.judge(RecordChunk(record: record)).violations
        }
    }

    static func validator() async throws -> Validator {
        let model = try await model()
        return Validator(EventDescription.all(of: model))
    }

    /// Returns a record of an event with changed members. A member whose change is nil is left out.
    static func record(
        _ event: String = "one_of_each", _ changes: KeyValuePairs<String, String?> = [:], category: String = "probe"
    ) -> String {
        var members: [(String, String?)] = [
            ("event_id", #""01890a5d-ac96-774b-bcce-b302099a8057""#), ("event_category", #""\#(category)""#),
            ("event_name", #""\#(event)""#),
            ("schema_version", event == "grown" ? #""2-0-0""# : #""1-0-0""#),
            ("occurred_at", #""2026-04-01T12:34:56.789Z""#), ("user_id", "7"),
        ]
        for (name, value) in changes {
            if let index = members.firstIndex(where: { $0.0 == name }) {
                members[index].1 = value
            } else {
                members.append((name, value))
            }
        }
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",")
            + "}"
    }
}
