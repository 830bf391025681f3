/// The types of all files, with name lookup.
///
/// Names are looked up as in Swift, as far as sources allow it: from the innermost type outwards, then in the module,
/// then in imported modules. Types nested in a superclass are not found.
struct TypeIndex {
    struct DeclaredType {
        var kind: SourceFacts.Declaration.Kind
        var declarations: [(file: Int, declaration: SourceFacts.Declaration)] = []
        /// The inherited types: full dotted paths, or names of types of other modules.
        var parents: [String] = []
    }

    /// Types by full dotted path.
    private(set) var types: [String: DeclaredType] = [:]
    private var aliases: [String: SourceFacts.Alias] = [:]
    private var conformancesOfImportedTypes: [String: [String]] = [:]

    init(_ files: [SourceFacts]) {
        for file in files {
            for alias in file.aliases { aliases[alias.path.joined(separator: ".")] = alias }
            for declaration in file.declarations where declaration.kind != .extension {
                types[declaration.path.joined(separator: "."), default: DeclaredType(kind: declaration.kind)].kind =
                    declaration.kind
            }
        }
        for (number, file) in files.enumerated() {
            for declaration in file.declarations {
                let isExtension = declaration.kind == .extension
                let name = declaration.path.joined(separator: ".")
                let path = isExtension ? resolve(name, from: []).names.first ?? name : name
                let parents = declaration.inherited.flatMap {
                    resolve($0, from: isExtension ? declaration.path : Array(declaration.path.dropLast())).names
                }
                if types[path] != nil {
                    types[path]?.declarations.append((number, declaration))
                    types[path]?.parents += parents
                } else {
                    conformancesOfImportedTypes[path, default: []] += parents
                }
            }
        }
    }

    /// Resolves a name in a scope. Returns the full paths of declared types. The names of other types are returned
    /// unchanged, except that a module in `UIKitClasses.modules` is removed.
    func resolve(_ name: String, from scope: [String]) -> (names: [String], isArray: Bool) {
        var seen: Set<String> = []
        return resolve(name, from: scope, &seen)
    }

    /// - Parameter seen: the aliases followed so far. Aliases may form a cycle, which Swift rejects.
    private func resolve(_ name: String, from scope: [String], _ seen: inout Set<String>) -> (
        names: [String], isArray: Bool
    ) {
        for length in (0...scope.count).reversed() {
            let around = Array(scope.prefix(length))
            let path = (around + [name]).joined(separator: ".")
            if types[path] != nil { return ([path], false) }
            if let alias = aliases[path] {
                guard seen.insert(path).inserted else { return ([], false) }
                let meant = alias.type.names.map { resolve($0, from: around, &seen) }
                return (meant.flatMap(\.names), alias.type.isArray || meant.contains(where: \.isArray))
            }
        }
        guard let dot = name.firstIndex(of: ".") else { return ([name], false) }
        // The name may begin with the name of this module or another one.
        let rest = String(name[name.index(after: dot)...])
        if types[rest] != nil { return ([rest], false) }
        return ([UIKitClasses.modules.contains(String(name[..<dot])) ? rest : name], false)
    }

    /// Returns the superclass at the end of a class's ancestry, if another module declares that superclass and its own
    /// superclasses are unknown; otherwise nil.
    func foreignSuperclass(of path: String) -> String? {
        lineage(of: path).lazy.compactMap {
            types[$0]?.declarations.first { $0.declaration.kind == .class }?.declaration.inherited.first
        }.first {
            let name = resolve($0, from: []).names.first ?? ""
            return types[name] == nil && UIKitClasses.superclass[name] == nil && !name.hasPrefix("UI")
                && !name.hasPrefix("NS")
        }
    }

    /// Returns a type and all types from which it inherits, nearest first.
    func lineage(of path: String) -> [String] {
        var lineage: [String] = []
        var waiting = [path]
        while let next = waiting.first {
            waiting.removeFirst()
            guard !lineage.contains(next) else { continue }
            lineage.append(next)
            waiting += (types[next]?.parents ?? []) + (conformancesOfImportedTypes[next] ?? [])
            if types[next] == nil, let superclass = UIKitClasses.superclass[next] { waiting.append(superclass) }
        }
        return lineage
    }
}

/// The superclasses of UIKit's classes (developer.apple.com/documentation/uikit), as far as screens need them.
private enum UIKitClasses {
    static let modules: Set<String> = [
        "UIKit", "SwiftUI", "ActivityTrackingUIKit", "MessageUI", "SafariServices", "QuickLook", "AVKit",
    ]

    static let superclass: [String: String] = {
        let subclasses = [
            "UIViewController": """
            UITableViewController UICollectionViewController UINavigationController UITabBarController
            UISplitViewController UIPageViewController UIHostingController UIInputViewController UISearchController
            UIAlertController UIActivityViewController UIDocumentPickerViewController UIFontPickerViewController
            UIColorPickerViewController UIReferenceLibraryViewController SFSafariViewController QLPreviewController
            AVPlayerViewController
            """,
            "UINavigationController": """
            UIImagePickerController UIVideoEditorController MFMailComposeViewController MFMessageComposeViewController
            """,
            "UIView": """
            UIControl UITableViewCell UICollectionReusableView UIScrollView UIStackView UITableViewHeaderFooterView
            UIVisualEffectView UIImageView UILabel UINavigationBar UIToolbar UITabBar UISearchBar UIPickerView
            """,
            "UICollectionReusableView": "UICollectionViewCell", "UICollectionViewCell": "UICollectionViewListCell",
            "UIScrollView": "UITableView UICollectionView UITextView", "UIControl": "UIButton",
            "UIResponder": "UIView UIViewController",
        ]
        return subclasses.reduce(into: [:]) { superclass, entry in
            for name in entry.value.split(whereSeparator: \.isWhitespace) { superclass[String(name)] = entry.key }
        }
    }()
}
