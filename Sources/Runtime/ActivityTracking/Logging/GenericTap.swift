/// The tap of a button without a dedicated event.
///
/// Its definition corresponds to this definition file, `tap.md`:
///
/// ```markdown
/// # tap
///
/// ## tap
///
/// | column | type   | description            |
/// | ------ | ------ | ---------------------- |
/// | target | string | the button: `Type.property` |
/// ```
public enum GenericTap: LogCategory {
    case tap(target: String)

    public static let definition = LogDefinition("tap\n.tap|1-0-0\ntarget|string")

    @_spi(GeneratedCode) public func encode(into encoder: LogEncoder) {
        switch self {
        case .tap(let target): encoder.event(0).string(target)
        }
    }
}
