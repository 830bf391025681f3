/// A sentence that quotes strings from definition files: `the column ‹order›`. Each report format marks quoted strings
/// in its own way, so that they cannot be mistaken for the report's words or markup.
package struct Sentence: Sendable, Hashable, ExpressibleByStringInterpolation {
    package enum Piece: Sendable, Hashable {
        case words(String)
        /// A string from a definition file, or input to type.
        case quoted(String)
    }

    package var pieces: [Piece] = []

    package init(stringLiteral value: String) { if !value.isEmpty { pieces = [.words(value)] } }

    package init(stringInterpolation: Interpolation) { pieces = stringInterpolation.pieces }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.words(literal)) }
        }

        package mutating func appendInterpolation(code text: String) { pieces.append(.quoted(text)) }

        package mutating func appendInterpolation(_ sentence: Sentence) { pieces += sentence.pieces }

        package mutating func appendInterpolation(words: String) { appendLiteral(words) }
    }

    /// Parses a message with quoted strings in backquotes.
    package init(marked text: String) {
        for (index, piece) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where !piece.isEmpty {
            pieces.append(index.isMultiple(of: 2) ? .words(String(piece)) : .quoted(String(piece)))
        }
    }

    /// Returns sentences with commas between them.
    package static func list(_ sentences: [Sentence]) -> Sentence {
        var list: Sentence = ""
        for (index, sentence) in sentences.enumerated() {
            list = list + (index == 0 ? "" : ", ") + sentence
        }
        return list
    }

    package static func + (left: Sentence, right: Sentence) -> Sentence {
        var sum = left
        sum.pieces += right.pieces
        return sum
    }

    /// The sentence with quoted strings in backquotes.
    package var text: String {
        pieces.map { piece in
            switch piece {
            case .words(let words): words
            case .quoted(let text): "`\(text)`"
            }
        }.joined()
    }
}
