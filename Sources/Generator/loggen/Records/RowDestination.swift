import LogProject
import LogValidation

/// The place of the rows of tables.
enum RowDestination {
    case folder(TableFolder)
    case standardOutput

    init(_ routing: RecordRouting, split: String?, isForced: Bool) throws(FileProblem) {
        switch routing {
        case .split(let tables): self = .folder(try TableFolder(split ?? "", tables.names, isForced: isForced))
        case .stream: self = .standardOutput
        }
    }

    /// - Parameter rows: as a `ChunkReport` has them.
    func write(_ rows: [[UInt8]], _ terminal: Terminal) throws(FileProblem) {
        switch self {
        case .folder(let folder): try folder.write(rows)
        case .standardOutput:
            guard let lines = rows.first, !lines.isEmpty else { return }
            try terminal.out(lines)
            // A reader that has ended has not taken them.
            if terminal.isOutputAbandoned { throw FileProblem("write to", "standard output", EPIPE) }
        }
    }
}
