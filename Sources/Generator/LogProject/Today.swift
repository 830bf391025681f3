package import LogDefinitions

extension CalendarDate {
    /// Today in the machine's time zone.
    package static var today: CalendarDate {
        var now = time(nil)
        var local = tm()
        localtime_r(&now, &local)
        return CalendarDate(year: Int(local.tm_year) + 1900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday))
    }
}
