import LogProject
import LogValidation

enum RowDestination {
    case folder(TableFolder)
    case standardOutput

    init(_ routing: RecordRouting, split: String?, isForced: Bool) throws(FileError) {
        switch routing {
        case .split(let tables): self = .folder(try TableFolder(split ?? "", tables.names, isForced: isForced))
        case .stream: self = .standardOutput
        }
    }

    /// - Parameter rows: the rows of a `ChunkReport`.
    func write(_ rows: [[UInt8]], _ terminal: Terminal) throws(FileError) {
        switch self {
        case .folder(let folder): try folder.write(rows)
        case .standardOutput:
            guard let lines = rows.first, !lines.isEmpty else { return }
            try terminal.out(lines)
            // If the reader of standard output has closed it, the rows are lost. The run then fails.
            if terminal.isOutputAbandoned { throw FileError("write to", "standard output", EPIPE) }
        }
    }
}
