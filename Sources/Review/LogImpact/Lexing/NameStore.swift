/// A `SymbolTable` that a reader and its resolvers share.
final class NameStore {
    var table = SymbolTable()

    func intern(_ string: String) -> UInt32 { table.intern(string) }
    func name(_ symbol: UInt32) -> String { table.name(symbol) }
}
