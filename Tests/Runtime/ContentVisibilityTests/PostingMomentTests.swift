@_spi(GeneratedCode) import ActivityTracking
import ActivityTrackingTesting
import ContentVisibility
import Testing

/// A category with an event for each trigger that a definition file may contain.
enum Triggered: LogCategory {
    case whole, half, plain, show, screen, tap, none
    case leave(seconds: Double)

    static let definition = LogDefinition(
        """
        triggered|||feed/triggered.md
        .whole|1-0-0|active|impression(80%25, 2s)
        .half|1-0-0|active|impression(50%25)
        .plain|1-0-0|active|impression
        .show|1-0-0|active|show
        .screen|1-0-0|active|screen
        .tap|1-0-0|active|tap(Screen.button)
        .none|1-0-0|active|
        .leave|1-0-0|active|leave(60%25)
        seconds|double
        """)

    func encode(into encoder: LogEncoder) {
        switch self {
        case .whole: encoder.event(0)
        case .half: encoder.event(1)
        case .plain: encoder.event(2)
        case .show: encoder.event(3)
        case .screen: encoder.event(4)
        case .tap: encoder.event(5)
        case .none: encoder.event(6)
        case .leave(let seconds): encoder.event(7).double(seconds)
        }
    }
}

struct PostingMomentTests {
    private static let outer = ImpressionRule(visibleFraction: 0.3, dwell: 7, once: .session)

    private static func decide(_ event: Triggered, rule: ImpressionRule? = nil) -> (
        moment: PostingMoment?, lost: [String], differs: [String]
    ) {
        var (lost, differs): ([String], [String]) = ([], [])
        let moment = PostingMoment(
            ofContent: TrackedEvent(event), rule: rule, under: outer, lost: { lost.append($0) },
            differs: { differs.append($0) })
        return (moment, lost, differs)
    }

    @Test(
        "The document decides, and the tracker's rule supplies the values that the document omits",
        arguments: [
            (Triggered.whole, PostingMoment.seen(ImpressionRule(visibleFraction: 0.8, dwell: 2, once: .session))),
            (.half, .seen(ImpressionRule(visibleFraction: 0.5, dwell: 7, once: .session))), (.plain, .seen(outer)),
            (.show, .shown),
        ])
    func document(event: Triggered, moment: PostingMoment) {
        let decided = Self.decide(event)
        #expect(decided.moment == moment && decided.lost.isEmpty && decided.differs.isEmpty)
    }

    @Test(
        "A trigger that no content can fulfil is reported with its place in the document and a fix",
        arguments: [
            (
                Triggered.screen, "feed/triggered.md: `triggered.screen` is due when a visit of its screen begins",
                "pass it to the screen's tracker"
            ),
            (
                .tap, "feed/triggered.md: `triggered.tap` is due when a button is tapped (`tap(Screen.button)`)",
                "LogButtonStyle"
            ),
            (.none, "feed/triggered.md: `triggered.none` has no trigger", "write `show`"),
        ])
    func lost(event: Triggered, reason: String, wayOut: String) throws {
        let decided = Self.decide(event)
        #expect(decided.moment == nil && decided.differs.isEmpty)
        let said = try #require(decided.lost.first)
        #expect(decided.lost.count == 1 && said.hasPrefix(reason) && said.contains(wayOut), "\(said)")
    }

    @Test("A rule in code wins, and the report names it only if it differs")
    func ownRule() {
        let rule = ImpressionRule(visibleFraction: 0.5, dwell: 7)
        for (event, differs) in [
            (Triggered.whole, true), (.half, false), (.plain, false), (.show, true), (.screen, true), (.tap, true),
            (.none, false),
        ] {
            let decided = Self.decide(event, rule: rule)
            #expect(decided.moment == .seen(rule) && decided.lost.isEmpty)
            #expect(decided.differs.count == (differs ? 1 : 0), "\(event): \(decided.differs)")
        }
        #expect(
            Self.decide(.whole, rule: rule).differs == [
                "feed/triggered.md: `triggered.whole` is due as `impression(80%, 2s)`, but the app's code asks for "
                    + "`impression(50%, 7s)`, which takes precedence: make them agree"
            ])
    }

    @Test("An event of a closure is due when its content is left, and another trigger is reported")
    func left() {
        for (event, fraction, differs) in [(Triggered.leave(seconds: 0), 0.6, 0), (.show, 0.3, 1), (.none, 0.3, 0)] {
            var reports: [String] = []
            let moment = PostingMoment(
                ofContent: TrackedEvent(event), isLeft: true, under: Self.outer, lost: { reports.append($0) },
                differs: { reports.append($0) })
            guard case .left(let rule)? = moment else { return #expect(Bool(false)) }
            #expect(rule.leave == fraction && rule.visibleFraction > 1 && reports.count == differs, "\(reports)")
        }
        #expect(Self.decide(.leave(seconds: 0)).lost.first?.contains("pass a closure") == true)
    }

    @Test("A visit begins with the events that are due then or that the document leaves to the app")
    func visit() {
        for event in [Triggered.whole, .half, .plain, .show, .screen, .tap, .none] {
            var lost: [String] = []
            let isDue = TrackedEvent(event).isDueWithVisit { lost.append($0) }
            #expect(isDue == [.screen, .none].contains(event) && lost.isEmpty == isDue)
        }
        TrackedEvent(Triggered.show).isDueWithVisit {
            #expect($0.hasPrefix("feed/triggered.md: `triggered.show` is due as `show`"))
        }
    }

    @Test(
        "Code that posts by itself is compared with the document",
        arguments: [
            (LogTrigger.show, [Triggered.show, .none]), (.tap(target: ""), [.tap, .none]), (.screen, [.screen, .none]),
            (.impression(visibleFraction: nil, dwell: nil), [.whole, .half, .plain, .none]),
        ])
    func compared(asked: LogTrigger, same: [Triggered]) {
        for event in [Triggered.whole, .half, .plain, .show, .screen, .tap, .none] {
            var differs: [String] = []
            TrackedEvent(event).compare(postedAs: asked) { differs.append($0) }
            #expect(differs.isEmpty == same.contains(event), "\(event): \(differs)")
        }
    }
}

@MainActor
struct ContentEventsTests {
    private let logs = RecordingDestination()
    private let logger: ActivityLogger
    private let events = ContentEvents<Int>()

    init() { logger = ActivityLogger(destinations: [logs]) }

    private var posted: [String] { logs.records.map(\.event) }

    @Test("Each event of a content is posted at its moment, without the events of other contents")
    func moments() {
        let rule = events.set([Triggered.show, Triggered.whole], of: 1)
        #expect(rule == ImpressionRule(visibleFraction: 0.8, dwell: 2))
        #expect(events.set([Triggered.show], of: 2) == nil)
        events.post(1, .shown, to: logger)
        #expect(posted == ["show"])
        events.post(1, .seen, to: logger)
        events.post(2, .seen, to: logger)
        events.post(3, .seen, to: logger)
        #expect(posted == ["show", "whole"])
        events.remove(1, isEngaged: false)
        events.post(1, .seen, to: logger)
        #expect(posted.count == 2)
    }

    @Test("A content that is left posts its event with its engagement, also after its view is gone")
    func left() {
        let rule = events.set([Triggered.show], left: { Triggered.leave(seconds: $0.seconds) }, of: 1)
        #expect(rule?.leave == 0.6)
        events.remove(1, isEngaged: true)
        events.post(1, .left(VisitEngagement(seconds: 2.5)), to: logger)
        events.post(1, .left(VisitEngagement(seconds: 3)), to: logger)
        #expect(posted == ["leave"] && logs.records.first?.json(of: "seconds") == "2.5")
    }

    @Test("The last values count, and a rule that no longer applies is dropped")
    func replaced() {
        _ = events.set([Triggered.whole], of: 1)
        #expect(events.set([Triggered.tap], of: 1) == nil)
        events.post(1, .shown, to: logger)
        events.post(1, .seen, to: logger)
        #expect(posted.isEmpty)
    }

    @Test("Two events with different rules for one id and a late event are reported")
    func misuse() {
        var misuses: [String] = []
        let rule = events.set(
            [Triggered.whole, Triggered.plain, Triggered.half], of: 1, under: ImpressionRule(dwell: 2)
        ) { misuses.append($0) }
        #expect(rule == ImpressionRule(dwell: 2) && misuses.count == 1)
        #expect(
            misuses.first?.hasPrefix("`triggered.half` and `triggered.whole` have different rules") == true,
            "\(misuses)")
        events.post(1, .seen, to: logger)
        #expect(posted == ["whole", "plain"])
        _ = events.set([Triggered.whole, Triggered.show], of: 1) { misuses.append($0) }
        #expect(misuses.last?.hasPrefix("`triggered.show` is added to a content with other events") == true)
    }
}
