extension SwiftNames {
    /// The public types of Swift's standard library, Foundation (also on Apple's platforms) and SwiftUI.
    ///
    /// A type of the standard library with the same name is hidden in files that import the generated module. A type of
    /// Foundation or SwiftUI is ambiguous there. A test compares the list with the toolchain and prints missing names.
    package static let frameworkTypeNames = Set(
        """
        Accessibility AccessibilityActionCategory AccessibilityActionKind AccessibilityAdjustmentDirection
        AccessibilityAttachmentModifier AccessibilityChildBehavior AccessibilityCustomContentKey
        AccessibilityDirectTouchOptions AccessibilityFocusState AccessibilityHeadingLevel AccessibilityLabeledPairRole
        AccessibilityQuickActionPromptStyle AccessibilityQuickActionStyle AccessibilityRotorContent
        AccessibilityRotorContentBuilder AccessibilityRotorEntry AccessibilitySystemRotor AccessibilityTechnologies
        AccessibilityTextContentType AccessibilityTraits AccessibilityZoomGestureAction AccessoryBarActionButtonStyle
        AccessoryBarButtonStyle AccessoryCircularCapacityGaugeStyle AccessoryCircularGaugeStyle
        AccessoryLinearCapacityGaugeStyle AccessoryLinearGaugeStyle ActionSheet Actor AdditiveArithmetic AffineTransform
        Alert Alignment AlignmentID AlignmentOptions AlternatingRowBackgroundBehavior Anchor Angle AngularGradient
        Animatable AnimatableModifier AnimatablePair AnimatableValues Animation AnimationCompletionCriteria
        AnimationContext AnimationState AnimationTimelineSchedule AnyActor AnyBidirectionalCollection AnyClass
        AnyCollection AnyGesture AnyGradient AnyHashable AnyIndex AnyIterator AnyKeyPath AnyLayout AnyObject
        AnyRandomAccessCollection AnyRegexOutput AnySequence AnyShape AnyShapeStyle AnyTransition AnyView App AppStorage
        Array ArrayLiteralConvertible ArraySlice AsyncCharacterSequence AsyncCompactMapSequence AsyncDropFirstSequence
        AsyncDropWhileSequence AsyncFilterSequence AsyncFlatMapSequence AsyncImage AsyncImagePhase AsyncIteratorProtocol
        AsyncLineSequence AsyncMapSequence AsyncPrefixSequence AsyncPrefixWhileSequence AsyncSequence AsyncStream
        AsyncThrowingCompactMapSequence AsyncThrowingDropWhileSequence AsyncThrowingFilterSequence
        AsyncThrowingFlatMapSequence AsyncThrowingMapSequence AsyncThrowingPrefixWhileSequence AsyncThrowingStream
        AsyncUnicodeScalarSequence AttributeContainer AttributeDynamicLookup AttributeScope
        AttributeScopeCodableConfiguration AttributeScopes AttributedString AttributedStringAttributeMutation
        AttributedStringKey AttributedStringProtocol AttributedSubstring AutomaticControlGroupStyle AutomaticFormStyle
        AutomaticHoverEffect AutomaticImmersionStyle AutomaticLabeledContentStyle AutomaticMenuStyle
        AutomaticNavigationSplitViewStyle AutomaticNavigationTransition AutomaticTableStyle Axis BackgroundProminence
        BackgroundStyle BackgroundTask BadgeProminence BalancedNavigationSplitViewStyle BidirectionalCollection
        BidirectionalIndexable BidirectionalSlice BinaryFloatingPoint BinaryInteger Bindable BindableObject Binding
        BitwiseCopyable BlendMode BlockOperation BlurReplaceTransition Bool BooleanLiteralConvertible BooleanLiteralType
        BorderedButtonMenuStyle BorderedButtonStyle BorderedListStyle BorderedProminentButtonStyle BorderedTableStyle
        BorderlessButtonMenuStyle BorderlessButtonStyle Bundle Button ButtonBorderShape ButtonMenuStyle
        ButtonRepeatBehavior ButtonRole ButtonSizing ButtonStyle ButtonStyleConfiguration ButtonToggleStyle
        ByteCountFormatStyle ByteCountFormatter CBool CChar CChar16 CChar32 CChar8 CDouble CFArray CFData CFDate
        CFDictionary CFError CFString CFURL CFloat CFloat16 CGAffineTransform CGColor CGContext CGFloat CGImage CGPath
        CGPoint CGRect CGRectEdge CGSize CGVector CInt CLong CLongDouble CLongLong CShort CSignedChar CUnsignedChar
        CUnsignedInt CUnsignedLong CUnsignedLongLong CUnsignedShort CVaListPointer CVarArg CWideChar CachedURLResponse
        Calendar CancellationError Canvas Capsule CardButtonStyle CarouselListStyle CaseIterable Character CharacterSet
        CheckboxToggleStyle CheckedContinuation Circle CircularProgressViewStyle Clock ClosedRange ClosedRangeIndex
        CocoaError Codable CodableAttributedStringKey CodableConfiguration CodableWithConfiguration CodingKey
        CodingKeyRepresentable CodingUserInfoKey Collection CollectionDifference CollectionOfOne Color ColorPicker
        ColorRenderingMode ColorScheme ColorSchemeContrast ColumnNavigationViewStyle ColumnsFormStyle CommandGroup
        CommandGroupPlacement CommandLine CommandMenu Commands CommandsBuilder CompactDatePickerStyle
        CompactMenuControlGroupStyle Comparable ComparableComparator Comparator ComparisonResult CompositorContent
        CompositorLayer ConcentricRectangle ConcurrentValue ContainerBackgroundPlacement ContainerRelativeShape
        ContainerValueKey ContainerValues ContentMarginPlacement ContentMode ContentShapeKinds ContentSizeCategory
        ContentToolbarPlacement ContentTransition ContentUnavailableView ContextMenu ContiguousArray ContiguousBytes
        ContinuousClock ControlActiveState ControlGroup ControlGroupStyle ControlGroupStyleConfiguration ControlSize
        ControlWidget CoordinateSpace CoordinateSpaceProtocol Copyable CountableClosedRange CountablePartialRangeFrom
        CountableRange CubicKeyframe CurrencyFormatStyleConfiguration CustomAnimation CustomConsumingRegexComponent
        CustomDebugStringConvertible CustomHoverEffect CustomLeafReflectable CustomNSError
        CustomPlaygroundDisplayConvertible CustomPlaygroundQuickLookable CustomPresentationDetent CustomReflectable
        CustomStringConvertible CustomizableToolbarContent Data DataProtocol Date DateComponents DateComponentsFormatter
        DateFormatter DateInterval DateIntervalFormatter DatePicker DatePickerComponents DatePickerStyle
        DatePickerStyleConfiguration Decimal Decodable DecodableAttributedStringKey DecodableWithConfiguration Decoder
        DecodingConfigurationProviding DecodingError DefaultBidirectionalIndices DefaultButtonLabel
        DefaultDatePickerStyle DefaultDateProgressLabel DefaultDocumentGroupLaunchActions DefaultFocusEvaluationPriority
        DefaultGaugeStyle DefaultGlassEffectShape DefaultGroupBoxStyle DefaultIndices DefaultLabelStyle DefaultListStyle
        DefaultMenuButtonStyle DefaultMenuStyle DefaultNavigationViewStyle DefaultPickerStyle DefaultProgressViewStyle
        DefaultRandomAccessIndices DefaultSettingsLinkLabel DefaultShareLinkLabel DefaultStringInterpolation
        DefaultTabLabel DefaultTabViewStyle DefaultTextFieldStyle DefaultToggleStyle DefaultToolbarItem
        DefaultWindowStyle DefaultWindowToolbarStyle DefaultWindowVisibilityToggleLabel DelayedTransition DepthAlignment
        DescriptiveNumberFormatConfiguration DialogSeverity Dictionary DictionaryIndex DictionaryIterator
        DictionaryLiteral DictionaryLiteralConvertible DigitalCrownEvent DigitalCrownRotationalSensitivity Dimension
        DiscardingTaskGroup DisclosureGroup DisclosureGroupStyle DisclosureGroupStyleConfiguration DisclosureTableRow
        DiscontiguousAttributedSubstring DiscontiguousSlice DiscreteFormatStyle DismissAction DismissBehavior
        DismissImmersiveSpaceAction DismissSearchAction DismissWindowAction DistributedNotificationCenter Divider
        DocumentConfiguration DocumentGroup DocumentGroupLaunchScene DocumentLaunchGeometryProxy DocumentLaunchView
        Double DoubleColumnNavigationViewStyle DragConfiguration DragDropPreviewsFormation DragGesture DragInfo
        DragSession DropConfiguration DropDelegate DropFirstSequence DropInfo DropOperation DropProposal DropSession
        DropWhileSequence Duration DurationProtocol DynamicProperty DynamicTableRowContent DynamicTypeSize
        DynamicViewContent Edge EdgeInsets EditActions EditButton EditMode EditableCollectionContent Ellipse
        EllipticalGradient EmptyAnimatableData EmptyCollection EmptyCommands EmptyControlWidgetConfiguration
        EmptyControlWidgetTemplate EmptyHoverEffect EmptyHoverEffectContent EmptyIterator
        EmptyMatchedTransitionSourceConfiguration EmptyModifier EmptyTableRowContent EmptyView EmptyVisualEffect
        EmptyWidgetConfiguration EnabledTextSelectability Encodable EncodableAttributedStringKey
        EncodableWithConfiguration Encoder EncodingConfigurationProviding EncodingError EnergyFormatter
        EnumeratedIterator EnumeratedSequence Environment EnvironmentKey EnvironmentObject EnvironmentValues
        EnvironmentalModifier Equatable EquatableView Error Escapable EventModifiers EveryMinuteTimelineSchedule
        ExclusiveGesture Executor ExecutorJob ExpandedWindowToolbarStyle ExplicitTimelineSchedule
        ExpressibleByArrayLiteral ExpressibleByBooleanLiteral ExpressibleByDictionaryLiteral
        ExpressibleByExtendedGraphemeClusterLiteral ExpressibleByFloatLiteral ExpressibleByIntegerLiteral
        ExpressibleByNilLiteral ExpressibleByStringInterpolation ExpressibleByStringLiteral
        ExpressibleByUnicodeScalarLiteral Expression ExtendedGraphemeClusterLiteralConvertible
        ExtendedGraphemeClusterType FetchRequest FetchedResults FieldDatePickerStyle FileAttributeKey FileAttributeType
        FileDialogBrowserOptions FileDocument FileDocumentConfiguration FileDocumentReadConfiguration
        FileDocumentWriteConfiguration FileHandle FileManager FileManagerDelegate FileProtectionType FileWrapper
        FillShapeStyle FillShapeView FillStyle FindContext FittedPresentationSizing FixedTextVariant FixedWidthInteger
        FlattenBidirectionalCollection FlattenBidirectionalCollectionIndex FlattenCollection FlattenCollectionIndex
        FlattenSequence Float Float16 Float32 Float64 Float80 FloatLiteralConvertible FloatLiteralType FloatingPoint
        FloatingPointClassification FloatingPointFormatStyle FloatingPointParseStrategy FloatingPointRoundingRule
        FloatingPointSign FocusInteractions FocusState FocusedBinding FocusedObject FocusedValue FocusedValueKey
        FocusedValues Font ForEach ForEachSectionCollection ForEachSubviewCollection ForegroundStyle Form
        FormPresentationSizing FormStyle FormStyleConfiguration FormatStyle FormatStyleCapitalizationContext Formatter
        FrameResizeDirection FrameResizePosition Gauge GaugeStyle GaugeStyleConfiguration GeometryEffect GeometryProxy
        GeometryProxy3D GeometryReader GeometryReader3D Gesture GestureMask GestureState GestureStateGesture Glass
        GlassBackgroundDisplayMode GlassBackgroundEffect GlassButtonStyle GlassEffectContainer GlassEffectTransition
        GlassProminentButtonStyle GlobalActor GlobalCoordinateSpace Gradient GraphicalDatePickerStyle GraphicsContext
        Grid GridCellAnchor GridItem GridLayout GridRow Group GroupBox GroupBoxStyle GroupBoxStyleConfiguration
        GroupElementsOfContent GroupHoverEffect GroupSectionsOfContent GroupedFormStyle GroupedListStyle
        GroupedTabViewStyle HSplitView HStack HStackLayout HTTPCookie HTTPCookiePropertyKey HTTPCookieStorage
        HTTPURLResponse HandActivationBehavior HandGestureShortcut Hashable Hasher HelpLink HiddenTitleBarWindowStyle
        HierarchicalShapeStyle HierarchicalShapeStyleModifier HighlightHoverEffect HorizontalAlignment
        HorizontalDirection HorizontalEdge Host HoverEffect HoverEffectContent HoverEffectGroup HoverEffectPhaseOverride
        HoverPhase ISO8601DateFormatter IconOnlyLabelStyle Identifiable IdentityTransition Image ImagePaint
        ImageRenderer ImmersionChangeContext ImmersionStyle ImmersiveContentBrightness ImmersiveEnvironmentBehavior
        ImmersiveSpace ImmersiveSpaceContent ImmersiveSpaceContentBuilder ImmersiveSpaceViewContent IndexPath IndexSet
        IndexViewStyle Indexable IndexableBase IndexedIdentifierCollection IndexingIterator InflectionConcept
        InflectionRule InlineArray InlinePickerStyle InlinePresentationIntent InputStream InsetGroupedListStyle
        InsetListStyle InsetTableStyle InsettableShape InspectorCommands InstantProtocol Int Int128 Int16 Int32 Int64
        Int8 IntegerFormatStyle IntegerLiteralConvertible IntegerLiteralType IntegerParseStrategy InterfaceOrientation
        ItemProviderTableRowModifier IteratorOverOne IteratorProtocol IteratorSequence JSONDecoder JSONEncoder
        JSONSerialization Job JobPriority JoinedIterator JoinedSequence KeyEquivalent KeyPath KeyPathComparator KeyPress
        KeyValuePairs KeyboardShortcut KeyedDecodingContainer KeyedDecodingContainerProtocol KeyedEncodingContainer
        KeyedEncodingContainerProtocol KeyframeAnimator KeyframeTimeline KeyframeTrack KeyframeTrackContent
        KeyframeTrackContentBuilder Keyframes KeyframesBuilder Label LabelStyle LabelStyleConfiguration LabeledContent
        LabeledContentStyle LabeledContentStyleConfiguration LabeledControlGroupContent LabeledToolbarItemGroupContent
        LabelsVisibility Layout LayoutDirection LayoutDirectionBehavior LayoutProperties LayoutSubview LayoutSubviews
        LayoutValueKey LazyBidirectionalCollection LazyCollection LazyCollectionProtocol
        LazyDropWhileBidirectionalCollection LazyDropWhileCollection LazyDropWhileIndex LazyDropWhileIterator
        LazyDropWhileSequence LazyFilterBidirectionalCollection LazyFilterCollection LazyFilterIndex LazyFilterIterator
        LazyFilterSequence LazyHGrid LazyHStack LazyMapBidirectionalCollection LazyMapCollection LazyMapIterator
        LazyMapRandomAccessCollection LazyMapSequence LazyPrefixWhileBidirectionalCollection LazyPrefixWhileCollection
        LazyPrefixWhileIndex LazyPrefixWhileIterator LazyPrefixWhileSequence LazyRandomAccessCollection LazySequence
        LazySequenceProtocol LazyVGrid LazyVStack LegibilityWeight LengthFormatter LevelGaugeStyle
        LibraryContentProvider LibraryItem LimitedAvailabilityCommandContent LimitedAvailabilityConfiguration
        LinearCapacityGaugeStyle LinearGradient LinearKeyframe LinearProgressViewStyle Link LinkButtonStyle List
        ListFormatStyle ListFormatter ListItemTint ListSectionSpacing ListStyle LocalCoordinateSpace Locale
        LocalizedError LocalizedStringKey LocalizedStringResource LocationButton LongPressGesture
        LosslessStringConvertible MagnificationGesture MagnifyGesture MainActor ManagedBuffer ManagedBufferPointer
        MarkdownDecodableAttributedStringKey MassFormatter MatchedGeometryProperties
        MatchedTransitionSourceConfiguration Material MaterialActiveAppearance Measurement MeasurementFormatter
        MemoryLayout Menu MenuBarExtra MenuBarExtraStyle MenuButton MenuButtonStyle MenuControlGroupStyle MenuOrder
        MenuPickerStyle MenuStyle MenuStyleConfiguration MeshGradient Mirror MirrorPath ModifiedContent Morphology
        MoveCommandDirection MoveKeyframe MoveTransition MultiDatePicker MutableBidirectionalSlice MutableCollection
        MutableDataProtocol MutableIndexable MutableRandomAccessSlice MutableRangeReplaceableBidirectionalSlice
        MutableRangeReplaceableRandomAccessSlice MutableRangeReplaceableSlice MutableRawSpan MutableSlice MutableSpan
        NSAffineTransform NSAffineTransformStruct NSAppleScript NSApplicationDelegateAdaptor NSArray NSAssertionHandler
        NSAttributedString NSBinarySearchingOptions NSBundleResourceRequest NSCache NSCacheDelegate NSCalendar
        NSCharacterSet NSCoder NSCoding NSComparisonPredicate NSCompoundPredicate NSCondition NSConditionLock NSCopying
        NSCountedSet NSData NSDataDetector NSDate NSDateComponents NSDateInterval NSDecimalNumber
        NSDecimalNumberBehaviors NSDecimalNumberHandler NSDictionary NSEdgeInsets NSEnumerationOptions NSEnumerator
        NSError NSErrorDomain NSException NSExceptionName NSExpression NSExtensionContext NSFastEnumeration
        NSFileCoordinator NSFilePresenter NSFileProviderService NSGestureRecognizerRepresentable NSHashTable
        NSHostingController NSHostingView NSIndexPath NSIndexSet NSIndexSetIterator NSInflectionRule NSInvocation
        NSItemProvider NSKeyValueObservation NSKeyedArchiver NSKeyedArchiverDelegate NSKeyedUnarchiver
        NSKeyedUnarchiverDelegate NSLinguisticTagger NSLocale NSLock NSLocking NSMapTable NSMeasurement NSMetadataItem
        NSMetadataQuery NSMethodSignature NSMorphology NSMutableArray NSMutableAttributedString NSMutableCharacterSet
        NSMutableCopying NSMutableData NSMutableDictionary NSMutableIndexSet NSMutableOrderedSet NSMutableSet
        NSMutableString NSMutableURLRequest NSNotification NSNull NSNumber NSObject NSObjectProtocol NSOrderedSet
        NSOrthography NSPersonNameComponents NSPoint NSPointArray NSPointPointer NSPointerArray NSPointerFunctions
        NSPredicate NSProgress NSProxy NSRange NSRangePointer NSRect NSRectArray NSRectEdge NSRectPointer
        NSRecursiveLock NSRegularExpression NSSecureCoding NSSet NSSize NSSizeArray NSSizePointer NSSortDescriptor
        NSSortOptions NSString NSTermOfAddress NSTextCheckingKey NSTextCheckingResult NSTimeZone NSTimer NSURL
        NSURLComponents NSURLQueryItem NSURLRequest NSURLSession NSUUID NSUbiquitousKeyValueStore NSUndoManager
        NSUserActivity NSUserNotification NSValue NSViewControllerRepresentable NSViewRepresentable NSXPCConnection
        NSZone NamedCoordinateSpace Namespace NavigationBarItem NavigationControlGroupStyle NavigationLink
        NavigationLinkPickerStyle NavigationPath NavigationSplitView NavigationSplitViewColumn
        NavigationSplitViewConfiguration NavigationSplitViewStyle NavigationSplitViewStyleConfiguration
        NavigationSplitViewVisibility NavigationStack NavigationTransition NavigationView NavigationViewStyle NetService
        NetServiceBrowser Never NewDocumentAction NewDocumentButton NilLiteralConvertible Notification
        NotificationCenter NotificationQueue NumberFormatStyleConfiguration NumberFormatter Numeric ObjCBool
        ObjectIdentifier Observable ObservableObject ObservationRegistrar Observations ObservedObject OffsetShape
        OffsetTransition OnInsertTableRowModifier OpacityTransition OpaquePointer OpenDocumentAction
        OpenImmersiveSpaceAction OpenSettingsAction OpenURLAction OpenWindowAction OperatingSystemVersion Operation
        OperationQueue OptionSet Optional OrnamentAttachmentAnchor OutlineGroup OutlineSubgroupChildren OutputRawSpan
        OutputSpan OutputStream POSIXError PageIndexViewStyle PagePresentationSizing PageTabViewStyle
        PaletteControlGroupStyle PalettePickerStyle PaletteSelectionEffect ParseStrategy ParseableFormatStyle
        PartialAsyncTask PartialKeyPath PartialRangeFrom PartialRangeThrough PartialRangeUpTo PasteButton Path
        PencilDoubleTapGestureValue PencilHoverPose PencilPreferredAction PencilSqueezeGesturePhase
        PencilSqueezeGestureValue PeriodicTimelineSchedule PersistentSystemOverlays PersonNameComponents
        PersonNameComponentsFormatter PhaseAnimator PhysicalMetric PhysicalMetricsConverter Picker PickerStyle
        PinnedScrollableViews Pipe PlaceholderTextShapeStyle PlainButtonStyle PlainListStyle PlainTextEditorStyle
        PlainTextFieldStyle PlainWindowStyle PlaygroundQuickLook PointerStyle PopUpButtonPickerStyle
        PopoverAttachmentAnchor Port PortDelegate PortMessage Predicate PredicateBindings PredicateError
        PredicateExpression PredicateExpressions PreferenceKey PreferredColorSchemeKey PrefixSequence
        PresentationAdaptation PresentationBackgroundInteraction PresentationContentInteraction PresentationDetent
        PresentationIntent PresentationMode PresentationSizing PresentationSizingContext PresentationSizingRoot
        PresentedWindowContent PreviewContext PreviewContextKey PreviewDevice PreviewLayout PreviewModifier
        PreviewModifierContent PreviewPlatform PreviewProvider PrimitiveButtonStyle PrimitiveButtonStyleConfiguration
        Process ProcessInfo Progress ProgressKind ProgressReporting ProgressUserInfoKey ProgressView ProgressViewStyle
        ProgressViewStyleConfiguration ProgressiveImmersionAspectRatio ProgressiveImmersionStyle ProjectionTransform
        ProminentDetailNavigationSplitViewStyle PropertyListDecoder PropertyListEncoder PropertyListSerialization
        ProposedViewSize Protocol Published PullDownButtonPickerStyle PullDownMenuBarExtraStyle PullDownMenuButtonStyle
        PushTransition PushWindowAction QualityOfService RadialGradient RadioGroupPickerStyle RandomAccessCollection
        RandomAccessIndexable RandomAccessSlice RandomNumberGenerator Range RangeExpression
        RangeReplaceableBidirectionalSlice RangeReplaceableCollection RangeReplaceableIndexable
        RangeReplaceableRandomAccessSlice RangeReplaceableSlice RangeSet RawRepresentable RawSpan RecoverableError
        Rectangle RectangleCornerInsets RectangleCornerRadii RedactionReasons ReferenceConvertible ReferenceFileDocument
        ReferenceFileDocumentConfiguration ReferenceWritableKeyPath RefreshAction Regex RegexComponent
        RegexRepetitionBehavior RegexSemanticLevel RegexWordBoundaryKind RelativeDateTimeFormatter
        RemoteDeviceIdentifier RemoteImmersiveSpace RenameAction RenameButton Repeated ResetFocusAction
        ResolvableHoverEffect Result ReversedCollection ReversedIndex ReversedRandomAccessCollection ReversibleShape
        RotateGesture RotateGesture3D RotatedShape RotationGesture RoundRectangularShape RoundedBorderTextEditorStyle
        RoundedBorderTextFieldStyle RoundedCornerStyle RoundedRectangle RoundedRectangularShape
        RoundedRectangularShapeCorners RunLoop SIMD SIMD16 SIMD2 SIMD3 SIMD32 SIMD4 SIMD64 SIMD8 SIMDMask SIMDScalar
        SIMDStorage SafeAreaRegions ScaleTransition ScaledMetric ScaledShape Scanner Scene SceneBuilder
        SceneLaunchBehavior ScenePadding ScenePhase SceneRestorationBehavior SceneStorage ScopedAttributeContainer
        ScrollAnchorRole ScrollBounceBehavior ScrollContentOffsetAdjustmentBehavior ScrollDismissesKeyboardMode
        ScrollEdgeEffectStyle ScrollGeometry ScrollIndicatorVisibility ScrollInputBehavior ScrollInputKind ScrollPhase
        ScrollPhaseChangeContext ScrollPosition ScrollTarget ScrollTargetBehavior ScrollTargetBehaviorContext
        ScrollTargetBehaviorProperties ScrollTargetBehaviorPropertiesContext ScrollTransitionConfiguration
        ScrollTransitionPhase ScrollView ScrollViewProxy ScrollViewReader SearchFieldPlacement
        SearchPresentationToolbarBehavior SearchScopeActivation SearchSuggestionsPlacement SearchToolbarBehavior
        SearchUnavailableContent Section SectionCollection SectionConfiguration SectionCustomization
        SectionedFetchRequest SectionedFetchResults SecureField SegmentedControlStyle SegmentedPickerStyle
        SelectionShapeStyle Selector Sendable SendableMetatype SensoryFeedback SeparatorShapeStyle Sequence
        SequenceGesture SerialExecutor Set SetAlgebra SetIndex SetIterator Settings SettingsLink Shader ShaderFunction
        ShaderLibrary ShadowStyle Shape ShapeRole ShapeStyle ShapeView ShareLink SharePreview
        SidebarAdaptableTabViewStyle SidebarCommands SidebarListStyle SidebarRowSize SignedInteger SignedNumeric
        SimultaneousGesture SingleValueDecodingContainer SingleValueEncodingContainer SizeDependentTextVariant Slice
        Slider SliderTick SliderTickBuilder SliderTickContent SliderTickContentForEach SocketNativeHandle SocketPort
        SortComparator SortDescriptor SortOrder Spacer SpacerSizing Span SpatialEventCollection SpatialEventGesture
        SpatialTapGesture Spring SpringKeyframe SpringLoadingBehavior SquareBorderTextFieldStyle
        StackNavigationViewStyle StandardPredicateExpression State StateObject StaticBigInt StaticString Stepper
        StepperFieldDatePickerStyle Stream StreamDelegate StreamNetworkServiceTypeValue StreamSOCKSProxyConfiguration
        StreamSOCKSProxyVersion StreamSocketSecurityLevel StrideThrough StrideThroughIterator StrideTo StrideToIterator
        Strideable StrikethroughStyle String StringInterpolationConvertible StringInterpolationProtocol
        StringLiteralConvertible StringLiteralType StringProtocol StringStyle StringTransform StrokeBorderShapeView
        StrokeShapeView StrokeStyle SubmitLabel SubmitTriggers SubscriptionView Substring Subview SubviewsCollection
        SubviewsCollectionSlice SurfaceClassification SurfaceSnappingInfo SuspendingClock SwiftUI SwitchToggleStyle
        SymbolColorRenderingMode SymbolEffectTransition SymbolRenderingMode SymbolVariableValueMode SymbolVariants
        SystemFormatStyle SystemRandomNumberGenerator Tab TabBarMinimizeBehavior TabBarOnlyTabViewStyle TabBarPlacement
        TabContent TabContentBuilder TabCustomizationBehavior TabPlacement TabRole TabSearchActivation TabSection
        TabView TabViewBottomAccessoryPlacement TabViewCustomization TabViewStyle Table TableColumn TableColumnAlignment
        TableColumnBuilder TableColumnContent TableColumnCustomization TableColumnCustomizationBehavior
        TableColumnForEach TableColumnHeaders TableForEachContent TableHeaderRowContent TableOutlineGroupContent
        TableRow TableRowBuilder TableRowContent TableStyle TableStyleConfiguration TapGesture Task TaskExecutor
        TaskGroup TaskLocal TaskPriority TermOfAddress Text TextAlignment TextAttribute TextEditingCommands TextEditor
        TextEditorStyle TextEditorStyleConfiguration TextField TextFieldLink TextFieldStyle TextFormattingCommands
        TextFormattingContext TextInputAutocapitalization TextInputCompletion TextInputDictationActivation
        TextInputDictationBehavior TextInputFormattingControlPlacement TextOutputStream TextOutputStreamable TextProxy
        TextRenderer TextSelectability TextSelection TextSelectionAffinity TextVariantPreference Thread
        ThrowingDiscardingTaskGroup ThrowingTaskGroup TimeDataSource TimeInterval TimeZone TimelineSchedule TimelineView
        TimelineViewDefaultContext Timer TintShapeStyle TitleAndIconLabelStyle TitleBarWindowStyle TitleOnlyLabelStyle
        Toggle ToggleStyle ToggleStyleConfiguration ToolbarCommands ToolbarContent ToolbarContentBuilder
        ToolbarCustomizationBehavior ToolbarCustomizationOptions ToolbarDefaultItemKind ToolbarItem ToolbarItemGroup
        ToolbarItemHidden ToolbarItemPlacement ToolbarLabelStyle ToolbarPlacement ToolbarRole ToolbarSpacer
        ToolbarTitleDisplayMode ToolbarTitleMenu TouchBar TouchBarItemPresence Transaction TransactionKey Transferable
        TransformedShape Transition TransitionPhase TransitionProperties TupleTabContent TupleTableColumnContent
        TupleTableRowContent TupleView TypesettingLanguage UIApplicationDelegateAdaptor UIGestureRecognizerRepresentable
        UIHostingConfiguration UIHostingController UIViewControllerRepresentable UIViewRepresentable UInt UInt128 UInt16
        UInt32 UInt64 UInt8 URL URLAuthenticationChallenge URLAuthenticationChallengeSender URLCache URLComponents
        URLCredential URLCredentialStorage URLError URLFileResourceType URLProtectionSpace URLProtocol URLProtocolClient
        URLQueryItem URLRequest URLResourceKey URLResourceValues URLResponse URLSession URLSessionConfiguration
        URLSessionDataDelegate URLSessionDataTask URLSessionDelegate URLSessionDownloadDelegate URLSessionDownloadTask
        URLSessionStreamDelegate URLSessionStreamTask URLSessionTask URLSessionTaskDelegate URLSessionTaskMetrics
        URLSessionTaskTransactionMetrics URLSessionUploadTask URLSessionWebSocketDelegate URLSessionWebSocketTask UTF16
        UTF32 UTF8 UTF8Span UUID UnboundedRange UnboundedRange_ UndoManager UnevenRoundedRectangle UnfoldFirstSequence
        UnfoldSequence Unicode UnicodeCodec UnicodeDecodingResult UnicodeScalar UnicodeScalarLiteralConvertible
        UnicodeScalarType UnifiedCompactWindowToolbarStyle UnifiedWindowToolbarStyle Unit UnitAcceleration UnitAngle
        UnitArea UnitConcentrationMass UnitConverter UnitConverterLinear UnitCurve UnitDispersion UnitDuration
        UnitElectricCharge UnitElectricCurrent UnitElectricPotentialDifference UnitElectricResistance UnitEnergy
        UnitFrequency UnitFuelEfficiency UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPoint
        UnitPoint3D UnitPower UnitPressure UnitSpeed UnitTemperature UnitVolume UnkeyedDecodingContainer
        UnkeyedEncodingContainer Unmanaged UnownedJob UnownedSerialExecutor UnownedTaskExecutor UnsafeBufferPointer
        UnsafeBufferPointerIterator UnsafeConcurrentValue UnsafeContinuation UnsafeCurrentTask
        UnsafeMutableBufferPointer UnsafeMutablePointer UnsafeMutableRawBufferPointer
        UnsafeMutableRawBufferPointerIterator UnsafeMutableRawPointer UnsafePointer UnsafeRawBufferPointer
        UnsafeRawBufferPointerIterator UnsafeRawPointer UnsafeSendable UnsafeThrowingContinuation UnsignedInteger
        UserDefaults UserInterfaceSizeClass UtilityWindow VSplitView VStack VStackLayout ValueTransformer
        VectorArithmetic VerticalAlignment VerticalDirection VerticalEdge VerticalPageTabViewStyle View View3D
        ViewAlignedScrollTargetBehavior ViewBuilder ViewDimensions ViewDimensions3D ViewModifier ViewSpacing
        ViewThatFits Viewpoint3D Visibility VisualEffect VisualEffect3D Void VolumeViewpointPredicate
        VolumetricWindowStyle WKExtensionDelegateAdaptor WheelDatePickerStyle WheelPickerStyle Window WindowAlignment
        WindowBackgroundDragBehavior WindowDragGesture WindowGroup WindowInteractionBehavior WindowLayoutRoot
        WindowLevel WindowManagerRole WindowMenuBarExtraStyle WindowPlacement WindowProxy WindowResizability
        WindowResizeAnchor WindowStyle WindowStyleConfiguration WindowToolbarFullScreenVisibility WindowToolbarStyle
        WindowVisibilityToggle WorldRecenterPhase WorldTrackingLimitation WritableKeyPath WritingDirectionStrategy
        WritingToolsBehavior XMLDTD XMLDTDNode XMLDocument XMLElement XMLNode XMLParser XMLParserDelegate ZStack
        ZStackLayout Zip2Iterator Zip2Sequence ZoomNavigationTransition
        """.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { String(Substring($0)) })
}
