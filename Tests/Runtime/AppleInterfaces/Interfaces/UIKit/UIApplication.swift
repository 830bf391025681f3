public import Foundation

@MainActor open class UIApplication: UIResponder {
    public class var shared: UIApplication { only }
    private static let only = UIApplication()
    open weak var delegate: (any UIApplicationDelegate)?
    open private(set) var applicationState = State.active
    /// Sets the state, which the system does itself.
    public func _setState(_ state: State) { applicationState = state }
    public enum State: Int, Sendable { case active, inactive, background }
    public private(set) var _tasks: [(name: String, expire: (@MainActor @Sendable () -> Void)?)] = []
    public private(set) var _ended: [UIBackgroundTaskIdentifier] = []

    public nonisolated class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillEnterForegroundNotification")
    }
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    }
    public nonisolated class var didBecomeActiveNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    }
    public nonisolated class var willTerminateNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillTerminateNotification")
    }

    open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        _tasks.append((taskName ?? "", handler))
        return UIBackgroundTaskIdentifier(rawValue: _tasks.count)
    }

    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { _ended.append(identifier) }

    public struct LaunchOptionsKey: Hashable, Sendable {}
}

extension ProcessInfo {
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        lock.withLock { activities.append(block) }
    }
}

private let lock = NSLock()
/// Accessed only while `lock` is held.
nonisolated(unsafe) private var activities: [@Sendable (Bool) -> Void] = []

/// Removes the newest expiring activity, so that a test runs it. The system runs it itself.
public func _takeExpiringActivity() -> (@Sendable (Bool) -> Void)? { lock.withLock { activities.popLast() } }

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

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

    public static func main() {}
}

// MARK: Scenes

@MainActor open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive
        case foregroundInactive
        case background
    }

    @MainActor open class ConnectionOptions: NSObject {
        open private(set) var urlContexts: Set<UIOpenURLContext> = []

        /// Creates options, which the system does itself.
        public init(_urls urls: [URL]) { urlContexts = Set(urls.map { UIOpenURLContext(_url: $0) }) }
    }

    open private(set) var activationState = ActivationState.foregroundActive
    /// Sets the state, which the system does itself.
    public func _setState(_ state: ActivationState) { activationState = state }

    public nonisolated class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UISceneWillEnterForegroundNotification")
    }
    public nonisolated class var didActivateNotification: NSNotification.Name {
        NSNotification.Name("UISceneDidActivateNotification")
    }
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UISceneDidEnterBackgroundNotification")
    }
}

@MainActor open class UIWindowScene: UIScene {}

@MainActor open class UIOpenURLContext: NSObject {
    public let url: URL

    init(_url url: URL) { self.url = url }
}

@MainActor open class UISceneSession: NSObject {}

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

@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}
