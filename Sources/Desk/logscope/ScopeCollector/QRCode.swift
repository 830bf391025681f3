#if Scope
    /// A QR code of a short string (ISO/IEC 18004:2015): byte mode, versions 1 to 10, level M, or L if that gives a
    /// smaller version.
    ///
    /// Numbers in parentheses are sections of the standard.
    package struct QRCode: Sendable {
        /// The number of modules per side, without the quiet zone.
        package let size: Int
        private var dark: [Bool]
        /// The modules of function patterns, which contain no data and are not masked.
        private var isFixed: [Bool]

        /// Returns whether a module is dark. Modules outside the symbol are light.
        package subscript(row: Int, column: Int) -> Bool {
            guard 0..<size ~= row, 0..<size ~= column else { return false }
            return dark[row * size + column]
        }

        /// Creates the code of a string; nil if the string is longer than 271 bytes, the capacity of version 10 at
        /// level L.
        package init?(_ text: String) {
            let bytes = Array(text.utf8)
            guard let symbol = Symbol.smallest(holding: bytes.count) else { return nil }
            size = 17 + 4 * symbol.version
            dark = Array(repeating: false, count: size * size)
            isFixed = dark
            drawFunctionPatterns(symbol)
            place(symbol.codewords(of: bytes))
            // The mask with the lowest penalty is used (7.8.3).
            let masked = (0..<8).map { mask in
                var code = self
                code.apply(mask)
                code.drawFormat(symbol.level.rawValue << 3 | mask)
                return (penalty: code.penalty, dark: code.dark)
            }
            if let best = masked.min(by: { $0.penalty < $1.penalty }) { dark = best.dark }
        }

        // MARK: Terminal output

        /// Lines for a terminal, each with two rows of modules, including the quiet zone of four modules (6.3.8).
        /// Colours are explicit, because a reader may not accept a light symbol on a dark background.
        package var terminalLines: [String] {
            stride(from: -4, to: size + 4, by: 2).map { row in
                let halves = (-4..<(size + 4)).map { column in
                    switch (self[row, column], self[row + 1, column]) {
                    case (false, false): " "
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (true, true): "█"
                    }
                }
                return "\u{1B}[38;5;16;48;5;231m" + halves.joined() + "\u{1B}[0m"
            }
        }

        // MARK: Function patterns (6.3)

        private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
            guard 0..<size ~= row, 0..<size ~= column else { return }
            dark[row * size + column] = isDark
            isFixed[row * size + column] = true
        }

        private mutating func drawFunctionPatterns(_ symbol: Symbol) {
            for index in 0..<size {
                fix(6, index, index % 2 == 0)
                fix(index, 6, index % 2 == 0)
            }
            for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
                for y in -4...4 {
                    for x in -4...4 { fix(row + y, column + x, ![2, 4].contains(max(abs(x), abs(y)))) }
                }
            }
            let centers = symbol.alignmentCenters
            for row in centers {
                for column in centers where !isFinder(row, column) {
                    for y in -2...2 {
                        for x in -2...2 { fix(row + y, column + x, max(abs(x), abs(y)) != 1) }
                    }
                }
            }
            drawFormat(0)
            if symbol.version >= 7 { drawVersion(symbol.version) }
        }

        private func isFinder(_ row: Int, _ column: Int) -> Bool {
            row < 9 && column < 9 || row < 9 && column > size - 9 || row > size - 9 && column < 9
        }

        /// Draws the format information, which contains level and mask, twice (7.9).
        private mutating func drawFormat(_ data: Int) {
            let bits = (data << 10 | Self.remainder(data << 10, 0b101_0011_0111)) ^ 0b101_0100_0001_0010
            for index in 0..<15 {
                let isDark = bits >> index & 1 == 1
                switch index {
                case 0..<6: fix(index, 8, isDark)
                case 6, 7: fix(index + 1, 8, isDark)
                case 8: fix(8, 7, isDark)
                default: fix(8, 14 - index, isDark)
                }
                if index < 8 { fix(8, size - 1 - index, isDark) } else { fix(size - 15 + index, 8, isDark) }
            }
            fix(size - 8, 8, true)
        }

        /// Draws the version, twice (7.10).
        private mutating func drawVersion(_ version: Int) {
            let bits = version << 12 | Self.remainder(version << 12, 0b1_1111_0010_0101)
            for index in 0..<18 {
                let isDark = bits >> index & 1 == 1
                fix(index / 3, size - 11 + index % 3, isDark)
                fix(size - 11 + index % 3, index / 3, isDark)
            }
        }

        /// Returns the remainder of a division of two polynomials over GF(2).
        private static func remainder(_ value: Int, _ divisor: Int) -> Int {
            let length = Int.bitWidth - divisor.leadingZeroBitCount
            var rest = value
            while case let excess = Int.bitWidth - rest.leadingZeroBitCount - length, excess >= 0 {
                rest ^= divisor << excess
            }
            return rest
        }

        // MARK: Data (7.7.3)

        private mutating func place(_ codewords: [UInt8]) {
            var bit = 0
            for (number, right) in stride(from: size - 1, to: 0, by: -2).enumerated() {
                // The vertical timing pattern is skipped.
                let right = right <= 6 ? right - 1 : right
                for step in 0..<size {
                    let row = number % 2 == 0 ? size - 1 - step : step
                    for column in [right, right - 1] where !isFixed[row * size + column] {
                        if bit < codewords.count * 8 {
                            dark[row * size + column] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
                        }
                        bit += 1
                    }
                }
            }
        }

        private mutating func apply(_ mask: Int) {
            for i in 0..<size {
                for j in 0..<size where !isFixed[i * size + j] {
                    let turns =
                        switch mask {
                        case 0: (i + j) % 2
                        case 1: i % 2
                        case 2: j % 3
                        case 3: (i + j) % 3
                        case 4: (i / 2 + j / 3) % 2
                        case 5: i * j % 2 + i * j % 3
                        case 6: (i * j % 2 + i * j % 3) % 2
                        default: ((i + j) % 2 + i * j % 3) % 2
                        }
                    if turns == 0 { dark[i * size + j].toggle() }
                }
            }
        }

        /// The penalty of the mask (7.8.3.1).
        private var penalty: Int {
            var penalty = 0
            let rows = (0..<size).map { row in (0..<size).map { self[row, $0] } }
            let columns = (0..<size).map { column in (0..<size).map { self[$0, column] } }
            for line in rows + columns {
                var run = 0
                for (index, isDark) in line.enumerated() {
                    run = index > 0 && isDark == line[index - 1] ? run + 1 : 1
                    if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
                }
                // Patterns like a finder, with four light modules on one side. The quiet zone counts as light.
                let padded = Array(repeating: false, count: 4) + line + Array(repeating: false, count: 4)
                for start in 0...(padded.count - 11) {
                    let part = padded[start..<(start + 11)]
                    if part.elementsEqual(Self.finderThenLight) || part.elementsEqual(Self.finderThenLight.reversed()) {
                        penalty += 40
                    }
                }
            }
            for row in 1..<size {
                for column in 1..<size {
                    let isDark = rows[row][column]
                    if rows[row - 1][column] == isDark, rows[row][column - 1] == isDark,
                        rows[row - 1][column - 1] == isDark
                    {
                        penalty += 3
                    }
                }
            }
            let share = dark.count(where: { $0 }) * 20 - dark.count * 10
            return penalty + abs(share) / dark.count * 10
        }

        private static let finderThenLight = [true, false, true, true, true, false, true, false, false, false, false]
    }

    extension QRCode {
        private enum Level: Int {
            case l = 1
            case m = 0
        }

        /// A version and a level with their numbers of codewords (table 9).
        private struct Symbol {
            let version: Int
            let level: Level
            let total: Int
            let blocks: Int
            /// The number of error correction codewords per block.
            let corrections: Int

            private static let capacities:
                [(total: Int, l: (blocks: Int, corrections: Int), m: (blocks: Int, corrections: Int))] = [
                    (26, (1, 7), (1, 10)), (44, (1, 10), (1, 16)), (70, (1, 15), (1, 26)), (100, (1, 20), (2, 18)),
                    (134, (1, 26), (2, 24)),
                    (172, (2, 18), (4, 16)), (196, (2, 20), (4, 18)), (242, (2, 24), (4, 22)), (292, (2, 30), (5, 22)),
                    (346, (4, 18), (5, 26)),
                ]

            /// Returns the smallest symbol that can hold `count` bytes, of level M if that version has enough space at
            /// level M; nil if no symbol can.
            static func smallest(holding count: Int) -> Symbol? {
                for (index, (total, l, m)) in capacities.enumerated() {
                    for (level, blocks, corrections) in [
                        (Level.m, m.blocks, m.corrections), (.l, l.blocks, l.corrections),
                    ] {
                        let symbol = Symbol(
                            version: index + 1, level: level, total: total, blocks: blocks, corrections: corrections)
                        if 4 + symbol.countBits + 8 * count <= 8 * symbol.dataCodewords { return symbol }
                    }
                }
                return nil
            }

            private var dataCodewords: Int { total - blocks * corrections }

            /// The size, in bits, of the field that contains the number of bytes (table 3).
            private var countBits: Int { version < 10 ? 8 : 16 }

            /// The centres of alignment patterns (annex E).
            var alignmentCenters: [Int] {
                let last = 10 + 4 * version
                return version == 1 ? [] : version < 7 ? [6, last] : [6, (6 + last) / 2, last]
            }

            /// Returns the data with its error correction, in the order of placement (7.4 to 7.6).
            func codewords(of bytes: [UInt8]) -> [UInt8] {
                var bits: [Bool] = []
                func append(_ value: Int, _ count: Int) {
                    for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
                }
                append(0b0100, 4)
                append(bytes.count, countBits)
                for byte in bytes { append(Int(byte), 8) }
                append(0, min(4, 8 * dataCodewords - bits.count))
                append(0, (8 - bits.count % 8) % 8)
                var pads = [0xEC, 0x11]
                while bits.count < 8 * dataCodewords {
                    append(pads[0], 8)
                    pads.reverse()
                }
                let data = stride(from: 0, to: bits.count, by: 8).map { start in
                    bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
                }

                // If the blocks differ in size, the last ones have one codeword more.
                let (short, longer) = (dataCodewords / blocks, dataCodewords % blocks)
                var parts: [[UInt8]] = []
                var start = 0
                for block in 0..<blocks {
                    let count = short + (block < blocks - longer ? 0 : 1)
                    parts.append(Array(data[start..<(start + count)]))
                    start += count
                }
                let generator = Field.generator(corrections)
                let checks = parts.map { Field.remainder(of: $0, by: generator) }
                var result: [UInt8] = []
                for index in 0...short { result += parts.filter { index < $0.count }.map { $0[index] } }
                for index in 0..<corrections { result += checks.map { $0[index] } }
                return result
            }
        }

        /// Reed–Solomon codes over GF(2⁸) with the polynomial x⁸ + x⁴ + x³ + x² + 1 (7.5.2).
        private enum Field {
            static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
                var result = 0
                for bit in (0..<8).reversed() {
                    result = result << 1 ^ (result >> 7) * 0b1_0001_1101
                    if b >> bit & 1 == 1 { result ^= Int(a) }
                }
                return UInt8(result)
            }

            /// Returns (x - 2⁰)(x - 2¹)…, without the first coefficient, which is 1 (annex A).
            static func generator(_ degree: Int) -> [UInt8] {
                var coefficients = Array(repeating: UInt8(0), count: degree - 1) + [1]
                var root: UInt8 = 1
                for _ in 0..<degree {
                    for index in 0..<degree {
                        coefficients[index] = product(coefficients[index], root)
                        if index + 1 < degree { coefficients[index] ^= coefficients[index + 1] }
                    }
                    root = product(root, 2)
                }
                return coefficients
            }

            static func remainder(of data: [UInt8], by generator: [UInt8]) -> [UInt8] {
                var rest = Array(repeating: UInt8(0), count: generator.count)
                for byte in data {
                    let factor = byte ^ rest[0]
                    rest = Array(rest.dropFirst()) + [0]
                    for index in rest.indices { rest[index] ^= product(generator[index], factor) }
                }
                return rest
            }
        }
    }
#endif
