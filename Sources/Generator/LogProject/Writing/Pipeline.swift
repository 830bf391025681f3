import LogDefinitions
import LogOutputs

// The stages from definition files to generated files. Each stage has a type and depends only on earlier stages.
//
//     SourceText          the bytes of a definition file     Sources.read
//     MarkdownDocument    its blocks, tables and positions   MarkdownSyntax
//     Definitions         the contents of all these files    Analysis.run
//     Model               with versions from the lock        Session.start
//     OutputRequest       an output and its folder           OutputSelection
//     OutputPlan          every file, made on request        here
//     OutputSurvey        the differences from the disk      check reports them,
//     OutputWriter        all files are staged and renamed   generate writes them

extension [Session] {
    /// Returns the plans for the requested outputs, and all problems. The plans are nil if a problem prevents one.
    package func plans(_ options: OutputOptions, terminal: Terminal) async throws(FileError) -> (
        plans: [OutputSurvey.Plan]?, report: Report
    ) {
        var report = Report()
        var plans: [OutputSurvey.Plan] = []
        for session in self {
            var own = session.report
            if let plan = try await session.plan(options, report: &own, terminal: terminal) { plans.append(plan) }
            report.add(own)
        }
        return (plans.count == count ? plans : nil, report)
    }
}

extension Session {
    /// Returns the plan; nil if problems prevent it. The problems are added to the report.
    fileprivate func plan(_ options: OutputOptions, report: inout Report, terminal: Terminal) async throws(FileError)
        -> OutputSurvey.Plan?
    {
        let registry = try UserTemplates.read(options.templates ?? configuration.templates).added(
            to: self.options.registry, report: &report)
        let selection = try OutputSelection(from: registry, configuration, options, root: root, report: &report)
        try selection.checkFolders(self, options, &report)
        guard report.errors == 0 else { return nil }
        let asked = selection.asked
        for problems in await inParallel(sizes: asked.map { _ in 1 << 20 }, { problems(of: asked[$0]) }) {
            report.add(problems)
        }
        if var lock, report.errors == 0, selection.asked.contains(where: \.output.readsHistory) {
            await lock.checkHistory()
            report.add(files: [lock.file], diagnostics: lock.diagnostics)
        }
        guard report.errors == 0 else { return nil }

        let output = await OutputPlan(
            of: model, outputs: asked, given: isWhole ? nil : given, isSound: !hasErrorsElsewhere)
        if !self.options.isQuiet {
            for file in output.leftOut {
                terminal.error("note: \(file) is not changed: other files of `\(root)` have errors\n")
            }
        }

        return OutputSurvey.Plan(output: output, root: root, manifests: try selection.manifests(of: self, options))
    }

    /// The errors of custom templates, and the reasons for which the outputs of `loggen.yml` cannot express the
    /// definitions, for commands that generate none. Empty if the definitions or `loggen.yml` have errors, or if custom
    /// templates are unreadable.
    package func problemsOfOutputs() async -> Report {
        var (report, others) = (Report(), Report())
        var configuration = configuration
        guard self.report.errors == 0,
            let registry = (try? UserTemplates.read(configuration.templates))?.added(
                to: options.registry, report: &report)
        else { return report }
        configuration.outputs = configuration.outputs?.filter { registry.output(named: $0.name) != nil } ?? []
        guard
            let selection = try? OutputSelection(
                from: registry, configuration, OutputOptions(), root: root, report: &others)
        else { return report }
        // `report(ofAllOutputs:)` has the missing settings.
        let asked = selection.asked.filter { $0.output.missing(in: $0.settings).diagnostics.isEmpty }
        for problems in await inParallel(sizes: asked.map { _ in 1 << 20 }, { problems(of: asked[$0]) }) {
            report.add(problems)
        }
        return report
    }

    private func problems(of request: OutputRequest) -> Report {
        let missing = request.output.missing(in: request.settings)
        guard missing.diagnostics.isEmpty else { return Report(files: missing.files, diagnostics: missing.diagnostics) }
        var problems = request.output.problems(of: model, settings: request.settings)
        let documents = analysis.definitions.files.count
        if !isWhole {
            problems.diagnostics.removeAll { problem in
                problem.place.file < documents && !given.contains(problem.place.file)
                    && !problem.notes.contains { $0.place.map { given.contains($0.file) } ?? false }
            }
        }
        return Report(files: problems.files, diagnostics: configuration.analysis.adjusted(problems.diagnostics))
    }
}
