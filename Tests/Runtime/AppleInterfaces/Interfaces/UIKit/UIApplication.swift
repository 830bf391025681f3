// A comment `documentation/…` is the path of the restated declaration's page on developer.apple.com.
public import Foundation

/// documentation/uikit/uiapplication
@MainActor open class UIApplication: UIResponder {
    /// documentation/uikit/uiapplication/shared
    public class var shared: UIApplication { only }
    private static let only = UIApplication()
    /// documentation/uikit/uiapplication/delegate
    open weak var delegate: (any UIApplicationDelegate)?
    /// documentation/uikit/uiapplication/applicationstate
    open private(set) var applicationState = State.active
    /// Sets the state, which the system does itself.
    public func _setState(_ state: State) { applicationState = state }
    /// documentation/uikit/uiapplication/state
    public enum State: Int, Sendable { case active, inactive, background }
    public private(set) var _tasks: [(name: String, expire: (@MainActor @Sendable () -> Void)?)] = []
    public private(set) var _ended: [UIBackgroundTaskIdentifier] = []

    /// documentation/uikit/uiapplication/willenterforegroundnotification
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillEnterForegroundNotification")
    }
    /// documentation/uikit/uiapplication/didenterbackgroundnotification
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    }
    /// documentation/uikit/uiapplication/didbecomeactivenotification
    public nonisolated class var didBecomeActiveNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    }
    /// documentation/uikit/uiapplication/willterminatenotification
    public nonisolated class var willTerminateNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillTerminateNotification")
    }

    /// documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)
    open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        _tasks.append((taskName ?? "", handler))
        return UIBackgroundTaskIdentifier(rawValue: _tasks.count)
    }

    /// documentation/uikit/uiapplication/endbackgroundtask(_:)
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { _ended.append(identifier) }

    /// documentation/uikit/uiapplication/launchoptionskey
    public struct LaunchOptionsKey: Hashable, Sendable {}
}

extension ProcessInfo {
    /// documentation/foundation/processinfo/performexpiringactivity(withreason:using:)
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        lock.withLock { activities.append(block) }
    }
}

private let lock = NSLock()
/// Accessed only while `lock` is held.
nonisolated(unsafe) private var activities: [@Sendable (Bool) -> Void] = []

/// Removes the newest expiring activity, so that a test runs it. The system runs it itself.
public func _takeExpiringActivity() -> (@Sendable (Bool) -> Void)? { lock.withLock { activities.popLast() } }

/// documentation/uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// documentation/uikit/uibackgroundtaskidentifier/invalid
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// documentation/uikit/uiapplicationdelegate
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// documentation/uikit/uiapplicationdelegate/main()
    public static func main() {}
}

// MARK: Scenes

/// documentation/uikit/uiscene
@MainActor open class UIScene: UIResponder {
    /// documentation/uikit/uiscene/activationstate-swift.enum
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive
        case foregroundInactive
        case background
    }

    /// documentation/uikit/uiscene/connectionoptions
    @MainActor open class ConnectionOptions: NSObject {
        /// documentation/uikit/uiscene/connectionoptions/urlcontexts
        open private(set) var urlContexts: Set<UIOpenURLContext> = []

        /// Creates options, which the system does itself.
        public init(_urls urls: [URL]) { urlContexts = Set(urls.map { UIOpenURLContext(_url: $0) }) }
    }

    /// documentation/uikit/uiscene/activationstate-swift.property
    open private(set) var activationState = ActivationState.foregroundActive
    /// Sets the state, which the system does itself.
    public func _setState(_ state: ActivationState) { activationState = state }

    /// documentation/uikit/uiscene/willenterforegroundnotification
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UISceneWillEnterForegroundNotification")
    }
    /// documentation/uikit/uiscene/didactivatenotification
    public nonisolated class var didActivateNotification: NSNotification.Name {
        NSNotification.Name("UISceneDidActivateNotification")
    }
    /// documentation/uikit/uiscene/didenterbackgroundnotification
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UISceneDidEnterBackgroundNotification")
    }
}

/// documentation/uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {}

/// documentation/uikit/uiopenurlcontext
@MainActor open class UIOpenURLContext: NSObject {
    /// documentation/uikit/uiopenurlcontext/url
    public let url: URL

    init(_url url: URL) { self.url = url }
}

/// documentation/uikit/uiscenesession
@MainActor open class UISceneSession: NSObject {}

/// documentation/uikit/uiscenedelegate
@MainActor public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>)
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {}
}

/// documentation/uikit/uiwindowscenedelegate
@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}
