/// Times that lie less than a millisecond apart are one instant. In seconds.
///
/// Nearly all times are sums, which differ by rounding, and clocks wake late. The value is a little less than a
/// millisecond, so that times a whole millisecond apart stay two instants, however they are rounded.
package let instant = 0.000_999
