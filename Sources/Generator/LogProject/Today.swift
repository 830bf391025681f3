/// Returns today in the machine's time zone, or the day in UTC that the environment variable `SOURCE_DATE_EPOCH`
/// determines for reproducible builds (reproducible-builds.org/specs/source-date-epoch), such as `2027-03-31`.
package func currentDay() -> String {
    var parts = tm()
    var epoch = environment("SOURCE_DATE_EPOCH").flatMap { time_t($0) } ?? -1
    if epoch < 0 || gmtime_r(&epoch, &parts) == nil {
        var now = time(nil)
        localtime_r(&now, &parts)
    }
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
}
