@_spi(GeneratedCode) public import ActivityTracking
public import Foundation

// Generated code, written by hand: every column type, and every status of an event. The encoder's tests use it.

/// 例。
public enum Example: LogCategory {
    /// Every type that a column can have.
    /// - Parameters:
    ///   - name: up to five characters
    case everything(
        flag: Bool, tiny: Int8, small: Int16, medium: Int32, large: Int64, count: Int, byte: UInt8, port: UInt16,
        word: UInt32,
        ratio: Float,
        price: Double, name: String, code: String, day: LogDate, at: Date, key: UUID, link: URL, mood: Mood,
        order: ExampleOrder,
        recipe: ExampleRecipeID, existing: ExistingID, external: ExternalKind, tags: [String], grid: [[Int]],
        orders: [ExampleOrder],
        recipes: [ExampleRecipeID], externals: [ExternalKind])
    /// The same columns, all optional.
    case nothing(
        flag: Bool? = nil, tiny: Int8? = nil, small: Int16? = nil, medium: Int32? = nil, large: Int64? = nil,
        count: Int? = nil,
        byte: UInt8? = nil, port: UInt16? = nil, word: UInt32? = nil, ratio: Float? = nil, price: Double? = nil,
        name: String? = nil,
        code: String? = nil, day: LogDate? = nil, at: Date? = nil, key: UUID? = nil, link: URL? = nil,
        mood: Mood? = nil,
        order: ExampleOrder? = nil, recipe: ExampleRecipeID? = nil, existing: ExistingID? = nil,
        external: ExternalKind? = nil,
        tags: [String]? = nil, grid: [[Int]]? = nil, orders: [ExampleOrder]? = nil, recipes: [ExampleRecipeID]? = nil,
        externals: [ExternalKind]? = nil)
    case empty
    @available(*, deprecated, message: "use everything")
    case old(`self`: Int64)
    case one(`self`: Int64)
    @available(*, unavailable, message: "This event is retired.")
    case gone

    public enum Mood: String, CaseIterable, Sendable, LogValue {
        case good
        case soSo = "so-so"
    }

    public static let definition = LogDefinition(
        """
        example|@example-team
        .everything|1-0-2|active|impression(80%25, 2s)|@example-team|0.1
        flag|bool
        tiny|int8
        small|int16
        medium|int32(...10)
        large|int64
        count|int64(0...100)|personal
        byte|uint8
        port|uint16
        word|uint32
        ratio|float(0...0.1)
        price|double(0...)
        name|string(5)|sensitive
        code|string(5 bytes)
        day|date
        at|timestamp
        key|uuid
        link|url
        mood|enum(good,so-so)
        order|ExampleOrder=enum(newest,popular)
        recipe|ExampleRecipeID=int64(1...)
        existing|ExistingID=string(5)
        external|ExternalKind=app
        tags|[string(5); 1...2]
        grid|[[int64(0...9)]; ...3]
        orders|[ExampleOrder=enum(newest,popular)]
        recipes|[ExampleRecipeID=int64(1...)]
        externals|[ExternalKind=app]
        .nothing|1-0-0|active|tap(RecipeView.%E4%BF%9D%E5%AD%98Button)
        flag|bool?
        tiny|int8?
        small|int16?
        medium|int32?
        large|int64?
        count|int64?
        byte|uint8?
        port|uint16?
        word|uint32?
        ratio|float?
        price|double?
        name|string?
        code|string?
        day|date?
        at|timestamp?
        key|uuid?
        link|url?
        mood|enum(good,so-so)?
        order|ExampleOrder=enum(newest,popular)?
        recipe|ExampleRecipeID=int64?
        existing|ExistingID=string?
        external|ExternalKind=app?
        tags|[string]?
        grid|[[int64]]?
        orders|[ExampleOrder=enum(newest,popular)]?
        recipes|[ExampleRecipeID=int64]?
        externals|[ExternalKind=app]?
        .empty|1-0-0|active|screen
        .old|1-0-0|deprecated|show
        self|int64
        .one|1-0-0|active|show
        self|int64
        .gone|1-0-0|retired|impression
        """
    )

    @_spi(GeneratedCode) public func encode(into encoder: LogEncoder) {
        switch self {
        case .everything(
            let v0, let v1, let v2, let v3, let v4, let v5, let v6, let v7, let v8, let v9, let v10, let v11, let v12,
            let v13, let v14,
            let v15, let v16, let v17, let v18, let v19, let v20, let v21, let v22, let v23, let v24, let v25, let v26):
            encoder.event(0).bool(v0).int8(v1).int16(v2).int32(v3).int64(v4).int(v5).uint8(v6).uint16(v7)
                .uint32(v8).float(v9).double(v10).string(v11).string(v12).date(v13).timestamp(v14).uuid(v15)
                .url(v16).value(v17).value(v18).value(v19).string(v20.rawValue).value(v21.rawValue).value(v22)
                .value(v23).value(v24).value(v25).value(v26.map { $0.rawValue })
        case .nothing(
            let v0, let v1, let v2, let v3, let v4, let v5, let v6, let v7, let v8, let v9, let v10, let v11, let v12,
            let v13, let v14,
            let v15, let v16, let v17, let v18, let v19, let v20, let v21, let v22, let v23, let v24, let v25, let v26):
            encoder.event(1).optionalBool(v0).optionalInt8(v1).optionalInt16(v2).optionalInt32(v3).optionalInt64(v4)
                .optionalInt(v5)
                .optionalUint8(v6).optionalUint16(v7).optionalUint32(v8).optionalFloat(v9).optionalDouble(v10)
                .optionalString(v11)
                .optionalString(v12).optionalDate(v13).optionalTimestamp(v14).optionalUuid(v15).optionalUrl(v16)
                .optionalValue(v17)
                .optionalValue(v18).optionalValue(v19).optionalString(v20?.rawValue).optionalValue(v21?.rawValue)
                .optionalValue(v22)
                .optionalValue(v23).optionalValue(v24).optionalValue(v25).optionalValue(v26?.map { $0.rawValue })
        case .empty:
            encoder.event(2)
        case .old(let v0):
            encoder.event(3).int64(v0)
        case .one(let v0):
            encoder.event(4).int64(v0)
        case .gone:
            encoder.event(5)
        }
    }
}

/// The columns that every event carries.
public struct ExampleColumns: LogColumns {
    public var userId: ExampleRecipeID?
    public var `self`: String

    public init(userId: ExampleRecipeID? = nil, `self` v1: String) {
        self.userId = userId
        self.`self` = v1
    }

    public static let definition = LogDefinition(
        """
        common
        .common
        user_id|ExampleRecipeID=int64(1...)?|personal
        self|string(3)
        """
    )

    @_spi(GeneratedCode) public func encode(into encoder: LogEncoder) {
        encoder.event(0).optionalValue(self.userId).string(self.`self`)
    }
}

/// A closed enumeration from `types.md`.
public enum ExampleOrder: String, CaseIterable, Sendable, LogValue {
    case newest
    case popular
}

/// A named scalar from `types.md`.
public struct ExampleRecipeID: RawRepresentable, Hashable, Sendable, LogValue {
    public var rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }
}

// Types of the app. Generated code uses their `rawValue` and does not require a conformance to a loggen protocol.

public struct ExistingID: RawRepresentable, Sendable {
    public var rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

public enum ExternalKind: Int, Sendable {
    case first = 1
    case second
}
