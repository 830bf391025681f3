package import LogDefinitions

extension CalendarDate {
    /// Today in the machine's time zone, or the day in UTC that the environment variable `SOURCE_DATE_EPOCH` determines
    /// for reproducible builds (reproducible-builds.org/specs/source-date-epoch).
    package static var today: CalendarDate {
        var parts = tm()
        var epoch = environment("SOURCE_DATE_EPOCH").flatMap { time_t($0) } ?? -1
        if epoch < 0 || gmtime_r(&epoch, &parts) == nil {
            var now = time(nil)
            localtime_r(&now, &parts)
        }
        return CalendarDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }
}
