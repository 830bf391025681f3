public import Logging

/// A destination that logs every record through swift-log.
public struct ConsoleDestination: LogDestination {
    private let logger: Logger
    private let level: Logger.Level

    public func decide(_ record: LogRecord) -> LogDecision { .take(rate: 1) }

    public init(logger: Logger = Logger(label: "ActivityTracking"), level: Logger.Level = .info) {
        self.logger = logger
        self.level = level
    }

    public func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        logger.log(level: level, "\(String(decoding: record.json, as: UTF8.self))")
    }
}
