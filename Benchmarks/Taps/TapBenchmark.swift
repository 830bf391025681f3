// Compares tapgen's scanner with SwiftParser's parse of the same files: `swift run -c release --package-path Benchmarks
// --traits Taps tap-benchmark FOLDER…`.
#if Taps
    import Foundation
    import SwiftParser
    import SwiftSyntax

    /// Returns the seconds that a body takes, and its result.
    private func seconds(_ body: () -> Int) -> (Double, Int) {
        let start = DispatchTime.now().uptimeNanoseconds
        let result = body()
        return (Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9, result)
    }

    @main
    enum TapBenchmark {
        static let count = 1000
        static let rounds = 7

        static func main() {
            let files = CommandLine.arguments.dropFirst().flatMap { folder in
                (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter {
                    $0.hasSuffix(".swift")
                }.sorted()
                    .compactMap { FileManager.default.contents(atPath: folder + "/" + $0).map { [UInt8]($0) } }
            }.prefix(count)
            guard files.count == count else {
                print("usage: tap-benchmark FOLDER…, with \(count) Swift files in all; these have \(files.count)")
                exit(2)
            }
            var (parse, scan, uses): ([Double], [Double], [Double]) = ([], [], [])
            var found = 0
            for _ in 0..<rounds {
                let parsed = seconds {
                    files.reduce(0) {
                        $0 + $1.withUnsafeBufferPointer { Parser.parse(source: $0).statements.count }
                    }
                }
                precondition(parsed.1 > 0)
                parse.append(parsed.0)
                let scanned = seconds { files.reduce(0) { $0 + (SourceFacts(scanning: $1)?.declarations.count ?? 0) } }
                (found, _) = (scanned.1, scan.append(scanned.0))
                uses.append(
                    seconds {
                        files.reduce(0) { $0 + (EventUses.scan($1, for: ["show", "hide"])?.uses.uses.count ?? 0) }
                    }.0)
            }
            func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
            func ratio(_ values: [Double]) -> String {
                String(format: "%.2f", median(zip(values, parse).map { $0 / $1 }))
            }
            let bytes = files.reduce(0) { $0 + $1.count }
            print("\(count) files, \(bytes / 1000) kB, \(found) declarations; medians of \(rounds) rounds, one thread")
            print("parse alone          \(Int(Double(count) / median(parse))) files/s")
            print("scan for taps        \(Int(Double(count) / median(scan))) files/s  \(ratio(scan))×")
            print("with uses of events  \(Int(Double(count) / median(uses))) files/s  \(ratio(uses))×")
        }
    }
#else
    @main
    enum TapBenchmark {
        static func main() {
            print(
                "tap-benchmark: build it with the package trait `Taps`: "
                    + "swift run -c release --package-path Benchmarks --traits Taps tap-benchmark FOLDER…")
        }
    }
#endif
