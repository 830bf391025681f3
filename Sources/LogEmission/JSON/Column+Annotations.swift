import LogDefinitions

extension Column {
    /// The annotations with each header once, in the table's order: cells under equal headers become one text.
    var annotationsByHeader: [Annotation] {
        guard annotations.count > 1 else { return annotations }
        var merged: [Annotation] = []
        var indices: [String: Int] = [:]
        for annotation in annotations {
            if let index = indices[annotation.header] {
                merged[index].value += "\n" + annotation.value
            } else {
                indices[annotation.header] = merged.count
                merged.append(annotation)
            }
        }
        return merged
    }
}
