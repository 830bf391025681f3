/// The meaning of a response's status for the records of its request (RFC 9110 §15, RFC 6585 §5, RFC 7725 §3).
package enum StatusMeaning: Sendable {
    case accepted
    case tooLarge
    /// A record, or the body, is invalid.
    case invalid
    /// The credentials for the collector or a proxy are rejected, or the headers are too long. Others may be accepted.
    case headers
    /// The cause is not in the records, but on the way to the collector, or in its state: a timeout, a connection to
    /// the wrong server, a legal demand, a redirection, or a failure.
    case later
    /// The collector never accepts the request at this address.
    case refused

    package init(status: Int) {
        self =
            switch status {
            case 200..<300: .accepted
            case 413: .tooLarge
            case 400, 422: .invalid
            case 401, 403, 407, 431: .headers
            case 408, 421, 425, 429, 451: .later
            case 400..<500: .refused
            default: .later
            }
    }
}
