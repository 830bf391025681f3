public import ActivityTracking
import Foundation

extension BatchEncoding {
    /// Returns an encoding for collectors of OpenTelemetry: a request of OTLP/HTTP in JSON (`application/json`,
    /// OpenTelemetry Protocol 1.x). The article <doc:OpenTelemetry> lists the fields.
    ///
    /// ```swift
    /// let encoding = BatchEncoding.otlp(resource: ["service.name": "recipes", "service.version": "2026.4.0"])
    /// let outbox = Outbox(.init(folder: folder), uploader: HTTPUploader(url, encoding: encoding.gzipped()))
    /// ```
    ///
    /// The path of the URL is usually `/v1/logs`. Responses are read as OTLP defines them; the parameter
    /// `perRecordAnswers` of ``HTTPUploader`` has no effect.
    /// - Parameter resource: The attributes of the app and its device, such as `service.name`, which OpenTelemetry
    ///   requires. They have the types of columns: an `Int` becomes an `intValue`, a `Double` a `doubleValue`, an array
    ///   an `arrayValue`, and a `Date` a string.
    public static func otlp(resource: [String: any LogValue]) -> BatchEncoding {
        var start = OTLPWriter()
        start.beginRequest(resource: resource)
        let head = start.output
        var encoding = BatchEncoding(contentType: "application/json") { records in
            var writer = OTLPWriter()
            // Most records double, because each member has the frame of an attribute.
            writer.reserve(head.count + records.reduce(0) { $0 + 3 * $1.count })
            writer.put(head)
            for (index, record) in records.enumerated() {
                if index > 0 { writer.put(",") }
                writer.put(record: record)
            }
            writer.endRequest()
            return Data(writer.output)
        }
        encoding.readAnswer = OTLPAnswer.result
        return encoding
    }
}
