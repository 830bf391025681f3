import Testing
import TestSupport

extension Scratch {
    /// Runs `loggen` with the words of a line as its arguments.
    func loggen(_ line: String) throws -> Tool.Result {
        try Tool.run(line.split(separator: " ").map(String.init), in: url)
    }

    /// Runs `loggen` with the words of a line, and expects an exit code and parts of both outputs.
    @discardableResult
    func expect(
        _ line: String, code: Int32 = 0, out: String..., error: String...,
        at location: SourceLocation = #_sourceLocation
    ) throws -> Tool.Result {
        let result = try loggen(line)
        #expect(result.code == code, "\(line): \(result)", sourceLocation: location)
        for part in out { #expect(result.out.contains(part), "\(line): \(result)", sourceLocation: location) }
        for part in error { #expect(result.error.contains(part), "\(line): \(result)", sourceLocation: location) }
        return result
    }
}
