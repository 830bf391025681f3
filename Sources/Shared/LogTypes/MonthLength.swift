/// Returns the number of days in a month of the Gregorian calendar.
/// - Parameter month: from 1 to 12.
@inlinable package func monthLength(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}
