/// Returns whether a string is a version of the form MODEL-REVISION-ADDITION, such as `1-0-2`.
func isSchemaVersion(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var parts = 0
    var index = 0
    while true {
        let start = index
        while index < text.count, (text[index] &- UInt8(ascii: "0") < 10) { index += 1 }
        guard index > start, text[start] != UInt8(ascii: "0") || (parts > 0 && index == start + 1) else {
            return false
        }
        parts += 1
        if index == text.count { return parts == 3 }
        guard parts < 3, text[index] == UInt8(ascii: "-") else { return false }
        index += 1
    }
}
