/// The tolerance of times, in seconds: times less than a millisecond apart are the same instant.
///
/// Times are usually sums with rounding errors, and clocks wake late. The value is slightly below a millisecond, so
/// that times a whole millisecond apart remain different despite rounding.
package let instant = 0.000_999
