@testable import ActivityOutbox

/// An initial state: a folder, the processes that share it, and the faults that may happen.
enum FolderScene: String, CaseIterable, Sendable {
    case start = "two processes start after a denial"
    case denial = "one process denies while another delivers"
    case unreadable = "a mark cannot be read or made"
    case damage = "the store of two processes is damaged"
    case replacement = "a process dies while it replaces a store, and another one writes"
    case closing = "stores are replaced, opened and closed"
    case delivery = "two processes deliver from a store that is damaged"
    case power = "power fails"
    case three = "three processes write, deny and agree"

    private static func folder(isDenied: Bool = false) -> FolderModel {
        var model = FolderModel()
        model.names.store = model.makeFile()
        model.names.log = model.makeFile(logOf: model.names.store)
        model.names.index = model.names.store
        model.isContentSynced = 1 << model.names.store
        model.write(1, to: model.names.log)
        (model.posted, model.durable) = (1, 1)
        if isDenied { (model.names.denied, model.isDenied, model.denied) = (true, true, 1) }
        return model
    }

    private static func writers() -> FolderModel {
        var model = folder()
        for process in 0..<2 {
            model[process].writes = 1
            model.start(process, agrees: true)
            model[process].flags.remove(.mustObey)
        }
        return model
    }

    /// - Parameter isDeep: Allows more faults. Exploring them takes minutes.
    func model(isDeep: Bool = false) -> FolderModel {
        var model: FolderModel
        switch self {
        case .start:
            model = Self.folder(isDenied: true)
            for process in 0..<2 { model[process].writes = 1 }
            model.start(0, agrees: true)
            model.start(1, agrees: isDeep)
            model[1].agreements = 1
            (model.crashes, model.starts, model.failedLocks) = (1, 1, 1)
            if isDeep { (model.crashes, model.fullDisks) = (2, 1) }
        case .denial:
            model = Self.folder()
            model[0].deliveries = 1
            model[0].writes = 1
            model.start(0, agrees: true)
            model[1].denials = 1
            model[1].agreements = 1
            model.start(1, agrees: false)
            if isDeep { (model.crashes, model[1].denials, model[0].agreements) = (1, 2, 1) }
        case .unreadable:
            model = Self.folder()
            (model[0].deliveries, model[0].writes) = (1, 1)
            model.start(0, agrees: true)
            model[1].denials = 1
            model.start(1, agrees: false)
            model.fullDisks = 1
            if isDeep { (model.crashes, model.failedLocks) = (1, 1) }
        case .damage:
            model = Self.writers()
            model[1].writes = 2
            (model.damages, model.fullDisks) = (1, 1)
            if isDeep { (model.crashes, model.starts) = (1, 1) }
        case .replacement:
            model = Self.writers()
            (model.crashes, model.damages) = (1, 1)
            if isDeep { (model.starts, model.fullDisks, model.failedLocks) = (1, 1, 1) }
        case .closing:
            model = Self.writers()
            for process in 0..<2 { model[process].closes = 1 }
            (model.damages, model.failedLocks) = (1, 1)
            if isDeep { (model.crashes, model.fullDisks) = (1, 1) }
        case .delivery:
            model = Self.writers()
            for process in 0..<2 { (model[process].writes, model[process].deliveries) = (0, 1) }
            model.damages = 1
            if isDeep { (model.fullDisks, model.crashes, model.starts) = (1, 1, 1) }
        case .power:
            model = Self.folder()
            model[0].writes = 1
            model[0].denials = 1
            model[0].agreements = 1
            model.powerFailures = 1
            model.write(1, to: model.names.store)
            model.start(0, agrees: false)
            model.syncNames()
            model.damages = 1
            if isDeep { (model.fullDisks, model.starts) = (1, 1) }
        case .three:
            model = Self.folder()
            for process in 0..<3 {
                model.start(process, agrees: process > 0)
                model[process].flags.remove(.mustObey)
            }
            model[0].denials = 1
            model[0].agreements = 1
            model[1].writes = 1
            model[2].deliveries = 1
            if isDeep { (model[1].deliveries, model[2].writes) = (1, 1) }
            if isDeep { (model.crashes, model.failedLocks) = (1, 1) }
        }
        return model
    }
}
