import ActivityTracking
import Foundation

/// A fast encoder written by hand for one event, as an app's engineers would write it.
enum ByHand {
    /// Writes a record to a buffer that is large enough. Returns the number of bytes.
    static func encode(
        _ recipe: Int64, _ position: Int, _ keyword: String, _ order: String,
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var out = Output(buffer)
        let date = Date()
        let now = date.timeIntervalSince1970
        out.append("{\"event_id\":\"")
        // On Linux, Foundation's `UUID()` alone takes ten times as long as the rest.
        out.append(UUID(version7At: date).uuid)
        out.append(
            "\",\"event_category\":\"search\",\"event_name\":\"show\",\"schema_version\":\"1-0-0\",\"occurred_at\":\"")
        out.append(time: now)
        out.append("\",\"recipe_id\":")
        out.append(recipe)
        out.append(",\"position\":")
        out.append(Int64(position))
        out.append(",\"keyword\":")
        out.append(text: keyword)
        out.append(",\"order\":")
        out.append(text: order)
        out.append("}")
        return out.count
    }

    private struct Output {
        let start: UnsafeMutablePointer<UInt8>
        var count = 0

        init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { start = buffer.baseAddress.unsafelyUnwrapped }

        mutating func append(_ text: StaticString) {
            (start + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
            count += text.utf8CodeUnitCount
        }

        mutating func append(byte: UInt8) {
            start[count] = byte
            count += 1
        }

        mutating func append(_ value: Int64) {
            var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
            withUnsafeMutableBytes(of: &digits) { digits in
                var rest = value.magnitude
                var index = 20
                repeat {
                    index -= 1
                    digits[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                } while rest > 0
                if value < 0 { append(byte: UInt8(ascii: "-")) }
                for digit in index..<20 { append(byte: digits[digit]) }
            }
        }

        mutating func append(_ id: uuid_t) {
            withUnsafeBytes(of: id) { bytes in
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 { append(byte: UInt8(ascii: "-")) }
                    for digit in [bytes[index] >> 4, bytes[index] & 15] {
                        append(byte: digit < 10 ? 0x30 + digit : 0x57 + digit)
                    }
                }
            }
        }

        mutating func append(text: String) {
            append(byte: UInt8(ascii: "\""))
            var text = text
            text.withUTF8 { bytes in
                for byte in bytes {
                    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { append(byte: UInt8(ascii: "\\")) }
                    append(byte: byte)
                }
            }
            append(byte: UInt8(ascii: "\""))
        }

        mutating func append(time: TimeInterval) {
            let milliseconds = Int(time * 1000)
            var seconds = time_t(milliseconds / 1000)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            append(padded: Int(parts.tm_year) + 1900, 4)
            append(byte: UInt8(ascii: "-"))
            append(padded: Int(parts.tm_mon) + 1, 2)
            append(byte: UInt8(ascii: "-"))
            append(padded: Int(parts.tm_mday), 2)
            append(byte: UInt8(ascii: "T"))
            append(padded: Int(parts.tm_hour), 2)
            append(byte: UInt8(ascii: ":"))
            append(padded: Int(parts.tm_min), 2)
            append(byte: UInt8(ascii: ":"))
            append(padded: Int(parts.tm_sec), 2)
            append(byte: UInt8(ascii: "."))
            append(padded: milliseconds % 1000, 3)
            append(byte: UInt8(ascii: "Z"))
        }

        mutating func append(padded value: Int, _ width: Int) {
            var rest = value
            for index in stride(from: width - 1, through: 0, by: -1) {
                start[count + index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            count += width
        }
    }
}
