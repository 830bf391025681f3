import Dispatch
import Foundation
import LibFuzzer
import LogCatalogue
import LogDefinitions
import LogOutputs
import LogReporting
import LogWarehouse
import MarkdownSyntax

/// A fuzzer of all stages from the bytes of a definition file to reports and outputs.
@main
struct DefinitionFuzzer {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { data, size in
                let input = Array(UnsafeBufferPointer(start: data, count: size))
                // libFuzzer calls on its own thread. The checks use Swift's threads, as loggen does.
                let done = DispatchSemaphore(value: 0)
                Task.detached {
                    await DefinitionChecks.run(FuzzInput.files(input))
                    done.signal()
                }
                done.wait()
                return 0
            })
    }
}

/// Splits bytes into files. A line `--- NAME.md` begins a file, as in `LogOutputsTests/Cases/diagnostics.txt`. The
/// bytes before the first such line are `search.md`. At most four files result: further lines of this form belong to
/// the last file.
enum FuzzInput {
    static func files(_ input: [UInt8]) -> [SourceFile] {
        var files: [(name: String, text: ArraySlice<UInt8>)] = [("search.md", input[...])]
        var line = 0
        while line < input.count, files.count < 4 {
            let end = input[line...].firstIndex(of: 0x0A) ?? input.count
            if let name = fileName(input[line..<end]) {
                files[files.count - 1].text = files[files.count - 1].text.prefix(upTo: line)
                files.append((name, input.suffix(from: min(end + 1, input.count))))
            }
            line = end + 1
        }
        if files.count > 1, files[0].text.isEmpty { files.removeFirst() }
        return files.enumerated().map { number, file in
            // Each file has its own folder, so names may repeat.
            SourceFile(
                path: "Logs/\(number)/\(file.name)", relativePath: "\(number)/\(file.name)",
                source: SourceText(Array(file.text)))
        }
    }

    private static func fileName(_ line: ArraySlice<UInt8>) -> String? {
        guard line.starts(with: Array("--- ".utf8)), line.suffix(3).elementsEqual(".md".utf8), line.count > 7 else {
            return nil
        }
        let name = line.dropFirst(4)
        guard name.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x5F || $0 == 0x2E }) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}

/// Checks that hold for every input. A failed check ends the process, which libFuzzer reports.
enum DefinitionChecks {
    static func run(_ files: [SourceFile]) async {
        var options = AnalysisOptions()
        options.today = "2026-11-21"
        let analysis = await Analysis.run(files, options: options)
        checkReports(of: analysis)
        let dump = ModelDump.json(of: Model(analysis.definitions))
        checkJSON(dump, "the dump")
        if !analysis.hasErrors { await checkOutputs(of: analysis.definitions) }
        await checkFormatting(of: analysis, options)
    }

    private static func checkReports(of analysis: Analysis) {
        let files = analysis.definitions.files
        for diagnostic in analysis.diagnostics {
            for place in [diagnostic.place] + diagnostic.notes.compactMap(\.place) {
                require(files.indices.contains(place.file), "a place is in one of the files")
                require(place.range.upperBound <= files[place.file].source.bytes.count, "a place is inside its file")
            }
        }
        let text = DiagnosticText(files: files, usesColor: false)
        for diagnostic in analysis.diagnostics {
            let shown = text.render(diagnostic)
            require(!shown.utf8.contains { $0 < 0x20 && $0 != 0x0A }, "no control character reaches the terminal")
        }
        let reports = DiagnosticReports(files: files)
        for line in reports.json(analysis.diagnostics).split(separator: 0x0A) {
            checkJSON(Array(line), "a diagnostic as JSON")
        }
        checkJSON(reports.sarif(analysis.diagnostics), "the SARIF report")
        let commands = reports.github(analysis.diagnostics)
        require(commands.count { $0 == 0x0A } == analysis.diagnostics.count, "a workflow command is one line")
    }

    private static let outputs: [OutputRequest] = {
        let registry = OutputRegistry(
            OutputRegistry.basic.filter { !$0.isElsewhere } + [
                OutputRegistry.catalogue, OutputRegistry.sql, OutputRegistry.dbt,
            ])
        return registry.names.compactMap { registry.output(named: $0) }.map { OutputRequest($0, folder: $0.folderName) }
    }()

    private static func checkOutputs(of definitions: Definitions) async {
        // An output that rejects the definitions makes no files.
        let outputs = outputs.filter {
            $0.output.problems(of: Model(definitions), settings: OutputSettings()).diagnostics.isEmpty
        }
        let files = await OutputPlan(of: Model(definitions), outputs: outputs).files.compactMap { $0.make() }
        require(Set(files.map(\.path)).count == files.count, "every output has a path of its own")
        for file in files {
            require(file.bytes.last == 0x0A, "an output ends with a newline")
            if file.path.hasSuffix(".json") { checkJSON(file.bytes, "a schema") }
        }
    }

    /// Checks that formatting preserves the meaning and the presence of errors, and that formatting twice changes
    /// nothing more.
    private static func checkFormatting(of analysis: Analysis, _ options: AnalysisOptions) async {
        let changed = await DefinitionFormatter.format(analysis)
        guard !changed.isEmpty else { return }
        var files = analysis.definitions.files
        for new in changed {
            let source = SourceText(new.bytes)
            let index = files.firstIndex(where: { $0.path == new.path })
            require(index != nil, "a formatted file is one of the run's")
            if let index {
                files[index] = SourceFile(path: new.path, relativePath: files[index].relativePath, source: source)
            }
        }
        // The order of files does not matter.
        let again = await Analysis.run(files.reversed(), options: options)
        require(again.hasErrors == analysis.hasErrors, "formatting neither makes nor hides errors")
        require(meaning(of: again.definitions) == meaning(of: analysis.definitions), "formatting keeps the meaning")
        require(await DefinitionFormatter.format(again).isEmpty, "formatting twice changes nothing more")
    }

    /// Returns the dump without the parts that formatting may change: source locations, the layout of tables in notes,
    /// and the types that `types.md` declares and only lists named before.
    private static func meaning(of definitions: Definitions) -> [ArraySlice<UInt8>] {
        var definitions = definitions
        definitions.types = []
        for category in definitions.categories.indices {
            definitions.categories[category].notes = ""
            for event in definitions.categories[category].events.indices {
                definitions.categories[category].events[event].notes = ""
            }
        }
        return ModelDump.json(of: Model(definitions)).split(separator: 0x0A).filter { line in
            !line.drop { $0 == 0x20 }.starts(with: Array("\"at\": {".utf8))
        }
    }

    private static func checkJSON(_ bytes: [UInt8], _ name: String) {
        require((try? JSONSerialization.jsonObject(with: Data(bytes))) != nil, "\(name) is JSON")
    }

    private static func require(_ isTrue: Bool, _ claim: String) {
        guard !isTrue else { return }
        FileHandle.standardError.write(Data("broken claim: \(claim)\n".utf8))
        abort()
    }
}
