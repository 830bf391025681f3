/// The words with a meaning in the grammar. The raw value is the word's symbol in every `SymbolTable`.
///
/// Whether a word is a keyword depends on its position: most of them are valid column names in some dialect.
enum Word: UInt32, CaseIterable {
    case none = 0
    // Words that are reserved in every dialect. They are never the first component of a column's name.
    case select, from, `where`, group, having, order, union, intersect, `case`, when, then, `else`, and, or, not, `in`
    case `is`, null, `as`, distinct, on, join, between, like, by, end, with
    // Words that can be names.
    case except, minus, all, any, some, exists, asc, desc, ilike, rlike, regexp, glob, similar, to, div, mod, xor
    case escape, collate, at, time, zone, interval, date, timestamp, datetime, `true`, `false`, `default`
    case limit, offset, fetch, `for`, qualify, window, prewhere, settings, format, into, using, set, returning, values
    case sort, cluster, distribute, connect, start, inner, left, right, full, outer, cross, natural, asof, semi, anti
    case global, positional, lateral, array, paste, view, unnest, table, recursive, materialized, search, cycle, key
    case final, sample, tablesample, pivot, unpivot, matchRecognize, changes, before, version, systemTime, of
    case ordinality, over, partition, rows, range, groups, nulls, first, last, preceding, following, unbounded, current
    case row, exclude, replace, rename, apply, top, `struct`, value, name, corresponding, only, cast, tryCast, safeCast
    case extract, columns, identifier, lambda, count, position, insert, overwrite, update, delete, merge, create,
        explain
    case describe, analyze, verbose, execute, exec, immediate, call, `do`, declare, begin, `if`, function, procedure
    case temporary, temp, clone, conflict, filter, within, ignore, respect, include, matched, grouping, sets, rollup
    case cube, year, quarter, month, week, day, hour, minute, second, millisecond, microsecond, dow, doy, epoch
    case int, integer, bigint, string, varchar, text, float, double, boolean, bool, numeric, decimal, json, variant
    case int64, float64, bytes, uuid, type, ties, percent, next, show, drop, alter, grant, revoke, copy, unload, use
    case aggregate, extend, trim, strict, isnull, notnull, contains, qualified, anyValue, precision, varying

    static let total = UInt32(Word.allCases.count)

    /// The spelling in SQL: `tryCast` is written `try_cast`.
    var spelling: String {
        var result = ""
        for character in "\(self)" {
            if character.isUppercase {
                result += "_"
                result += character.lowercased()
            } else {
                result.append(character)
            }
        }
        return self == .none ? "" : result
    }

    var isReserved: Bool { rawValue >= Word.select.rawValue && rawValue <= Word.with.rawValue }

    /// A Boolean value that indicates whether the word expects an operand on its right, so that no alias follows it.
    var isInfix: Bool {
        switch self {
        case .select, .from, .where, .group, .having, .order, .union, .intersect, .case, .when, .then, .else, .and: true
        case .or, .not, .in, .is, .as, .distinct, .on, .join, .between, .like, .by, .with, .except, .all, .any: true
        case .some, .exists, .ilike, .rlike, .regexp, .glob, .similar, .to, .div, .mod, .xor, .escape, .collate: true
        case .at, .interval, .over, .using, .limit, .qualify, .lateral, .of, .contains: true
        default: false
        }
    }

    /// A Boolean value that indicates whether the word can begin a query.
    var startsQuery: Bool {
        switch self {
        case .select, .with, .from, .values, .table: true
        default: false
        }
    }

    var isSetOperator: Bool {
        switch self {
        case .union, .intersect, .except, .minus: true
        default: false
        }
    }

    /// The words before JOIN.
    var isJoinPrefix: Bool {
        switch self {
        case .inner, .left, .right, .full, .outer, .cross, .natural, .asof, .semi, .anti, .any, .all, .global: true
        case .positional, .paste, .array, .lateral: true
        default: false
        }
    }
}
