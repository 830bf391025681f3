package import JSONSyntax
package import LogDefinitions

extension ExampleValue: JSONWritable {
    package func write(to json: inout JSONWriter) {
        switch self {
        case .string(let value): json.value(value)
        case .integer(let value): json.value(value)
        case .number(let value): json.value(value)
        case .boolean(let value): json.value(value)
        case .array(let values): json.array { json in for value in values { json.value(value) } }
        }
    }
}
