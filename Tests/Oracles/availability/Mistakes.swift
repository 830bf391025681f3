// Uses that check.py must find, and uses that it must not report. Only its self-test compiles this file.

func contains(_ text: String) -> Bool { text.contains("needle") }  // newer

func containsWhenThere(_ text: String) -> Bool {
    if #available(macOS 13, iOS 16, *) { return text.contains("needle") }
    return false
}

func containsBehindGuard(_ text: String) -> Bool {
    guard #available(macOS 13, iOS 16, *) else { return false }
    return text.contains("needle")
}

func containsOnOnePlatform(_ text: String) -> Bool {
    if #available(macOS 13, *) { return text.contains("needle") }  // newer
    return text.contains("needle")  // newer
}

@available(macOS 13, iOS 16, *)
func containsLater(_ text: String) -> Bool { text.contains("needle") }

@available(macOS 13, iOS 16, *)
struct Later {
    let clock = ContinuousClock()  // "}" in a comment closes nothing: }
    func contains(_ text: String) -> Bool { text.contains("}") }
}

func afterwards() { _ = ContinuousClock.now }  // newer

// Swift compiles these for any platform.
func sum(_ stream: AsyncStream<Int>) async -> Int {
    var sum = 0
    for await number in stream { sum = sum &* 31 &+ number }
    return sum
}

func first(_ stream: AsyncStream<Int>) async -> Int? {
    var numbers = stream.makeAsyncIterator()
    return await numbers.next(isolation: nil)  // newer
}
