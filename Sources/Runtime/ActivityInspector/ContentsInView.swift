import ContentVisibility

extension ScreenSnapshot {
    /// The visit of the screen, or why none is in progress.
    package var title: String {
        [visit.map { "visit \($0)" }, obstacle?.label].compactMap { $0 }.joined(separator: ", ")
    }
}

extension ScreenSnapshot.Content {
    /// The name, cut to a length that a view can lay out.
    package var shortName: String { ShortText.cut(name) }

    /// The numbers of the reason: `In view: 50%. Rule: 80% for 2 s, once per visit.`
    package var facts: String {
        "In view: \(ImpressionText.percent(progress.fraction)). Rule: \(ImpressionText.words(progress.rule))."
    }
}
