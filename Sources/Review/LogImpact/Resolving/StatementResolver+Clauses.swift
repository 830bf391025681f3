/// The clauses of a SELECT without set operations.
extension StatementResolver {
    struct Clause {
        enum Kind { case select, from, `where`, orderBy, window, into, values, other }

        var kind: Kind
        var range: Range<Int>
        /// A Boolean value that indicates whether a Jinja condition contains the clause.
        var isConditional = false
        /// A Boolean value that indicates whether the clause is a step of BigQuery's pipe syntax.
        var isPipe = false
    }

    /// Splits a query, or a statement if `isStatement`, into its clauses. Each token is in one of them.
    func clauses(_ range: Range<Int>, isStatement: Bool = false) -> [Clause] {
        var result: [Clause] = []
        var current = Clause(kind: .other, range: range.lowerBound..<range.lowerBound)
        var index = range.lowerBound
        var depth = 0
        func close(at end: Int) {
            if current.range.lowerBound < end || current.kind == .select {
                current.range = current.range.lowerBound..<max(end, current.range.lowerBound)
                result.append(current)
            }
        }
        while index < range.upperBound {
            let token = tokens[index]
            if token.kind == .block {
                switch JinjaExpression.tag(bytes, token) {
                case "if", "for": depth += 1
                case "endif", "endfor": depth = max(0, depth - 1)
                default: break
                }
            } else if token.isMark(.pipe) {
                close(at: index)
                current = Clause(kind: .other, range: index + 1..<index + 1, isPipe: true)
            } else if token.kind == .word, let (kind, length) = clauseStart(index, range, isStatement) {
                let isPipe = current.isPipe && current.range.lowerBound == index
                close(at: index)
                let start = min(index + length, range.upperBound)
                current = Clause(kind: kind, range: start..<start, isConditional: depth > 0, isPipe: isPipe)
                index = start
                continue
            }
            index = next(index, range.upperBound)
        }
        close(at: range.upperBound)
        return result
    }

    /// Returns the clause that begins at a word, and the number of its words.
    private func clauseStart(_ index: Int, _ range: Range<Int>, _ isStatement: Bool) -> (Clause.Kind, Int)? {
        let end = range.upperBound
        let word = tokens[index].word
        guard word != .none else { return nil }
        let previous = index > range.lowerBound ? tokens[index - 1] : nil
        if previous?.isMark(.dot) ?? false { return nil }
        if isMark(index + 1, end, .dot), !word.isReserved { return nil }
        let next = self.word(index + 1, end)
        switch word {
        case .select: return (.select, 1)
        case .from:
            // IS DISTINCT FROM is an operator.
            if previous?.word == .distinct, index >= range.lowerBound + 2 {
                let before = tokens[index - 2].word
                if before == .is || before == .not { return nil }
            }
            return (.from, 1)
        case .where: return (.where, 1)
        case .group, .sort, .cluster, .distribute: return next == .by ? (.other, 2) : nil
        case .order: return next == .by ? (.orderBy, 2) : nil
        case .having: return (.other, 1)
        case .start: return next == .with ? (.other, 2) : nil
        case .connect: return next == .by ? (.other, 2) : nil
        case .join:
            return isPipe(index, range) ? (.from, 1) : nil
        case .window:
            return isName(index + 1, end) && self.word(index + 2, end) == .as && endsOperand(previous)
                ? (.window, 1) : nil
        case .prewhere, .qualify, .limit, .offset, .fetch, .settings, .format:
            guard endsOperand(previous) || previous?.kind == .block, index + 1 < end else { return nil }
            if isMark(index + 1, end, .comma) || isMark(index + 1, end, .equals) || next == .from || next == .as {
                return nil
            }
            return (word == .prewhere ? .where : .other, 1)
        case .into: return previous?.word == .insert || previous?.word == .merge || isStatement ? nil : (.into, 1)
        case .values: return isOpen(index + 1, end) && (previous == nil || isStatement) ? (.values, 1) : nil
        case .table:
            return previous == nil && isName(index + 1, end) ? (.from, 1) : nil
        case .set, .returning:
            return isStatement ? (.other, 1) : nil
        case .when:
            return isStatement && (next == .matched || next == .not) ? (.other, 1) : nil
        case .using:
            return isStatement && !(isOpen(index + 1, end) && !startsQuery(index + 2, end)) ? (.from, 1) : nil
        default: return nil
        }
    }

    private func isPipe(_ index: Int, _ range: Range<Int>) -> Bool {
        var position = index - 1
        while position >= range.lowerBound, tokens[position].word.isJoinPrefix { position -= 1 }
        return isMark(position, range.upperBound, .pipe)
    }

    /// Returns whether an operand can end with the token.
    func endsOperand(_ token: SQLToken?) -> Bool {
        guard let token else { return false }
        switch token.kind {
        case .word: return !token.word.isInfix
        case .name, .doubleQuoted, .string, .number, .close, .expression, .lookML, .parameter: return true
        case .mark: return token.mark == .star
        default: return false
        }
    }
}
