/// A sentence that quotes texts of documents: `the column ‹order›`. Each form of a report writes the quoted texts in
/// its own way, so that nothing in them can be taken for the report's words or markup.
package struct Sentence: Sendable, Hashable, ExpressibleByStringInterpolation {
    package enum Piece: Sendable, Hashable {
        case words(String)
        /// From a document, or what to type.
        case quoted(String)
    }

    package var pieces: [Piece] = []

    package init(stringLiteral value: String) { pieces = [.words(value)] }

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

    /// A message in which backquotes stand around quoted texts.
    package init(marked text: String) {
        for (index, piece) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where !piece.isEmpty {
            pieces.append(index.isMultiple(of: 2) ? .words(String(piece)) : .quoted(String(piece)))
        }
    }

    package static func + (left: Sentence, right: Sentence) -> Sentence {
        var sum = left
        sum.pieces += right.pieces
        return sum
    }

    /// The text, with quoted texts between backquotes.
    package var text: String {
        pieces.map { piece in
            switch piece {
            case .words(let words): words
            case .quoted(let text): "`\(text)`"
            }
        }.joined()
    }
}
