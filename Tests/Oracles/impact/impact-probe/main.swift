internal import Foundation
internal import LogImpact

// Reads JSON lines and writes JSON lines: `{"sql": …}` gives the statements of the input. The first argument is a file
// with the catalog: `{"tables": [{"name": …, "columns": […]}]}`. `--bench FOLDER` measures files instead.

struct CatalogFile: Decodable {
    struct Table: Decodable {
        var name: String
        var columns: [String]
    }
    var tables: [Table]
}

struct Request: Decodable {
    var sql: String
    var model: String?
    var kind: String?
}

func json(_ place: SourcePlace) -> [Int] { [place.line, place.column] }

func json(_ certainty: Certainty) -> String {
    switch certainty {
    case .reads: "reads"
    case .mayRead(let reason): reason.rawValue
    }
}

func json(_ source: ColumnSource) -> [Any] { [source.table as Any? ?? NSNull(), source.column as Any? ?? NSNull()] }

func json(_ statement: StatementReads) -> [String: Any] {
    var result: [String: Any] = ["place": json(statement.place)]
    if let target = statement.target { result["target"] = target }
    result["unknown"] = statement.unknownRelations
    result["uses"] = statement.uses.map { use -> [String: Any] in
        [
            "table": use.table as Any? ?? NSNull(), "place": json(use.place),
            "filters": use.filters.map { ["column": $0.column, "values": $0.values] as [String: Any] },
        ]
    }
    result["reads"] = statement.reads.map { read -> [String: Any] in
        [
            "use": read.use, "table": read.table as Any? ?? NSNull(), "column": read.column as Any? ?? NSNull(),
            "path": read.path, "certainty": json(read.certainty), "places": read.places.map(json),
        ]
    }
    result["outputs"] = statement.outputs.map { output -> [String: Any] in
        ["name": output.name as Any? ?? NSNull(), "sources": output.sources.map(json)]
    }
    result["others"] = statement.otherOutputSources.map(json)
    return result
}

func seconds(_ body: () -> Void) -> Double {
    // Processor time: other processes share the machine.
    let start = clock()
    body()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
}

func peakMegabytes() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1024
    }
    return 0
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let data = FileManager.default.contents(atPath: arguments[1]),
    let file = try? JSONDecoder().decode(CatalogFile.self, from: data)
else {
    print("usage: impact-probe catalog.json [--bench file…]")
    exit(2)
}
let catalog = Catalog(tables: file.tables.map { Catalog.Table(name: $0.name, columns: $0.columns) })
let reader = SQLReader(catalog)
if arguments.count > 3, arguments[2] == "--bench" {
    for path in arguments.dropFirst(3) {
        let bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
        var statements = 0
        var reads = 0
        let time = seconds {
            let kind = ConsumerKind(fileExtension: String(path.split(separator: ".").last ?? "")) ?? .sql
            let result = reader.statements(in: bytes, kind: kind)
            statements = result.count
            reads = result.reduce(0) { $0 + $1.reads.count }
        }
        print(path.split(separator: "/").last ?? "", bytes.count, statements, reads, time, peakMegabytes())
    }
} else if arguments.count > 3, arguments[2] == "--bench-lines" {
    // Each line of the file is a JSON string with one SQL file.
    let bytes = FileManager.default.contents(atPath: arguments[3]) ?? Data()
    let lines = bytes.split(separator: 0x0A)
    var reads = 0
    var total = 0
    let time = seconds {
        for line in lines {
            total += line.count
            reads += reader.statements(in: Array(line)).reduce(0) { $0 + $1.reads.count }
        }
    }
    print(lines.count, total, reads, time, peakMegabytes())
} else {
    while let line = readLine() {
        guard let request = try? JSONDecoder().decode(Request.self, from: Data(line.utf8)) else { continue }
        let kind = ConsumerKind(rawValue: request.kind ?? "sql") ?? .sql
        let statements = reader.statements(in: Array(request.sql.utf8), kind: kind, model: request.model)
        let output: [String: Any] = ["statements": statements.map(json)]
        if let data = try? JSONSerialization.data(withJSONObject: output, options: [.sortedKeys]) {
            FileHandle.standardOutput.write(data + Data([0x0A]))
        }
    }
}
