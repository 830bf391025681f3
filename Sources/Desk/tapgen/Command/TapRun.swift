import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

/// One run over definitions and sources, which finds the button of each event.
struct TapRun {
    let session: Session
    /// The definitions that apply to iOS.
    let definitions: Definitions
    let sources: SwiftSources
    let screens: TapScreens
    /// The event that each button's tap posts.
    private(set) var events: [Place: (category: Int, event: Int)] = [:]
    private(set) var report: Report

    struct Place: Hashable {
        var screen: Int
        var button: Int
    }

    /// - Parameter isWhole: true if these are all sources of the app, so that each trigger's type must be among them. A
    ///   single target has only some of them.
    init(_ session: Session, _ sources: SwiftSources, isWhole: Bool) {
        self.session = session
        definitions = session.analysis.definitions.only(on: .ios)
        self.sources = sources
        screens = TapScreens(
            sources.facts, buttonTypes: session.configuration.taps.buttons,
            screenTypes: session.configuration.taps.screens)
        report = Report()
        var problems = bindTriggers(isWhole: isWhole)
        for (file, facts) in sources.facts.enumerated() {
            problems += facts.syntaxErrors.map {
                Diagnostic(.swiftSyntax, $0.message, at: place(TapScreens.Place(file: file, offset: $0.offset)))
            }
        }
        problems += screens.screens.indices.flatMap { self.problems(ofScreen: $0, isWhole: isWhole) }
        report = Report(
            files: session.analysis.definitions.files + sources.files,
            diagnostics: (session.analysis.diagnostics + session.configuration.analysis.adjusted(problems)).sorted(
                by: Diagnostic.isInSourceOrder))
        if let source = session.configuration.source {
            report.add(files: [source], diagnostics: session.configuration.diagnostics)
        }
    }

    /// Returns a place in the report's file numbering, which begins with the definitions.
    private func place(_ place: TapScreens.Place) -> LogDefinitions.Place {
        let rest = sources.files[place.file].source.bytes.dropFirst(place.offset + 1)
        let end = rest.firstIndex { $0 & 0xC0 != 0x80 } ?? rest.endIndex
        return LogDefinitions.Place(
            file: session.analysis.definitions.files.count + place.file,
            range: place.offset..<max(place.offset + 1, end))
    }

    // MARK: Triggers

    private mutating func bindTriggers(isWhole: Bool) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for (category, declared) in definitions.categories.enumerated() {
            for (event, definition) in declared.events.enumerated() where definition.status != .retired {
                guard case .tap(let target)? = definition.trigger else { continue }
                let found = screens.find(target)
                if case .noType = found, !isWhole { continue }
                var problem = problem(of: found, target)
                if case .buttons(let screen, let buttons) = found, problem == nil {
                    let places = buttons.map { Place(screen: screen, button: $0) }
                    let other = places.compactMap { events[$0] }.first
                    if let known = other, !isDeprecated(known) {
                        // Another event of the button is not deprecated. If this event is deprecated, the other one is
                        // used. Otherwise, two events for one button are a mistake.
                        problem = definition.status == .deprecated ? nil : twoEvents(target, known)
                    } else {
                        for place in places { events[place] = (category, event) }
                    }
                }
                if let (message, notes) = problem {
                    problems.append(
                        Diagnostic(
                            .tapTarget, message, at: definition.details.trigger?.place ?? definition.place, notes: notes
                        ))
                }
            }
        }
        return problems
    }

    private typealias Problem = (message: String, notes: [Diagnostic.Note])

    private func isDeprecated(_ event: (category: Int, event: Int)) -> Bool {
        definitions.categories[event.category].events[event.event].status == .deprecated
    }

    private func twoEvents(_ target: String, _ other: (category: Int, event: Int)) -> Problem {
        let category = definitions.categories[other.category]
        let event = category.events[other.event]
        return (
            "two events are posted by the tap of `\(target)`",
            [
                .note("the other is `\(category.name).\(event.name)`", at: event.details.trigger?.place),
                .help(
                    "let the trigger of one event name another button, or remove the trigger and post that event in code"
                ),
            ]
        )
    }

    private func problem(of found: TapScreens.Target, _ target: String) -> Problem? {
        let type = target.split(separator: ".").dropLast().joined(separator: ".")
        let member = target.split(separator: ".").last.map(String.init) ?? ""
        let buttons =
            "a button is a stored property of type `UIButton`, or of a type in `taps: {buttons: […]}` of loggen.yml"
        func declared(_ place: TapScreens.Place, _ help: String) -> [Diagnostic.Note] {
            [.note("it is declared here", at: self.place(place)), .help(help)]
        }
        switch found {
        case .buttons(let screen, _):
            return Self.obstacle(to: screens.screens[screen]).map { obstacle in
                (
                    "the taps of `\(type)` are not tracked: \(obstacle.reason)",
                    declared(screens.screens[screen].place, obstacle.help)
                )
            }
        case .noType(let similar):
            let help =
                similar.map { "did you mean `tap(\($0).\(member))`?" }
                ?? "name a class of the sources that conforms to `TapTrackable`"
            return ("the class `\(type)` is not in the sources", [.help(help)])
        case .ambiguous(let candidates):
            return (
                "`\(target)` is ambiguous",
                candidates.map { .note("`\($0.path)` is declared here", at: place($0.place)) }
                    + [
                        .help(
                            "write the full name: "
                                + candidates.map { "`tap(\($0.path).\(member))`" }.joined(separator: " or "))
                    ]
            )
        case .notTracked(let path, let place, let superclass):
            return (
                "`\(path)` does not conform to `TapTrackable`, so its taps are not tracked",
                declared(
                    place,
                    superclass.map {
                        "if `\($0)` of another module conforms, list it in loggen.yml: `taps: {screens: [\($0)]}`"
                    }
                        ?? "add `extension \(path): TapTrackable {}` to the sources")
            )
        case .noMember(let path, let place, let similar):
            return (
                "`\(path)` has no button `\(member)`",
                declared(place, similar.map { "did you mean `tap(\(path).\($0))`?" } ?? buttons)
            )
        case .notAButton(let path, let reason, let place):
            return ("`\(member)` of `\(path)` is not a button: \(reason)", declared(place, buttons))
        case .inherited(let ancestor):
            return (
                "`\(member)` belongs to `\(ancestor)`, which `\(type)` inherits from",
                [.help("write `tap(\(ancestor).\(member))`")]
            )
        }
    }

    // MARK: Buttons

    private func problems(ofScreen number: Int, isWhole: Bool) -> [Diagnostic] {
        let screen = screens.screens[number]
        if let obstacle = Self.obstacle(to: screen) {
            return [
                Diagnostic(
                    .tapUnreachable, "the taps of `\(screen.path)` are not tracked: \(obstacle.reason)",
                    at: place(screen.place), notes: [.help(obstacle.help)])
            ]
        }
        // A build scans only one target, so these problems are not reported there: other sources may contain the
        // missing parts. At run time, a message reports each button that reflection cannot find.
        guard isWhole else { return [] }
        let hidden = screen.privateTapEvents.map {
            Diagnostic(
                .tapUnreachable, "`tapEvents` of `\(screen.path)` is private, so generated code cannot use it",
                at: place($0),
                notes: [.help("remove `private`")])
        }
        return (hidden.map { [$0] } ?? [])
            + screen.buttons.enumerated().flatMap { index, button in
                let name = "\(screen.path).\(TapScreens.bare(button.name))"
                var problems: [Diagnostic] = []
                if button.isPrivate, button.isLazy {
                    problems.append(
                        Diagnostic(
                            .tapUnreachable,
                            "`\(name)` is private and lazy: it is found only if it exists when its screen appears",
                            at: place(button.place),
                            notes: [.help("remove `private`, or create it in `viewDidLoad()`")]))
                }
                if events[Place(screen: number, button: index)] == nil {
                    problems.append(
                        Diagnostic(
                            .tapUndefined, "no event is posted by the tap of `\(name)`", at: place(button.place),
                            notes: [
                                .help(
                                    "define one with `| trigger | tap(\(name)) |`, or exclude the button with "
                                        + "`// loggen:ignore`"
                                )
                            ]))
                }
                return problems
            }
    }

    /// Returns the reason why generated code cannot register a screen, and the fix; nil if it can.
    static func obstacle(to screen: TapScreens.Screen) -> (reason: String, help: String)? {
        if !screen.isVisible {
            return (
                "it is private, or in a private type", "make it visible to other files: remove `private` there"
            )
        }
        guard screen.isConditional else { return nil }
        return ("it conforms only under conditions", "declare the conformance to `TapTrackable` without conditions")
    }

    func registration(importing imports: [String]) -> TapRegistration {
        let screens = screens.screens.enumerated().filter { Self.obstacle(to: $0.element) == nil }.map {
            number, screen in
            TapRegistration.Screen(
                path: screen.path,
                condition: [condition(anyOf: screen.conditions), condition(anyOf: screen.conformances)].compactMap {
                    $0
                }.joined(and: " && "),
                availability: screen.availability,
                buttons: screen.buttons.enumerated().map { index, button in
                    TapRegistration.Button(
                        name: button.name, isArray: button.isArray,
                        reflectedAt: button.isPrivate ? place(of: button) : nil,
                        condition: button.conditions.isEmpty ? nil : button.conditions.joined(separator: " && "),
                        event: events[Place(screen: number, button: index)])
                })
        }
        return TapRegistration(
            of: definitions, screens: screens, imports: imports,
            postsUndefined: session.configuration.taps.undefined == .tap)
    }

    /// Returns the place of a button, without the folder, which differs between machines.
    private func place(of button: TapScreens.Button) -> String {
        let file = sources.files[button.place.file]
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        return "\(name):\(file.source.position(at: button.place.offset).line)"
    }

    private func condition(anyOf conditions: [[String]]) -> String? {
        guard !conditions.isEmpty, !conditions.contains(where: \.isEmpty) else { return nil }
        let parts = conditions.map { $0.joined(separator: " && ") }
        return parts.count == 1 ? parts[0] : "(" + parts.map { "(\($0))" }.joined(separator: " || ") + ")"
    }
}

extension [String] {
    fileprivate func joined(and separator: String) -> String? { isEmpty ? nil : joined(separator: separator) }
}

extension Session {
    /// Returns the sources given on the command line, or else those of `loggen.yml`.
    func sources(_ options: SourceOptions) throws(FileError) -> [String] {
        let paths = options.sources.isEmpty ? configuration.sources : options.sources
        guard !paths.isEmpty else {
            throw FileError(
                "no sources: name them with `--sources`, or as `sources:` in \(Configuration.fileName)"
            )
        }
        return paths
    }
}
