extension SwiftNames {
    /// The public types of Swift's standard library, Foundation (also on Apple's platforms) and SwiftUI whose names have
    /// one or two words. Names with the prefix `NS`, `CF`, `CG`, `UI` or `WK` are left out.
    ///
    /// A type of the standard library with the same name is hidden in files that import the generated module. A type of
    /// Foundation or SwiftUI is ambiguous there. A test compares the list with the toolchain and prints missing names.
    package static let frameworkTypeNames = Set(
        """
        Accessibility AccessibilityTechnologies AccessibilityTraits ActionSheet Actor AdditiveArithmetic AffineTransform
        Alert Alignment AlignmentID AlignmentOptions Anchor Angle AngularGradient Animatable AnimatableModifier
        AnimatablePair AnimatableValues Animation AnimationContext AnimationState AnyActor AnyClass AnyCollection
        AnyGesture AnyGradient AnyHashable AnyIndex AnyIterator AnyLayout AnyObject AnySequence AnyShape AnyTransition
        AnyView App AppStorage Array ArraySlice AsyncImage AsyncSequence AsyncStream AttributeContainer AttributeScope
        AttributeScopes AttributedString AttributedSubstring Axis BackgroundProminence BackgroundStyle BackgroundTask
        BadgeProminence BidirectionalCollection BidirectionalIndexable BidirectionalSlice BinaryInteger Bindable
        BindableObject Binding BitwiseCopyable BlendMode BlockOperation Bool Bundle Button ButtonRole ButtonSizing
        ButtonStyle CBool CChar CChar16 CChar32 CChar8 CDouble CFloat CFloat16 CInt CLong CShort Calendar
        CancellationError Canvas Capsule CaseIterable Character CharacterSet CheckedContinuation Circle Clock
        ClosedRange CocoaError Codable CodableConfiguration CodingKey Collection CollectionDifference Color ColorPicker
        ColorScheme CommandGroup CommandLine CommandMenu Commands CommandsBuilder Comparable ComparableComparator
        Comparator ComparisonResult CompositorContent CompositorLayer ConcentricRectangle ConcurrentValue
        ContainerValues ContentMode ContentTransition ContextMenu ContiguousArray ContiguousBytes ContinuousClock
        ControlGroup ControlSize ControlWidget CoordinateSpace Copyable CountableRange CubicKeyframe CustomAnimation
        CustomReflectable Data DataProtocol Date DateComponents DateFormatter DateInterval DatePicker Decimal Decodable
        Decoder DecodingError DefaultIndices DelayedTransition DepthAlignment DialogSeverity Dictionary DictionaryIndex
        DictionaryIterator DictionaryLiteral Dimension DisclosureGroup DiscontiguousSlice DismissAction DismissBehavior
        Divider DocumentConfiguration DocumentGroup Double DragConfiguration DragGesture DragInfo DragSession
        DropConfiguration DropDelegate DropInfo DropOperation DropProposal DropSession Duration DurationProtocol
        DynamicProperty Edge EdgeInsets EditActions EditButton EditMode Ellipse EllipticalGradient EmptyCollection
        EmptyCommands EmptyIterator EmptyModifier EmptyView Encodable Encoder EncodingError EnergyFormatter
        EnumeratedIterator EnumeratedSequence Environment EnvironmentKey EnvironmentObject EnvironmentValues
        EnvironmentalModifier Equatable EquatableView Error Escapable EventModifiers ExclusiveGesture Executor
        ExecutorJob Expression FetchRequest FetchedResults FileDocument FileHandle FileManager FileWrapper FillStyle
        FindContext FlattenCollection FlattenSequence Float Float16 Float32 Float64 Float80 FloatingPoint
        FocusInteractions FocusState FocusedBinding FocusedObject FocusedValue FocusedValues Font ForEach
        ForegroundStyle Form FormStyle FormatStyle Formatter Gauge GaugeStyle GeometryEffect GeometryProxy
        GeometryReader Gesture GestureMask GestureState Glass GlobalActor Gradient GraphicsContext Grid GridItem
        GridLayout GridRow Group GroupBox HStack HTTPCookie HTTPURLResponse Hashable Hasher HelpLink HorizontalAlignment
        HorizontalDirection HorizontalEdge Host HoverEffect HoverPhase Identifiable IdentityTransition Image ImagePaint
        ImageRenderer ImmersionStyle ImmersiveSpace IndexPath IndexSet Indexable IndexableBase IndexingIterator
        InflectionConcept InflectionRule InlineArray InputStream InsettableShape InspectorCommands InstantProtocol Int
        Int128 Int16 Int32 Int64 Int8 InterfaceOrientation IteratorProtocol IteratorSequence JSONDecoder JSONEncoder
        JSONSerialization Job JobPriority JoinedIterator JoinedSequence KeyEquivalent KeyPath KeyPress KeyboardShortcut
        KeyframeAnimator KeyframeTimeline KeyframeTrack Keyframes KeyframesBuilder Label LabelStyle LabeledContent
        LabelsVisibility Layout LayoutDirection LayoutProperties LayoutSubview LayoutSubviews LazyCollection
        LazySequence LegibilityWeight LengthFormatter LibraryItem LinearGradient LinearKeyframe Link List ListFormatter
        ListStyle Locale LocalizedError LocationButton MagnificationGesture MagnifyGesture MainActor ManagedBuffer
        MassFormatter Material Measurement MeasurementFormatter MemoryLayout Menu MenuButton MenuOrder MenuStyle
        MeshGradient Mirror MirrorPath ModifiedContent Morphology MoveKeyframe MoveTransition MutableCollection
        MutableIndexable MutableSlice MutableSpan Namespace NavigationLink NavigationPath NavigationStack
        NavigationTransition NavigationView NetService Never Notification NotificationCenter NotificationQueue
        NumberFormatter Numeric ObjectIdentifier Observable ObservableObject ObservationRegistrar Observations
        ObservedObject OffsetShape OffsetTransition OpacityTransition OpaquePointer Operation OperationQueue OptionSet
        Optional OutlineGroup OutputSpan OutputStream POSIXError ParseStrategy PasteButton Path PhaseAnimator
        PhysicalMetric Picker PickerStyle Pipe PointerStyle Port PortDelegate PortMessage Predicate PredicateBindings
        PredicateError PredicateExpression PredicateExpressions PreferenceKey PrefixSequence PresentationAdaptation
        PresentationDetent PresentationIntent PresentationMode PresentationSizing PreviewContext PreviewDevice
        PreviewLayout PreviewModifier PreviewPlatform PreviewProvider Process ProcessInfo Progress ProgressKind
        ProgressReporting ProgressView ProjectionTransform Protocol Published PushTransition RadialGradient Range
        RangeExpression RangeSet RawRepresentable RawSpan RecoverableError Rectangle RedactionReasons
        ReferenceConvertible RefreshAction Regex RegexComponent RenameAction RenameButton Repeated Result
        ReversedCollection ReversedIndex ReversibleShape RotateGesture RotatedShape RotationGesture RoundedRectangle
        RunLoop SIMD SIMD16 SIMD2 SIMD3 SIMD32 SIMD4 SIMD64 SIMD8 SIMDMask SIMDScalar SIMDStorage ScaleTransition
        ScaledMetric ScaledShape Scanner Scene SceneBuilder ScenePadding ScenePhase SceneStorage ScrollGeometry
        ScrollPhase ScrollPosition ScrollTarget ScrollView Section SectionCollection SectionConfiguration
        SectionCustomization SecureField Selector Sendable SendableMetatype SensoryFeedback Sequence SequenceGesture
        SerialExecutor Set SetAlgebra SetIndex SetIterator Settings SettingsLink Shader ShaderFunction ShaderLibrary
        ShadowStyle Shape ShapeRole ShapeStyle ShapeView ShareLink SharePreview SidebarCommands SignedInteger
        SignedNumeric SimultaneousGesture Slice Slider SliderTick SocketPort SortComparator SortDescriptor SortOrder
        Spacer SpacerSizing Span Spring SpringKeyframe State StateObject StaticString Stepper Stream StreamDelegate
        StrideThrough StrideTo Strideable StrikethroughStyle String StringProtocol StringStyle StringTransform
        StrokeStyle SubmitLabel SubmitTriggers SubscriptionView Substring Subview SubviewsCollection
        SurfaceClassification SuspendingClock SwiftUI SymbolVariants Tab TabContent TabPlacement TabRole TabSection
        TabView Table TableColumn TableRow TableStyle TapGesture Task TaskExecutor TaskGroup TaskLocal TaskPriority Text
        TextAlignment TextAttribute TextEditor TextField TextProxy TextRenderer TextSelectability TextSelection Thread
        TimeInterval TimeZone TimelineSchedule TimelineView Timer Toggle ToggleStyle ToolbarCommands ToolbarContent
        ToolbarItem ToolbarPlacement ToolbarRole ToolbarSpacer TouchBar Transaction TransactionKey Transferable
        TransformedShape Transition TransitionPhase TransitionProperties TupleView TypesettingLanguage UInt UInt128
        UInt16 UInt32 UInt64 UInt8 URL URLCache URLComponents URLCredential URLError URLProtocol URLRequest URLResponse
        URLSession UTF16 UTF32 UTF8 UTF8Span UUID UnboundedRange UnboundedRange_ UndoManager UnfoldSequence Unicode
        UnicodeCodec UnicodeScalar Unit UnitAcceleration UnitAngle UnitArea UnitConverter UnitCurve UnitDispersion
        UnitDuration UnitEnergy UnitFrequency UnitIlluminance UnitLength UnitMass UnitPoint UnitPower UnitPressure
        UnitSpeed UnitTemperature UnitVolume Unmanaged UnownedJob UnsafeContinuation UnsafePointer UnsafeSendable
        UnsignedInteger UserDefaults UtilityWindow VStack ValueTransformer VectorArithmetic VerticalAlignment
        VerticalDirection VerticalEdge View View3D ViewBuilder ViewDimensions ViewModifier ViewSpacing Viewpoint3D
        Visibility VisualEffect Void Window WindowAlignment WindowGroup WindowLevel WindowPlacement WindowProxy
        WindowResizability WindowStyle XMLDTD XMLDTDNode XMLDocument XMLElement XMLNode XMLParser ZStack Zip2Iterator
        Zip2Sequence
        """.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { String(Substring($0)) })
}
