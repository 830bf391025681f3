package import LogDefinitions

extension Column {
    /// The annotations as members of a schema, with unique keys. A key is the header with the prefix `x-`. The prefix
    /// is `x-cell-` if loggen itself writes that `x-` key, or if the header begins with `cell-`.
    var annotationMembers: [(key: String, value: String)] {
        annotationsByHeader.map { annotation in
            let isOurs = ["maxBytes", "swift"].contains(annotation.header) || annotation.header.hasPrefix("cell-")
            return ((isOurs ? "x-cell-" : "x-") + annotation.header, annotation.value)
        }
    }

    /// The annotations with unique headers, in the table's order. Cells with equal headers are joined by newlines.
    package var annotationsByHeader: [Annotation] {
        guard annotations.count > 1 else { return annotations }
        var merged: [Annotation] = []
        var indices: [ExactString: Int] = [:]
        for annotation in annotations {
            if let index = indices[ExactString(annotation.header)] {
                merged[index].value += "\n" + annotation.value
            } else {
                indices[ExactString(annotation.header)] = merged.count
                merged.append(annotation)
            }
        }
        return merged
    }
}
