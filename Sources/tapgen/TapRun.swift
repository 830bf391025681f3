import LogDefinitions
import LogEmission
import LogSession
import MarkdownSyntax
import TapScanning

/// One run over definitions and sources: which button posts which event.
struct TapRun {
    let session: Session
    let sources: SwiftSources
    let screens: TapScreens
    /// What a button's tap posts, by screen and button.
    private(set) var events: [Place: (category: Int, event: Int)] = [:]
    private(set) var report: Report

    struct Place: Hashable {
        var screen: Int
        var button: Int
    }

    /// - Parameter isWhole: whether a trigger's type has to be in these sources; a target among others has some of them.
    init(_ session: Session, _ sources: SwiftSources, isWhole: Bool) {
        self.session = session
        self.sources = sources
        screens = TapScreens(sources.facts, buttonTypes: session.configuration.taps.buttons)
        report = session.report
        var problems: [Diagnostic] = []
        let offset = session.analysis.definitions.files.count
        func place(_ place: TapScreens.Place) -> LogDefinitions.Place {
            LogDefinitions.Place(file: offset + place.file, range: place.offset..<place.offset + 1)
        }
        for (category, declared) in session.analysis.definitions.categories.enumerated() {
            for (event, definition) in declared.events.enumerated() where definition.status != .retired {
                guard case .tap(let target)? = definition.trigger else { continue }
                let here = definition.details[.trigger]?.place ?? definition.place
                switch screens.find(target) {
                case .button(let screen, let button):
                    let found = Place(screen: screen, button: button)
                    if let known = events[found] {
                        let other = session.analysis.definitions.categories[known.category]
                        problems.append(
                            Diagnostic(
                                .tapTarget, "two events are posted by the tap of `\(target)`", at: here,
                                notes: [
                                    .note(
                                        "the other is `\(other.name).\(other.events[known.event].name)`",
                                        at: other.events[known.event].details[.trigger]?.place),
                                    .help("give one of them another trigger, and post it by hand"),
                                ]))
                    } else {
                        events[found] = (category, event)
                    }
                case .noType(let similar):
                    guard isWhole else { continue }
                    let type = target.split(separator: ".").dropLast().joined(separator: ".")
                    let member = target.split(separator: ".").last ?? ""
                    problems.append(
                        Diagnostic(
                            .tapTarget, "the sources have no class `\(type)`", at: here,
                            notes: [
                                .help(
                                    similar.map { "did you mean `tap(\($0).\(member))`?" }
                                        ?? "name a class of the sources that conforms to `TapTrackable`")
                            ]))
                case .ambiguous(let candidates):
                    let member = target.split(separator: ".").last ?? ""
                    problems.append(
                        Diagnostic(
                            .tapTarget, "`\(target)` may be one of several types'", at: here,
                            notes: candidates.map { .note("`\($0.path)` is declared here", at: place($0.place)) }
                                + [.help("write the full name: " + candidates.map { "`tap(\($0.path).\(member))`" }.joined(separator: " or "))]))
                case .notTracked(let path, let declared):
                    problems.append(
                        Diagnostic(
                            .tapTarget, "`\(path)` does not conform to `TapTrackable`, so its taps are not tracked", at: here,
                            notes: [
                                .note("it is declared here", at: place(declared)), .help("add `extension \(path): TapTrackable {}` to the sources"),
                            ]))
                case .noMember(let path, let declared, let similar):
                    problems.append(
                        Diagnostic(
                            .tapTarget, "`\(path)` has no button `\(target.split(separator: ".").last ?? "")`", at: here,
                            notes: [
                                .note("it is declared here", at: place(declared)),
                                .help(
                                    similar.map { "did you mean `tap(\(path).\($0))`?" }
                                        ?? "a button is a stored property whose type is `UIButton`, or one that `taps: {buttons: […]}` of loggen.yml names"
                                ),
                            ]))
                case .notAButton(let path, let reason, let declared):
                    problems.append(
                        Diagnostic(
                            .tapTarget, "`\(target.split(separator: ".").last ?? "")` of `\(path)` is no button: \(reason)", at: here,
                            notes: [
                                .note("it is declared here", at: place(declared)),
                                .help(
                                    "a button is a stored property whose type is `UIButton`, or one that `taps: {buttons: […]}` of loggen.yml names"),
                            ]))
                case .inherited(let ancestor):
                    let member = target.split(separator: ".").last ?? ""
                    problems.append(
                        Diagnostic(
                            .tapTarget,
                            "`\(member)` belongs to `\(ancestor)`, which `\(target.split(separator: ".").dropLast().joined(separator: "."))` inherits from",
                            at: here, notes: [.help("write `tap(\(ancestor).\(member))`")]))
                }
            }
        }
        for (file, facts) in sources.facts.enumerated() {
            for error in facts.syntaxErrors {
                problems.append(Diagnostic(.swiftSyntax, error.message, at: place(TapScreens.Place(file: file, offset: error.offset))))
            }
        }
        for (number, screen) in screens.screens.enumerated() {
            if let reason = Self.obstacle(to: screen) {
                problems.append(
                    Diagnostic(
                        .tapUnreachable, "the taps of `\(screen.path)` are not tracked: \(reason)", at: place(screen.place),
                        notes: [.help("let another file name it: leave `private` out, or conform without conditions")]))
                continue
            }
            for (index, button) in screen.buttons.enumerated() {
                let name = "\(screen.path).\(TapScreens.bare(button.name))"
                // A build is not to say it each time; the screen says it where it comes true.
                if isWhole, button.isPrivate, button.isLazy {
                    problems.append(
                        Diagnostic(
                            .tapUnreachable, "`\(name)` is private and lazy: it is found only if it has been made when its screen appears",
                            at: place(button.place), notes: [.help("leave `private` out, or make it in `viewDidLoad()`")]))
                }
                if isWhole, events[Place(screen: number, button: index)] == nil {
                    problems.append(
                        Diagnostic(
                            .tapUndefined, "no event is posted by the tap of `\(name)`", at: place(button.place),
                            notes: [.help("define one with `| trigger | tap(\(name)) |`, or leave the button out with `// loggen:ignore`")]))
                }
            }
        }
        let severities = session.configuration.analysis.severities
        let adjusted = problems.compactMap { problem -> Diagnostic? in
            guard let override = severities[problem.rule] else { return problem }
            guard let severity = override else { return nil }
            var changed = problem
            changed.severity = severity
            return changed
        }
        report = Report(
            files: session.analysis.definitions.files + sources.files,
            diagnostics: (session.analysis.diagnostics + adjusted).sorted(by: isInSourceOrder))
        if let source = session.configuration.source { report.add(files: [source], diagnostics: session.configuration.diagnostics) }
    }

    /// Why generated code cannot register a screen.
    static func obstacle(to screen: TapScreens.Screen) -> String? {
        if !screen.isVisible { return "it is private, or in a private type" }
        return screen.isConditional ? "it conforms under conditions" : nil
    }

    /// What is to be generated.
    func registration(importing imports: [String]) -> TapRegistration {
        let screens = screens.screens.enumerated().filter { Self.obstacle(to: $0.element) == nil }.map { number, screen in
            TapRegistration.Screen(
                path: screen.path, condition: condition(anyOf: screen.conditions),
                buttons: screen.buttons.enumerated().map { index, button in
                    TapRegistration.Button(
                        name: button.name, isArray: button.isArray, reflectedAt: button.isPrivate ? place(of: button) : nil,
                        condition: button.conditions.isEmpty ? nil : button.conditions.joined(separator: " && "),
                        event: events[Place(screen: number, button: index)])
                })
        }
        return TapRegistration(
            of: session.analysis.definitions, screens: screens, imports: imports, postsUndefined: session.configuration.taps.undefined == .tap)
    }

    /// `Recipe.swift:12`: without folders, which differ from machine to machine.
    private func place(of button: TapScreens.Button) -> String {
        let file = sources.files[button.place.file]
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        return "\(name):\(file.source.position(at: button.place.offset).line)"
    }

    private func condition(anyOf conditions: [[String]]) -> String? {
        guard !conditions.contains(where: \.isEmpty) else { return nil }
        let parts = conditions.map { $0.joined(separator: " && ") }
        return parts.count == 1 ? parts[0] : parts.map { "(\($0))" }.joined(separator: " || ")
    }
}

private func isInSourceOrder(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
    (left.place.file, left.place.range.lowerBound, left.message) < (right.place.file, right.place.range.lowerBound, right.message)
}

extension Session {
    /// The sources of a run: those of the command line, or of `loggen.yml`.
    func sources(_ options: SourceOptions) throws(FileProblem) -> [String] {
        let paths = options.sources.isEmpty ? configuration.sources : options.sources
        guard !paths.isEmpty else {
            throw FileProblem("there are no sources to read: name them with `--sources`, or as `sources:` in \(Configuration.fileName)")
        }
        return paths
    }
}
