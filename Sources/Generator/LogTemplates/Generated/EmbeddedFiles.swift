// Made from the files in Templates. Do not edit.
// To make it again: `RECORD_SNAPSHOTS=1 swift test --filter EmbeddedFilesTests`.
// swift-format-ignore-file

enum EmbeddedFiles {
    static let index_all_mustache = #"""
<!-- {{header}} -->

# Log events

{{#categories}}
{{#first()}}
| category | title | owner |
| --- | --- | --- |
{{/first()}}
| [{{name}}](#{{name}}) | {{title}} | {{owner}} |
{{/categories}}
{{#categories}}

## {{name}}

{{#title}}{{title}} · {{/title}}{{#owner}}{{owner}} · {{/owner}}{{#link}}[{{file}}]({{link}}){{/link}}{{^link}}{{file}\#
}{{/link}}

{{#description}}
{{description}}

{{/description}}
{{#events}}
{{#first()}}
| event | title | status | since | owner | description |
| --- | --- | --- | --- | --- | --- |
{{/first()}}
| {{#link}}[{{name}}]({{link}}){{/link}}{{^link}}{{name}}{{/link}} | {{title}} | {{status}} | {{since}} | {{owner}} | \#
{{description}} |
{{/events}}
{{/categories}}

"""#
    static let index_output_yml = #"""
# A page of Markdown for the git host: README.md is shown beside the folder's files.
extension: md
file: {all: README}
text: {string: markdown, comment: markdown}

"""#
    static let kotlin_all_mustache = #"""
// {{header}}

@file:Suppress("unused")

package {{option.package}}

// A class of the documents may have a name of the standard library's. An import goes before it.
import java.lang.Math.floorDiv
import java.lang.Math.floorMod
import java.math.BigDecimal
import java.math.MathContext
import java.math.RoundingMode
import java.time.Instant
import java.time.LocalDate
import java.util.UUID
import kotlin.Char
import kotlin.Number
import kotlin.collections.ArrayList
import kotlin.collections.LinkedHashMap
import kotlin.collections.LinkedHashSet
import kotlin.collections.Map
import kotlin.math.abs
import kotlin.math.max
import kotlin.math.min
import kotlin.text.Charsets
import kotlin.text.StringBuilder

/** Something that happens and is logged. */
public abstract class LogEvent internal constructor() {
    internal abstract fun write(to: LogMembers)

    /**
     * The members of the event's record that are its own: `event_category`, `event_name`, `schema_version`, the colum\#
ns that have a value,
     * and `violations`, if a value breaks its definition.
     *
     * A value is a `String`, `Long`, `Double`, `Float`, `Boolean`, a list of them, or [LogRecord.Null]. Dates, times,\#
 decimal numbers and
     * the like are texts, as in the record.
     */
    public fun toRecord(): Map<String, Any> {
        val members = LogMembers()
        write(members)
        val record = LinkedHashMap<String, Any>()
        record["event_category"] = members.category
        record["event_name"] = members.event
        record["schema_version"] = members.version
        record.putAll(members.values)
        if (members.violations.isNotEmpty()) record["violations"] = ArrayList(members.violations)
        return record
    }
}

/** A value of a type that the documents name. */
public interface LogValue<out T> {
    /** What records have. */
    public val rawValue: T
}

/**
 * An event as it is stored and sent: one flat JSON object, the same text as that of the other platforms for the same \#
values.
 *
 * Its members are `event_id`, `event_category`, `event_name`, `schema_version`, `occurred_at`, `sampling_rate` if onl\#
y a share is kept, the
 * common columns, the event's columns, and `violations`, if there are any. A value that breaks its definition is in i\#
t all the same, or `null` if JSON has no such value.
 *
 * @param event what happened.
{{#common}}
 * @param common the columns that every event carries.
{{/common}}
 * @param occurredAt when it happened. A time outside the years 0 to 9999 is written as 1970-01-01T00:00:00.000Z and n\#
oted as a violation.
 * @param id tells receivers which records are the same.
 */
public class LogRecord @JvmOverloads constructor(
    event: LogEvent,
{{#common}}
    common: CommonColumns,
{{/common}}
    public val occurredAt: Instant = Instant.now(),
    public val id: UUID = LogRecord.id(occurredAt)
) {
    /** The members in order, with values as of [LogEvent.toRecord]. */
    public val members: Map<String, Any>

    /** The values that break their definition, as `column: rule` in the words of JSON Schema, or `column: type` if JS\#
ON has no such value. */
    public val violations: List<String>

    /** The object on one line. */
    public val json: String

    /**
     * Whether the record belongs to the share that its definition keeps (`sampling`). What does not is not to be sent.
     *
     * The column that `sampling-key` names in `loggen.yml` decides, otherwise the record's id. It decides alike on al\#
l platforms.
     */
    public val isKept: Boolean

    init {
        val columns = LogMembers()
{{#common}}
        common.write(columns)
{{/common}}
        val values = LinkedHashMap<String, Any>()
        values["event_id"] = id.toString()
        val time = LogText.timestamp(occurredAt)
        if (time == null) columns.violations.add("occurred_at: format")
        event.write(columns)
        values["event_category"] = columns.category
        values["event_name"] = columns.event
        values["schema_version"] = columns.version
        values["occurred_at"] = time ?: "1970-01-01T00:00:00.000Z"
        if (columns.sampling > 0.0 && columns.sampling < 1.0) values["sampling_rate"] = columns.sampling
        values.putAll(columns.values)
        violations = ArrayList(columns.violations)
        if (violations.isNotEmpty()) values["violations"] = violations
        members = values
        json = LogText.json(values)
        val key: Any? = {{#common}}{{#sampling-key}}columns.values[{{sampling-key.string}}]{{/sampling-key}}{{^samplin\#
g-key}}null{{/sampling-key}}{{/common}}{{^common}}null{{/common}}
        val text = if (key == null) LogText.upper(id.toString()) else LogText.json(key)
        isKept = columns.sampling >= 1.0 || LogText.fraction(text) < columns.sampling
    }

    override fun equals(other: Any?): Boolean = other is LogRecord && other.json == json

    override fun hashCode(): Int = json.hashCode()

    override fun toString(): String = json

    /** Stands for a value that JSON does not have, such as a number that is none. */
    public object Null {
        override fun toString(): String = "null"
    }

    public companion object {
        /** A new identifier for an event of a time: a UUID of version 7 (RFC 9562), whose other 74 bits are random. */
        public fun id(occurredAt: Instant): UUID {
            val random = UUID.randomUUID()
            val seconds = max(0L, min(occurredAt.epochSecond, 281_474_976_709L))
            val time = seconds * 1000 + occurredAt.nano / 1_000_000
            return UUID((time shl 16) or 0x7000L or (random.mostSignificantBits and 0xFFFL), random.leastSignificantBi\#
ts)
        }
    }
}

/** What an event or the common columns hand over for a record. */
internal class LogMembers {
    var category = ""
    var event = ""
    var version = ""
    var sampling = 1.0
    val values = LinkedHashMap<String, Any>()
    val violations = LinkedHashSet<String>()
    private var column = ""

    fun begin(category: String, event: String, version: String, sampling: Double) {
        this.category = category
        this.event = event
        this.version = version
        this.sampling = sampling
    }

    fun <T : Any> add(name: String, value: T?, check: LogCheck<T>) {
        if (value == null) return
        column = name
        values[name] = check.read(value, this)
    }

    fun note(rule: String) {
        violations.add(column + ": " + rule)
    }

    fun none(): Any {
        note("type")
        return LogRecord.Null
    }
}

/** What a column's values must keep to, and how a record has them. */
internal abstract class LogCheck<in T : Any> {
    abstract fun read(value: T, members: LogMembers): Any

    class Text(private val maxLength: Int, private val maxBytes: Int) : LogCheck<String>() {
        override fun read(value: String, members: LogMembers): Any {
            val text = LogText.repaired(value)
            // Unicode scalars, and bytes of UTF-8.
            var length = 0
            var bytes = 0
            for (unit in text) {
                if (!unit.isLowSurrogate()) length += 1
                bytes += if (unit < '\u0080') 1 else if (unit < '\u0800' || unit.isSurrogate()) 2 else 3
            }
            if (length > maxLength) members.note("maxLength")
            if (bytes > maxBytes) members.note("maxBytes")
            return text
        }
    }

    class Whole(private val lowest: Long, private val highest: Long) : LogCheck<Number>() {
        override fun read(value: Number, members: LogMembers): Any {
            val number = value.toLong()
            if (number < lowest) members.note("minimum")
            if (number > highest) members.note("maximum")
            return number
        }
    }

    class Fraction(private val minimum: Double, private val maximum: Double) : LogCheck<Number>() {
        override fun read(value: Number, members: LogMembers): Any {
            val double = value.toDouble()
            if (double.isNaN() || double.isInfinite()) return members.none()
            // A float is checked as the decimal number that is written: the float nearest to 0.1 is above 0.1.
            val number = if (value is Float) LogText.number(value).toDouble() else double
            if (number < minimum) members.note("minimum")
            if (number > maximum) members.note("maximum")
            return value
        }
    }

    /** Nothing is rounded: `12.50` for a scale of 2. A precision of 0 allows all numbers. */
    class Digits(private val precision: Int, private val scale: Int) : LogCheck<BigDecimal>() {
        override fun read(value: BigDecimal, members: LogMembers): Any {
            // No platform holds more.
            if (value.signum() != 0 && abs(value.precision().toLong() - value.scale()) > 165) return members.none()
            val number = value.stripTrailingZeros()
            if (value.signum() != 0 && number.scale() > 65_536) return members.none()
            val plain = if (value.signum() == 0) "0" else number.toPlainString()
            val whole = plain.substringBefore('.').removePrefix("-")
            val fraction = plain.substringAfter('.', "")
            if (precision > 0 && (fraction.length > scale || (if (whole == "0") 0 else whole.length) > precision - sca\#
le)) members.note("pattern")
            if (fraction.length >= scale) return plain
            return plain.substringBefore('.') + "." + fraction.padEnd(scale, '0')
        }
    }

    object Flag : LogCheck<Boolean>() {
        override fun read(value: Boolean, members: LogMembers): Any = value
    }

    object Day : LogCheck<LocalDate>() {
        override fun read(value: LocalDate, members: LogMembers): Any = LogText.day(value) ?: members.none()
    }

    object Moment : LogCheck<Instant>() {
        override fun read(value: Instant, members: LogMembers): Any = LogText.timestamp(value) ?: members.none()
    }

    object Key : LogCheck<UUID>() {
        override fun read(value: UUID, members: LogMembers): Any = value.toString()
    }

    object Link : LogCheck<String>() {
        override fun read(value: String, members: LogMembers): Any {
            if (!LogText.isAbsoluteURI(value)) members.note("format")
            return LogText.repaired(value)
        }
    }

    class Items<in T : Any>(private val items: LogCheck<T>, private val fewest: Long, private val most: Long) : LogChe\#
ck<List<T>>() {
        override fun read(value: List<T>, members: LogMembers): Any {
            if (value.size < fewest) members.note("minItems")
            if (value.size > most) members.note("maxItems")
            return value.map { items.read(it, members) }
        }
    }

    class Named<in T : Any>(private val check: LogCheck<T>) : LogCheck<LogValue<T>>() {
        override fun read(value: LogValue<T>, members: LogMembers): Any = check.read(value.rawValue, members)
    }

    /** A value of a type that the documents know by name alone. */
    object Unknown : LogCheck<Any>() {
        override fun read(value: Any, members: LogMembers): Any = when (value) {
            is LogValue<*> -> value.rawValue?.let { read(it, members) } ?: members.none()
            is String -> LogText.repaired(value)
            is Boolean -> value
            is Byte, is Short, is Int, is Long -> (value as Number).toLong()
            is Float, is Double -> Fraction(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY).read(value as Number, \#
members)
            is BigDecimal -> Digits(0, 0).read(value, members)
            is LocalDate -> Day.read(value, members)
            is Instant -> Moment.read(value, members)
            is UUID -> value.toString()
            is List<*> -> value.map { item -> item?.let { read(it, members) } ?: members.none() }
            else -> members.none()
        }
    }
}

/** Values as text, to the byte as the other platforms write them. */
internal object LogText {
    fun json(value: Any): String = StringBuilder().also { write(value, it) }.toString()

    private fun write(value: Any, to: StringBuilder) {
        when (value) {
            is String -> quote(value, to)
            is Double -> to.append(number(value))
            is Float -> to.append(number(value))
            is List<*> -> {
                to.append('[')
                value.forEachIndexed { index, item ->
                    if (index > 0) to.append(',')
                    write(item ?: LogRecord.Null, to)
                }
                to.append(']')
            }
            is Map<*, *> -> {
                to.append('{')
                var isFirst = true
                for ((name, member) in value) {
                    if (!isFirst) to.append(',')
                    isFirst = false
                    quote(name.toString(), to)
                    to.append(':')
                    write(member ?: LogRecord.Null, to)
                }
                to.append('}')
            }
            else -> to.append(value.toString())
        }
    }

    /** RFC 8259, section 7: quotation marks, backslashes and controls are escaped, and everything else is written as \#
it is. */
    private fun quote(text: String, to: StringBuilder) {
        to.append('"')
        for (unit in text) {
            when {
                unit == '"' -> to.append("\\\"")
                unit == '\\' -> to.append("\\\\")
                unit == '\n' -> to.append("\\n")
                unit == '\r' -> to.append("\\r")
                unit == '\t' -> to.append("\\t")
                unit < ' ' -> to.append("\\u00").append(if (unit < '\u0010') '0' else '1').append("0123456789abcdef"[(\#
unit - '\u0000') and 15])
                else -> to.append(unit)
            }
        }
        to.append('"')
    }

    /** The text with capitals for the ASCII letters, in every version of Kotlin and for every locale. */
    fun upper(text: String): String {
        val result = StringBuilder(text.length)
        for (unit in text) result.append(if (unit in 'a'..'z') unit - 32 else unit)
        return result.toString()
    }

    /** The text with U+FFFD for each half of a surrogate pair that stands alone: UTF-8 has none. */
    fun repaired(text: String): String {
        var index = 0
        while (index < text.length && !text[index].isSurrogate()) index += 1
        if (index == text.length) return text
        val result = StringBuilder(text.length)
        result.append(text, 0, index)
        while (index < text.length) {
            val unit = text[index]
            index += 1
            if (unit.isHighSurrogate() && index < text.length && text[index].isLowSurrogate()) {
                result.append(unit).append(text[index])
                index += 1
            } else {
                result.append(if (unit.isSurrogate()) '\ufffd' else unit)
            }
        }
        return result.toString()
    }

    fun number(value: Double): String {
        if (value == 0.0) return if (1 / value < 0) "-0.0" else "0.0"
        val magnitude = abs(value)
        val quick = BigDecimal(magnitude.toString()).stripTrailingZeros()
        // Before Java 19, `toString` has digits too many now and then. With 15 or fewer, no other digits mean the sam\#
e number.
        val digits =
            if (quick.precision() <= 15 && magnitude >= 2.2250738585072014E-308) quick
            else shortest(BigDecimal(magnitude), 17) { it.toDouble() == magnitude }
        return (if (value < 0) "-" else "") + number(digits, magnitude > 9_007_199_254_740_992.0)
    }

    fun number(value: Float): String {
        if (value == 0f) return if (1 / value < 0) "-0.0" else "0.0"
        val magnitude = abs(value)
        val quick = BigDecimal(magnitude.toString()).stripTrailingZeros()
        val digits =
            if (quick.precision() <= 6 && magnitude >= 1.17549435E-38f) quick
            else shortest(BigDecimal(magnitude.toDouble()), 9) { it.toFloat() == magnitude }
        return (if (value < 0) "-" else "") + number(digits, magnitude > 16_777_216f)
    }

    /** The fewest digits that are read as the number, and the nearest to it of these; of two that are as near, the ev\#
en ones. */
    private fun shortest(exact: BigDecimal, most: Int, isRead: (BigDecimal) -> Boolean): BigDecimal {
        for (precision in 1..most) {
            val nearer = exact.round(MathContext(precision, RoundingMode.HALF_EVEN))
            val other = exact.round(MathContext(precision, if (nearer > exact) RoundingMode.DOWN else RoundingMode.UP))
            if (isRead(nearer)) return nearer.stripTrailingZeros()
            if (isRead(other)) return other.stripTrailingZeros()
        }
        return exact.stripTrailingZeros()
    }

    private fun number(digits: BigDecimal, isLarge: Boolean): String {
        val exponent = digits.precision() - digits.scale() - 1
        if (exponent >= -4 && !isLarge) {
            val plain = digits.toPlainString()
            return if (plain.contains('.')) plain else plain + ".0"
        }
        val all = digits.unscaledValue().toString()
        val mantissa = if (all.length == 1) all else all.substring(0, 1) + "." + all.substring(1)
        return mantissa + (if (exponent < 0) "e-" else "e+") + abs(exponent).toString().padStart(2, '0')
    }

    fun day(value: LocalDate): String? {
        if (value.year < 0 || value.year > 9999) return null
        return padded(value.year, 4) + "-" + padded(value.monthValue, 2) + "-" + padded(value.dayOfMonth, 2)
    }

    /** RFC 3339, UTC, milliseconds, rounded as Swift rounds: half a millisecond goes away from 1970. Null outside the\#
 years 0 to 9999. */
    fun timestamp(value: Instant): String? {
        if (abs(value.epochSecond) > 1_000_000_000_000L) return null
        val below = value.epochSecond * 1000 + value.nano / 1_000_000
        val rest = value.nano % 1_000_000
        val milliseconds = if (if (below < 0) rest > 500_000 else rest >= 500_000) below + 1 else below
        val day = day(LocalDate.ofEpochDay(floorDiv(milliseconds, 86_400_000L))) ?: return null
        val time = floorMod(milliseconds, 86_400_000L).toInt()
        return day + "T" + padded(time / 3_600_000, 2) + ":" + padded(time / 60_000 % 60, 2) + ":" + padded(time / 100\#
0 % 60, 2) + "." +
            padded(time % 1000, 3) + "Z"
    }

    private fun padded(number: Int, digits: Int): String = number.toString().padStart(digits, '0')

    /** RFC 3986: a scheme, and the characters of a URI with complete percent-encodings and at most one fragment. */
    fun isAbsoluteURI(text: String): Boolean {
        val colon = text.indexOf(':')
        if (colon < 1 || !isLetter(text[0])) return false
        for (index in 0 until colon) if (!isLetter(text[index]) && text[index] !in '0'..'9' && text[index] !in "+.-") \#
return false
        var hasFragment = false
        var index = colon + 1
        while (index < text.length) {
            val sign = text[index]
            index += 1
            if (isLetter(sign) || sign in '0'..'9') continue
            if (sign == '#') {
                if (hasFragment) return false
                hasFragment = true
            } else if (sign == '%') {
                if (index + 1 >= text.length || !isHexadecimal(text[index]) || !isHexadecimal(text[index + 1])) return\#
 false
                index += 2
            } else if (sign !in "._~:/?@!\u0024&'()*+,;=[]-") {
                return false
            }
        }
        return true
    }

    private fun isLetter(sign: Char): Boolean = sign in 'a'..'z' || sign in 'A'..'Z'

    private fun isHexadecimal(sign: Char): Boolean = sign in '0'..'9' || sign in 'a'..'f' || sign in 'A'..'F'

    /** The place of a text between 0 and 1: FNV-1a of 64 bits, mixed by the finalizer of MurmurHash3. */
    fun fraction(text: String): Double {
        var hash = -0x340d631b7bdddcdbL
        for (byte in text.toByteArray(Charsets.UTF_8)) {
            if (byte.toInt() != 0x22) hash = (hash xor (byte.toLong() and 0xFF)) * 0x100000001b3L
        }
        hash = (hash xor (hash ushr 33)) * -0xae502812aa7333L
        hash = (hash xor (hash ushr 33)) * -0x3b314601e57a13adL
        hash = hash xor (hash ushr 33)
        return (hash ushr 11).toDouble() / 9_007_199_254_740_992.0
    }
}

"""#
    static let kotlin_category_mustache = #"""
// {{header}}

@file:Suppress("unused", "DEPRECATION")

package {{option.package}}

import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDate
import java.util.UUID
{{#category}}

/**
 * `{{name}}`
{{#title}}
 *
 * {{title}}
{{/title}}
{{#description.lines}}
{{#first()}}
 *
{{/first()}}
 *{{#line}} {{line}}{{/line}}
{{/description.lines}}
{{#owner}}
 *
 * Owner: {{owner}}
{{/owner}}
 */
public sealed class {{identifier}} : LogEvent() {
{{#events}}
{{^retired}}
    /**
     * `{{name}}`
{{#title}}
     *
     * {{title}}
{{/title}}
{{#description.lines}}
{{#first()}}
     *
{{/first()}}
     *{{#line}} {{line}}{{/line}}
{{/description.lines}}
{{#trigger}}
     *
     * Trigger: `{{notation}}`
{{/trigger}}
{{#owner}}
     *
     * Owner: {{owner}}
{{/owner}}
{{#sampling}}
     *
     * Sampling: {{sampling.percent}}
{{/sampling}}
     */
{{#deprecated}}
    @Deprecated({{deprecated.string}})
{{/deprecated}}
{{#columns}}
{{#first()}}
    public data class {{event.identifier}}(
{{/first()}}
{{#description}}
        /** {{description}} */
{{/description}}
{{#deprecated}}
        @Deprecated({{deprecated.string}})
{{/deprecated}}
        public val {{identifier}}: {{type}}{{^required}} = null{{/required}}{{^last()}},{{/last()}}
{{/columns}}
{{#columns}}
{{#first()}}
    ) : {{option.package}}.{{category.identifier}}() {
        override fun write(to: LogMembers) {
            to.begin({{category.name.string}}, {{event.name.string}}, "{{event.version}}", {{#sampling}}{{sampling}}{{\#
/sampling}}{{^sampling}}1.0{{/sampling}})
{{/first()}}
            to.add({{name.string}}, this.{{identifier}}, {{check}})
{{#last()}}
        }
{{#event.renamed-columns}}

        @Deprecated("Columns are renamed.", ReplaceWith("{{event.identifier}}({{#event.columns}}{{identifier}} = {{for\#
mer-identifier}}{{^last()}}, {{/last()}}{{/event.columns}})"), DeprecationLevel.ERROR)
        @Suppress("UNUSED_PARAMETER")
        public constructor(renamed: Unit = Unit{{#event.columns}}, {{former-identifier}}: {{type}}{{^former-names}}{{^\#
required}} = null{{/required}}{{/former-names}}{{/event.columns}}) : this({{#event.columns}}{{former-identifier}}{{^la\#
st()}}, {{/last()}}{{/event.columns}})
{{#event.columns}}
{{#former-names}}

        @Deprecated("Renamed to `{{column.name}}`.", ReplaceWith("{{column.identifier}}"), DeprecationLevel.ERROR)
        public val {{identifier}}: {{column.type}}
            get() = this.{{column.identifier}}
{{/former-names}}
{{/event.columns}}
{{/event.renamed-columns}}
{{#event.enumerations}}

        /** Values of `{{name}}`. */
        public enum class {{identifier}}(override val rawValue: String) : LogValue<String> {
{{#values}}
            {{identifier}}({{value.string}}){{^last()}},{{/last()}}
{{/values}}
        }
{{/event.enumerations}}
    }

{{/last()}}
{{/columns}}
{{^columns}}
    public object {{identifier}} : {{option.package}}.{{category.identifier}}() {
        override fun write(to: LogMembers) {
            to.begin({{category.name.string}}, {{name.string}}, "{{version}}", {{#sampling}}{{sampling}}{{/sampling}}{\#
{^sampling}}1.0{{/sampling}})
        }
{{#enumerations}}

        /** Values of `{{name}}`. */
        public enum class {{identifier}}(override val rawValue: String) : LogValue<String> {
{{#values}}
            {{identifier}}({{value.string}}){{^last()}},{{/last()}}
{{/values}}
        }
{{/enumerations}}
    }

{{/columns}}
{{#former-names}}
    @Deprecated("Renamed to `{{event.name}}`.", ReplaceWith("{{category.identifier}}.{{event.identifier}}{{#event.colu\#
mns}}{{#first()}}({{/first()}}{{identifier}} = {{former-identifier}}{{^last()}}, {{/last()}}{{#last()}}){{/last()}}{{/\#
event.columns}}"), DeprecationLevel.ERROR)
    @Suppress("UNUSED_PARAMETER")
{{#event.columns}}
{{#first()}}
    public class {{former.identifier}}(
{{/first()}}
        {{former-identifier}}: {{type}}{{^required}} = null{{/required}}{{^last()}},{{/last()}}
{{#last()}}
    )
{{/last()}}
{{/event.columns}}
{{^event.columns}}
    public object {{identifier}}
{{/event.columns}}

{{/former-names}}
{{/retired}}
{{/events}}
{{#enumerations}}
    /** Values of `{{name}}`. */
    public enum class {{identifier}}(override val rawValue: String) : LogValue<String> {
{{#values}}
        {{identifier}}({{value.string}}){{^last()}},{{/last()}}
{{/values}}
    }

{{/enumerations}}
}
{{#former-names}}

@Deprecated("Renamed to `{{category.name}}`.", ReplaceWith("{{category.identifier}}"), DeprecationLevel.ERROR)
public typealias {{identifier}} = {{category.identifier}}
{{/former-names}}
{{/category}}

"""#
    static let kotlin_common_mustache = #"""
// {{header}}

@file:Suppress("unused", "DEPRECATION")

package {{option.package}}

import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDate
import java.util.UUID
{{#common}}

/**
 * The columns that every event carries.
{{#description.lines}}
{{#first()}}
 *
{{/first()}}
 *{{#line}} {{line}}{{/line}}
{{/description.lines}}
 */
{{#columns}}
{{#first()}}
public data class CommonColumns(
{{/first()}}
{{#description}}
    /** {{description}} */
{{/description}}
{{#deprecated}}
    @Deprecated({{deprecated.string}})
{{/deprecated}}
    public val {{identifier}}: {{type}}{{^required}} = null{{/required}}{{^last()}},{{/last()}}
{{/columns}}
{{#columns}}
{{#first()}}
) {
    internal fun write(to: LogMembers) {
{{/first()}}
        to.add({{name.string}}, this.{{identifier}}, {{check}})
{{#last()}}
    }
{{#common.renamed-columns}}

    @Deprecated("Columns are renamed.", ReplaceWith("CommonColumns({{#common.columns}}{{identifier}} = {{former-identi\#
fier}}{{^last()}}, {{/last()}}{{/common.columns}})"), DeprecationLevel.ERROR)
    @Suppress("UNUSED_PARAMETER")
    public constructor(renamed: Unit = Unit{{#common.columns}}, {{former-identifier}}: {{type}}{{^former-names}}{{^req\#
uired}} = null{{/required}}{{/former-names}}{{/common.columns}}) : this({{#common.columns}}{{former-identifier}}{{^las\#
t()}}, {{/last()}}{{/common.columns}})
{{#common.columns}}
{{#former-names}}

    @Deprecated("Renamed to `{{column.name}}`.", ReplaceWith("{{column.identifier}}"), DeprecationLevel.ERROR)
    public val {{identifier}}: {{column.type}}
        get() = this.{{column.identifier}}
{{/former-names}}
{{/common.columns}}
{{/common.renamed-columns}}

{{/last()}}
{{/columns}}
{{^columns}}
public object CommonColumns {
    @Suppress("UNUSED_PARAMETER")
    internal fun write(to: LogMembers) {
    }

{{/columns}}
{{#enumerations}}
    /** Values of `{{name}}`. */
    public enum class {{identifier}}(override val rawValue: String) : LogValue<String> {
{{#values}}
        {{identifier}}({{value.string}}){{^last()}},{{/last()}}
{{/values}}
    }

{{/enumerations}}
}
{{/common}}

"""#
    static let kotlin_output_yml = #"""
# Kotlin 1.3 and later, on the JVM and Android.
extension: kt
file:
  category: "{{category.identifier}}"
  common: CommonColumns
  types: Types
  all: LogRecord
options:
  # The package of all files.
  package: {default: logs}
platform: android
names: {category: pascal, event: pascal, column: camel, value: upper, enum: pascal}
keywords:
  words: [
    as, break, class, continue, do, else, "false", for, fun, if, in, interface, is, "null", object, package, return, s\#
uper, this, throw, "true",
    try, typealias, typeof, val, var, when, while, yield,
  ]
  escape: "`{}`"
types:
  string: String
  integer: {8: Byte, 16: Short, 32: Int, 64: Long, unsigned: {8: Short, 16: Int, 32: Long}}
  number: {32: Float, 64: Double}
  decimal: BigDecimal
  boolean: Boolean
  date: LocalDate
  timestamp: Instant
  uuid: UUID
  url: String
  enum: "{{#nested}}{{option.package}}.{{identifier}}.{{event}}.{{/nested}}{{identifier}}"
  array: "List<{{item}}>"
  # A type that the documents know by name alone is the app's, and may be anything. An event may have the name of a ty\#
pe.
  named: "{{#external}}Any{{/external}}{{^external}}{{option.package}}.{{identifier}}{{/external}}"
  optional: "{}?"
# LogCheck is in LogRecord.kt.
checks:
  string: "LogCheck.Text({{#maxLength}}{{maxLength}}{{/maxLength}}{{^maxLength}}Int.MAX_VALUE{{/maxLength}}, {{#maxByt\#
es}}{{maxBytes}}{{/maxBytes}}{{^maxBytes}}Int.MAX_VALUE{{/maxBytes}})"
  integer: "LogCheck.Whole({{#lowest}}{{lowest}}L{{/lowest}}{{^lowest}}Long.MIN_VALUE{{/lowest}}, {{#highest}}{{highes\#
t}}L{{/highest}}{{^highest}}Long.MAX_VALUE{{/highest}})"
  number: "LogCheck.Fraction({{#minimum}}{{minimum}}{{/minimum}}{{^minimum}}Double.NEGATIVE_INFINITY{{/minimum}}, {{#m\#
aximum}}{{maximum}}{{/maximum}}{{^maximum}}Double.POSITIVE_INFINITY{{/maximum}})"
  decimal: "LogCheck.Digits({{precision}}, {{scale}})"
  boolean: LogCheck.Flag
  date: LogCheck.Day
  timestamp: LogCheck.Moment
  uuid: LogCheck.Key
  url: LogCheck.Link
  enum: "LogCheck.Named(LogCheck.Text(Int.MAX_VALUE, Int.MAX_VALUE))"
  array: "LogCheck.Items({{#item}}{{check}}{{/item}}, {{#minItems}}{{minItems}}{{/minItems}}{{^minItems}}0{{/minItems}\#
}, {{#maxItems}}{{maxItems}}{{/maxItems}}{{^maxItems}}Long.MAX_VALUE{{/maxItems}})"
  named: "{{#named}}{{#external}}LogCheck.Unknown{{/external}}{{#enumeration}}LogCheck.Named(LogCheck.Text(Int.MAX_VAL\#
UE, Int.MAX_VALUE)){{/enumeration}}{{#scalar}}LogCheck.Named({{check}}){{/scalar}}{{/named}}"
limits:
  # A method of the JVM has 255 slots, two for each Long and Double. `copy` of a data class takes two for itself, and \#
one for
  # every 32 parameters, whose bits say which of them are left out.
  parameters: 253
  wide: [Long, Double]
  # Larger ones do not fit into the 64 KB that a class has to make its values.
  values: 2500
text: {string: kotlin, comment: kotlin}
# An event and a column of its category may have the same name: `order` with `order: enum(…)`.
nested: enum
# Each is a class file, and disks of Macs and Windows ignore case.
classes: [category, event, enum, type]
# Names that the generated code uses: one of one's own would hide them.
reserved:
  # Java has `getClass`.
  column: class
  category: &types [
    Any, Array, BigDecimal, Boolean, Byte, CommonColumns, Companion, Deprecated, Double, Enum, Float, Instant, Int, Li\#
st, LocalDate, LogCheck, LogEvent, LogMembers,
    LogRecord, LogText, LogValue, Long, Nothing, Short, String, Suppress, Types, UUID, Unit, "{{option.package}}",
  ]
  event: *types
  enum: *types
  type: *types

"""#
    static let kotlin_types_mustache = #"""
// {{header}}

@file:Suppress("unused")

package {{option.package}}

import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDate
import java.util.UUID
{{#types}}
{{^external}}

{{#description}}
/**
{{#description.lines}}
 *{{#line}} {{line}}{{/line}}
{{/description.lines}}
 */
{{/description}}
{{#enumeration}}
public enum class {{identifier}}(override val rawValue: String) : LogValue<String> {
{{#values}}
{{#description}}
    /** {{description}} */
{{/description}}
    {{identifier}}({{value.string}}){{^last()}},{{/last()}}
{{/values}}
{{#renamed-values}}
    ;

    public companion object {
{{#values}}
{{#former-names}}
        @Deprecated("Renamed.", ReplaceWith("{{type.identifier}}.{{value.identifier}}"), DeprecationLevel.ERROR)
        public val {{identifier}}: {{type.identifier}}
            get() = {{type.identifier}}.{{value.identifier}}
{{/former-names}}
{{/values}}
    }
{{/renamed-values}}
}
{{/enumeration}}
{{#scalar}}
public data class {{type.identifier}}(override val rawValue: {{type}}) : LogValue<{{type}}>
{{/scalar}}
{{/external}}
{{/types}}

"""#
    static let swift_mustache = #"""
// {{header}}

{{#swift-imports}}
{{swift-imports}}
{{/swift-imports}}
{{#category}}

{{swift-former-names}}{{swift-documentation}}{{access}}enum {{swift-name}}: LogCategory {
{{swift-cases}}
{{#enumerations}}

{{swift-documentation}}    {{access}}enum {{swift-name}}: String, LogValue, CaseIterable, Sendable {
{{#values}}
{{swift-case}}
{{/values}}
    }
{{/enumerations}}

    {{access}}static let definition = LogDefinition(
        """
{{swift-facts}}
        """)

    // It hands values on, no more: optimizing it takes half of the compile time and gains nothing.
    @_optimize(none)
    {{swift-spi}}{{access}}func encode(into encoder: LogEncoder) {
        switch self {
{{swift-encodings}}
        }
    }
}
{{/category}}
{{#common}}

{{swift-documentation}}{{access}}struct CommonColumns: LogColumns {
{{#columns}}
{{swift-documentation}}    {{access}}var {{swift-name}}: {{swift-type}}
{{/columns}}
{{#enumerations}}

{{swift-documentation}}    {{access}}enum {{swift-name}}: String, LogValue, CaseIterable, Sendable {
{{#values}}
{{swift-case}}
{{/values}}
    }
{{/enumerations}}

    {{access}}init({{swift-parameters}}) {
{{#columns}}
        self.{{swift-name}} = {{swift-local-name}}
{{/columns}}
    }
{{swift-former-names}}
    {{access}}static let definition = LogDefinition(
        """
{{swift-facts}}
        """)

    {{swift-spi}}{{access}}func encode(into encoder: LogEncoder) {
        encoder.event(0){{swift-encoding}}
    }
}
{{/common}}
{{#types}}

{{#enumeration}}
{{swift-documentation}}{{access}}enum {{swift-name}}: String, LogValue, CaseIterable, Sendable {
{{#values}}
{{swift-documentation}}{{swift-case}}
{{/values}}
{{swift-former-names}}}
{{/enumeration}}
{{#swift-raw-type}}
{{swift-documentation}}{{access}}struct {{swift-name}}: RawRepresentable, LogValue, Hashable, Sendable {
    {{access}}var rawValue: {{swift-raw-type}}

    {{access}}init(rawValue: {{swift-raw-type}}) { self.rawValue = rawValue }

    {{access}}init(_ rawValue: {{swift-raw-type}}) { self.rawValue = rawValue }
}
{{/swift-raw-type}}
{{/types}}

"""#
    static let typescript_all_mustache = #"""
// {{header}}
/* eslint-disable */
{{#types}}
{{^external}}

/**
 * `{{name}}`
{{#description.lines}}
{{#first()}}
 *
{{/first()}}
 *{{#line}} {{line}}{{/line}}
{{/description.lines}}
 */
{{#enumeration}}
export const {{identifier}} = [
{{#values}}
{{#description}}
  /** {{description}} */
{{/description}}
  {{value.string}},
{{/values}}
] as const;
export type {{identifier}} = (typeof {{identifier}})[number];
{{/enumeration}}
{{#scalar}}
export type {{type.identifier}} = {{type}};
{{/scalar}}
{{/external}}
{{/types}}

/** What a column of a type that only the app knows may have. */
export type LogValue = string | number | bigint | boolean | Date | readonly LogValue[];

/** Columns as a record has them: name, JSON text. They are read when they are made; what changes later in a list does\#
 not matter. */
export class LogColumns {
  readonly members: readonly (readonly [string, string])[];
  /** The values that break their definition, as `column: rule` in the words of JSON Schema, or `column: type` if JSON\#
 has no such value. */
  readonly violations: readonly string[];

  /** For generated code: name, value, whether every record has it, and the check of each column. */
  constructor(columns: readonly (readonly [string, unknown, boolean, LogCheck])[]) {
    const members: (readonly [string, string])[] = [];
    const violations: string[] = [];
    for (const [name, value, isRequired, check] of columns) {
      const note = (rule: string): void => {
        const entry = name + ": " + rule;
        if (violations.indexOf(entry) < 0) violations.push(entry);
      };
      if (value !== undefined && value !== null) {
        members.push([name, check(value, note)]);
      } else if (isRequired) {
        note("required");
      }
    }
    this.members = members;
    this.violations = violations;
  }
}

/** Something that happens and is logged. */
export class LogEvent<Category extends string = string> extends LogColumns {
  readonly category: Category;
  readonly event: string;
  readonly version: string;
  /** The share that is kept, from 0 to 1. */
  readonly sampling: number;

  /** For generated code. */
  constructor(
    category: Category, event: string, version: string, sampling: number, columns: readonly (readonly [string, unknown\#
, boolean, LogCheck])[]
  ) {
    super(columns);
    this.category = category;
    this.event = event;
    this.version = version;
    this.sampling = sampling;
  }
}

/**
 * An event as it is stored and sent: one flat JSON object, the same text as that of the other platforms for the same \#
values.
 *
 * Its members are `event_id`, `event_category`, `event_name`, `schema_version`, `occurred_at`, `sampling_rate` if onl\#
y a share is kept, the
 * common columns, the event's columns, and `violations`, if there are any. A value that breaks its definition is in i\#
t all the same, or `null` if JSON has no such value.
 */
export class LogRecord {
  readonly id: string;
  readonly occurredAt: Date;
  /** The object on one line. */
  readonly json: string;
  /** The values that break their definition. */
  readonly violations: readonly string[];
  /**
   * Whether the record belongs to the share that its definition keeps (`sampling`). What does not is not to be sent.
   *
   * The column that `sampling-key` names in `loggen.yml` decides, otherwise the record's id. It decides alike on all \#
platforms.
   */
  readonly isKept: boolean;

  /**
   * @param event what happened.
{{#common}}
   * @param common the columns that every event carries.
{{/common}}
   * @param occurredAt when it happened. A time outside the years 0 to 9999 is written as 1970-01-01T00:00:00.000Z and\#
 noted as a violation.
   * @param id a UUID that tells receivers which records are the same. Another text is noted as a violation.
   */
  constructor(event: LogEvent, {{#common}}common: LogColumns, {{/common}}occurredAt: Date = new Date(), id: string = L\#
ogRecord.id(occurredAt)) {
    this.id = String(id).toLowerCase();
    this.occurredAt = new Date(occurredAt.getTime());
    const time = LogText.timestamp(occurredAt);
    const violations: string[] = [];
    const idText = LogCheck.key(id, (rule) => {
      violations.push("event_id: " + rule);
    });
    let json =
      '{"event_id":' + idText + ',"event_category":' + LogText.quoted(event.category) + ',"event_name":' + LogText.quo\#
ted(event.event) +
      ',"schema_version":' + LogText.quoted(event.version) + ',"occurred_at":"' + (time === undefined ? "1970-01-01T00\#
:00:00.000Z" : time) + '"';
    if (event.sampling > 0 && event.sampling < 1) json += ',"sampling_rate":' + LogText.double(event.sampling);
    let key = this.id.toUpperCase();
{{#common}}
    for (const [name, text] of common.members) {
      json += "," + LogText.quoted(name) + ":" + text;
{{#sampling-key}}
      if (name === {{sampling-key.string}}) key = text;
{{/sampling-key}}
    }
    for (const violation of common.violations) violations.push(violation);
{{/common}}
    if (time === undefined) violations.push("occurred_at: format");
    for (const [name, text] of event.members) json += "," + LogText.quoted(name) + ":" + text;
    for (const violation of event.violations) violations.push(violation);
    if (violations.length > 0) json += ',"violations":[' + violations.map(LogText.quoted).join(",") + "]";
    this.json = json + "}";
    this.violations = violations;
    this.isKept = event.sampling >= 1 || LogText.share(key) < event.sampling;
  }

  /** A new identifier for an event of a time: a UUID of version 7 (RFC 9562), whose other 74 bits are random. */
  static id(occurredAt: Date): string {
    const bytes = new Uint8Array(16);
    const source = (globalThis as { crypto?: { getRandomValues?(bytes: Uint8Array): unknown } }).crypto;
    if (source !== undefined && source.getRandomValues !== undefined) {
      source.getRandomValues(bytes);
    } else {
      for (let index = 0; index < 16; index += 1) bytes[index] = Math.floor(Math.random() * 256);
    }
    let time = Math.min(Math.max(occurredAt.getTime() || 0, 0), 281474976710655);
    for (let index = 5; index >= 0; index -= 1) {
      bytes[index] = time % 256;
      time = Math.floor(time / 256);
    }
    let text = "";
    for (let index = 0; index < 16; index += 1) {
      let byte = Number(bytes[index]);
      if (index === 6) byte = 0x70 | (byte & 0x0f);
      if (index === 8) byte = 0x80 | (byte & 0x3f);
      if (index === 4 || index === 6 || index === 8 || index === 10) text += "-";
      text += (byte < 16 ? "0" : "") + byte.toString(16);
    }
    return text;
  }
}

/** The JSON text of a value. It notes what the value breaks. */
export type LogCheck = (value: unknown, note: (rule: string) => void) => string;

/** What columns' values must keep to, for generated code. A value of another type, which only code without types can \#
pass, is `null`. */
export const LogCheck = {
  text: (maxLength: number, maxBytes: number): LogCheck => (value, note) => {
    if (typeof value !== "string") return LogText.none(note);
    const text = LogText.repaired(value);
    // Unicode scalars, and bytes of UTF-8.
    let length = 0;
    let bytes = 0;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
      if (unit < 0xdc00 || unit > 0xdfff) length += 1;
      bytes += unit < 0x80 ? 1 : unit < 0x800 || isSurrogate ? 2 : 3;
    }
    if (length > maxLength) note("maxLength");
    if (bytes > maxBytes) note("maxBytes");
    return LogText.quoted(text);
  },

  /** A number beyond 2^53 may have been rounded before it came here. */
  whole: (lowest: string, highest: string): LogCheck => (value, note) => {
    const isWhole = typeof value === "number" && Math.floor(value) === value && Math.abs(value) <= 9007199254740991;
    if (!isWhole && typeof value !== "bigint") return LogText.none(note);
    const digits = String(value);
    if (LogText.isLess(digits, lowest)) note("minimum");
    if (LogText.isLess(highest, digits)) note("maximum");
    return digits;
  },

  fraction: (bits: number, minimum: number, maximum: number): LogCheck => (value, note) => {
    if (typeof value !== "number") return LogText.none(note);
    const number = bits === 32 ? LogText.single(value) : value;
    if (!isFinite(number)) return LogText.none(note);
    const text = bits === 32 ? LogText.float(number) : LogText.double(number);
    // A float is checked as the decimal number that is written: the float nearest to 0.1 is above 0.1.
    if (Number(text) < minimum) note("minimum");
    if (Number(text) > maximum) note("maximum");
    return text;
  },

  /** Nothing is rounded: `12.50` for a scale of 2. */
  digits: (precision: number, scale: number): LogCheck => (value, note) => {
    if (typeof value !== "string") return LogText.none(note);
    const parts = /^([+-]?)([0-9]+)(?:\.([0-9]*))?$/.exec(value);
    if (parts === null) {
      note("pattern");
      return LogText.quoted(LogText.repaired(value));
    }
    let start = 0;
    const digits = parts[2] || "0";
    while (start < digits.length - 1 && digits.charAt(start) === "0") start += 1;
    const whole = digits.slice(start);
    const fraction = LogText.trimmed(parts[3] || "");
    const isZero = whole === "0" && fraction === "";
    // No platform holds more.
    if (whole.length > 165 || (whole === "0" && /^0{166}/.test(fraction))) return LogText.none(note);
    if (fraction.length > scale || (whole === "0" ? 0 : whole.length) > precision - scale) note("pattern");
    let padded = fraction;
    while (padded.length < scale) padded += "0";
    return '"' + (parts[1] === "-" && !isZero ? "-" : "") + whole + (padded === "" ? "" : "." + padded) + '"';
  },

  flag: ((value, note) => (typeof value === "boolean" ? String(value) : LogText.none(note))) as LogCheck,

  /** A text that is no day of the calendar is written as it is. */
  day: ((value, note) => {
    if (typeof value !== "string") return LogText.none(note);
    const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(value);
    const [year, month, day] = parts === null ? [0, 0, 0] : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    const days = month === 2 ? (isLeap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
    if (month < 1 || month > 12 || day < 1 || day > days) note("format");
    return LogText.quoted(LogText.repaired(value));
  }) as LogCheck,

  moment: ((value, note) => {
    if (Object.prototype.toString.call(value) !== "[object Date]") return LogText.none(note);
    const text = LogText.timestamp(value as Date);
    return text === undefined ? LogText.none(note) : '"' + text + '"';
  }) as LogCheck,

  /** A text that is no UUID is written as it is. */
  key: ((value, note) => {
    if (typeof value !== "string") return LogText.none(note);
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return '"' + value.toLowerCase() + '"';
    note("format");
    return LogText.quoted(LogText.repaired(value));
  }) as LogCheck,

  /** RFC 3986: a scheme, and the characters of a URI with complete percent-encodings and at most one fragment. */
  link: ((value, note) => {
    if (typeof value !== "string") return LogText.none(note);
    const text = value.replace(/%[0-9A-Fa-f]{2}/g, "/");
    if (!/^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?@!$&'()*+,;=[\]-]*(?:#[A-Za-z0-9._~:/?@!$&'()*+,;=[\]-]*)?$/.test(t\#
ext)) note("format");
    return LogText.quoted(LogText.repaired(value));
  }) as LogCheck,

  oneOf: (values: readonly string[]): LogCheck => (value, note) => {
    if (typeof value !== "string") return LogText.none(note);
    if (values.indexOf(value) < 0) note("enum");
    return LogText.quoted(LogText.repaired(value));
  },

  items: (check: LogCheck, fewest: number, most: number): LogCheck => (value, note) => {
    if (!Array.isArray(value)) return LogText.none(note);
    const items: readonly unknown[] = value;
    if (items.length < fewest) note("minItems");
    if (items.length > most) note("maxItems");
    let text = "";
    for (let index = 0; index < items.length; index += 1) text += (index > 0 ? "," : "") + check(items[index], note);
    return "[" + text + "]";
  },

  /** A value of a type that the documents know by name alone. */
  unknown: ((value, note) => LogText.unknown(value, note)) as LogCheck,
};

/** Values as text, to the byte as the other platforms write them. */
const LogText = {
  none: (note: (rule: string) => void): string => {
    note("type");
    return "null";
  },

  unknown: (value: unknown, note: (rule: string) => void): string => {
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      let text = "";
      // `map` would leave out the gaps of a sparse list.
      for (let index = 0; index < items.length; index += 1) text += (index > 0 ? "," : "") + LogText.unknown(items[ind\#
ex], note);
      return "[" + text + "]";
    }
    switch (typeof value) {
      case "string": return LogText.quoted(LogText.repaired(value));
      case "boolean": return String(value);
      case "bigint": return String(value);
      case "number":
        if (!isFinite(value)) return LogText.none(note);
        return Math.floor(value) === value && Math.abs(value) <= 9007199254740991 ? String(value) : LogText.double(val\#
ue);
      default: return LogCheck.moment(value, note);
    }
  },

  /** RFC 8259, section 7: quotation marks, backslashes and controls are escaped, and everything else is written as it\#
 is. */
  quoted: (text: string): string => {
    const escape = (sign: string): string => {
      switch (sign) {
        case '"': return '\\"';
        case "\\": return "\\\\";
        case "\n": return "\\n";
        case "\r": return "\\r";
        case "\t": return "\\t";
        default: return "\\u00" + (sign.charCodeAt(0) < 16 ? "0" : "") + sign.charCodeAt(0).toString(16);
      }
    };
    return '"' + text.replace(/["\\\u0000-\u001f]/g, escape) + '"';
  },

  /** The text with U+FFFD for each half of a surrogate pair that stands alone: UTF-8 has none. */
  repaired: (text: string): string =>
    text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) => (found.length === 2 ? found : "\ufffd")),

  /** Digits without the zeros at their end. */
  trimmed: (digits: string): string => {
    let end = digits.length;
    while (end > 0 && digits.charAt(end - 1) === "0") end -= 1;
    return digits.slice(0, end);
  },

  /** Compares whole numbers by their digits. */
  isLess: (left: string, right: string): boolean => {
    const isNegative = left.charAt(0) === "-";
    if (isNegative !== (right.charAt(0) === "-")) return isNegative;
    if (left.length !== right.length) return left.length < right.length !== isNegative;
    return isNegative ? right < left : left < right;
  },

  double: (value: number): string => LogText.number(value, Math.abs(value).toExponential(), 9007199254740992),

  /** The nearest number that 32 bits hold. */
  single: (value: number): number => Number(new Float32Array([value])[0]),

  float: (value: number): string => {
    const magnitude = Math.abs(value);
    if (magnitude === 0) return LogText.double(value);
    // Between these two lie the numbers that are read as this one; their ends belong to it if its last bit is 0.
    const bits = Number(new Int32Array(new Float32Array([magnitude]).buffer)[0]);
    const neighbour = (bits: number): number => Number(new Float32Array(new Int32Array([bits]).buffer)[0]);
    const below = (magnitude + neighbour(bits - 1)) / 2;
    const next = neighbour(bits + 1);
    const above = isFinite(next) ? (magnitude + next) / 2 : magnitude + (magnitude - below);
    const isRead = (text: string): boolean => {
      const number = Number(text);
      if (number !== below && number !== above) return below < number && number < above;
      // As a number of 64 bits it is an end. Its digits say on which side of it.
      const order = LogText.order(text, number.toExponential(80));
      return order === 0 ? bits % 2 === 0 : number === below ? order > 0 : order < 0;
    };
    const exact = magnitude.toExponential(80);
    for (let digits = 0; digits < 9; digits += 1) {
      const nearest = magnitude.toExponential(digits);
      const [mantissa, exponent] = nearest.split("e");
      const whole = Number(String(mantissa).replace(".", ""));
      const isAbove = LogText.order(nearest, exact) > 0;
      const other = String(whole + (isAbove ? -1 : 1)) + "e" + String(Number(exponent) - digits);
      // Of two that are as near, `toExponential` has the larger one, and Swift the even one.
      const finer = magnitude.toExponential(digits + 1);
      const isTie = isAbove && whole % 2 === 1 && finer.indexOf("5e") > 0 && LogText.order(finer, exact) === 0;
      if (!isTie && isRead(nearest)) return LogText.number(value, nearest, 16777216);
      if (whole > 1 && isRead(other)) return LogText.number(value, Number(other).toExponential(), 16777216);
      if (isTie && isRead(nearest)) return LogText.number(value, nearest, 16777216);
    }
    return LogText.number(value, magnitude.toExponential(8), 16777216);
  },

  /** Compares positive numbers with an exponent by all their digits. */
  order: (left: string, right: string): number => {
    const parts = (text: string): [number, string] => {
      const [mantissa, exponent] = text.split("e");
      const [whole, fraction] = String(mantissa).split(".");
      return [Number(exponent) + String(whole).length, String(whole) + (fraction || "")];
    };
    const [leftExponent, leftDigits] = parts(left);
    const [rightExponent, rightDigits] = parts(right);
    if (leftExponent !== rightExponent) return leftExponent - rightExponent;
    const [first, second] = [LogText.trimmed(leftDigits), LogText.trimmed(rightDigits)];
    return first < second ? -1 : first > second ? 1 : 0;
  },

  /** Digits as Swift writes them: `1.0`, `1e-05`, `1.5e+21`. */
  number: (value: number, digits: string, largestPlain: number): string => {
    const sign = value < 0 || 1 / value < 0 ? "-" : "";
    const [mantissa, power] = digits.split("e");
    const exponent = Number(power);
    let all = LogText.trimmed(String(mantissa).replace(".", "")) || "0";
    if (exponent < -4 || Math.abs(value) > largestPlain) {
      const size = String(Math.abs(exponent));
      return sign + all.charAt(0) + (all.length > 1 ? "." + all.slice(1) : "") + (exponent < 0 ? "e-" : "e+") + (size.\#
length < 2 ? "0" : "") + size;
    }
    if (exponent < 0) return sign + "0." + "000".slice(0, -1 - exponent) + all;
    while (all.length < exponent + 2) all += "0";
    return sign + all.slice(0, exponent + 1) + "." + all.slice(exponent + 1);
  },

  /** RFC 3339, UTC, milliseconds; undefined outside the years 0 to 9999. */
  timestamp: (value: Date): string | undefined => {
    const time = value.getTime();
    return time >= -62167219200000 && time <= 253402300799999 ? value.toISOString() : undefined;
  },

  /** The place of a text between 0 and 1: FNV-1a of 64 bits, mixed by the finalizer of MurmurHash3. */
  share: (text: string): number => {
    // 64 bits are four numbers of 16, the lowest first.
    type Word = readonly [number, number, number, number];
    const times = (left: Word, right: Word): Word => {
      const sums = [0, 0, 0, 0];
      for (let i = 0; i < 4; i += 1) {
        for (let j = 0; i + j < 4; j += 1) {
          let carry = Number(left[i]) * Number(right[j]);
          for (let k = i + j; k < 4 && carry > 0; k += 1) {
            carry += Number(sums[k]);
            sums[k] = carry % 65536;
            carry = Math.floor(carry / 65536);
          }
        }
      }
      return [Number(sums[0]), Number(sums[1]), Number(sums[2]), Number(sums[3])];
    };
    // Exclusive or with itself, shifted right by 33.
    const folded = (word: Word): Word => [word[0] ^ ((word[2] >> 1) | ((word[3] & 1) << 15)), word[1] ^ (word[3] >> 1)\#
, word[2], word[3]];
    let hash: Word = [0x2325, 0x8422, 0x9ce4, 0xcbf2];
    const add = (byte: number): void => {
      if (byte !== 0x22) hash = times([hash[0] ^ byte, hash[1], hash[2], hash[3]], [0x01b3, 0, 0x100, 0]);
    };
    const bytes = encodeURIComponent(LogText.repaired(text));
    for (let index = 0; index < bytes.length; index += 1) {
      const isEncoded = bytes.charAt(index) === "%";
      add(isEncoded ? Number("0x" + bytes.slice(index + 1, index + 3)) : bytes.charCodeAt(index));
      if (isEncoded) index += 2;
    }
    hash = times(folded(hash), [0x8ccd, 0xed55, 0xafd7, 0xff51]);
    hash = times(folded(hash), [0xec53, 0x1a85, 0xb9fe, 0xc4ce]);
    hash = folded(hash);
    // The upper 53 bits.
    return (hash[3] * 137438953472 + hash[2] * 2097152 + hash[1] * 32 + (hash[0] >> 11)) / 9007199254740992;
  },
};

"""#
    static let typescript_category_mustache = #"""
// {{header}}
/* eslint-disable */

import * as log from "./LogRecord{{option.imports}}";
{{#category}}

/**
 * An event of `{{name}}`.
{{#title}}
 *
 * {{title}}
{{/title}}
{{#description.lines}}
{{#first()}}
 *
{{/first()}}
 *{{#line}} {{line}}{{/line}}
{{/description.lines}}
{{#owner}}
 *
 * Owner: {{owner}}
{{/owner}}
 */
export type Event = log.LogEvent<{{name.string}}>;
{{#events}}
{{^retired}}

/**
 * `{{name}}`
{{#title}}
 *
 * {{title}}
{{/title}}
{{#description.lines}}
{{#first()}}
 *
{{/first()}}
 *{{#line}} {{line}}{{/line}}
{{/description.lines}}
{{#trigger}}
 *
 * Trigger: `{{notation}}`
{{/trigger}}
{{#owner}}
 *
 * Owner: {{owner}}
{{/owner}}
{{#sampling}}
 *
 * Sampling: {{sampling.percent}}
{{/sampling}}
{{#deprecated}}
 *
 * @deprecated {{deprecated}}
{{/deprecated}}
 */
{{#columns}}
{{#first()}}
export function {{event.identifier}}(columns: {
{{/first()}}
{{^deprecated}}
{{#description}}
  /** {{description}} */
{{/description}}
{{/deprecated}}
{{#deprecated}}
  /**
{{#description}}
   * {{description}}
   *
{{/description}}
   * @deprecated {{deprecated}}
   */
{{/deprecated}}
  readonly {{identifier}}{{^required}}?{{/required}}: {{type}};
{{#former-names}}
  /** @deprecated Renamed to `{{column.name}}`. */
  readonly {{identifier}}?: never;
{{/former-names}}
{{/columns}}
{{#columns}}
{{#first()}}
}): Event {
  return new log.LogEvent({{category.name.string}}, {{event.name.string}}, "{{event.version}}", {{#sampling}}{{samplin\#
g}}{{/sampling}}{{^sampling}}1{{/sampling}}, [
{{/first()}}
    [{{name.string}}, columns.{{identifier}}, {{#required}}true{{/required}}{{^required}}false{{/required}}, {{check}}],
{{#last()}}
  ]);
}
{{/last()}}
{{/columns}}
{{^columns}}
export function {{identifier}}(): Event {
  return new log.LogEvent({{category.name.string}}, {{name.string}}, "{{version}}", {{#sampling}}{{sampling}}{{/sampli\#
ng}}{{^sampling}}1{{/sampling}}, []);
}
{{/columns}}
{{#former-names}}

/** @deprecated Renamed to `{{event.name}}`. */
export const {{identifier}}: never = undefined as never;
{{/former-names}}
{{/retired}}
{{/events}}
{{#enumerations}}

/** Values of `{{name}}`. */
export const {{identifier}} = [
{{#values}}
  {{value.string}},
{{/values}}
] as const;
export type {{identifier}} = (typeof {{identifier}})[number];
{{/enumerations}}
{{/category}}

"""#
    static let typescript_common_mustache = #"""
// {{header}}
/* eslint-disable */

import * as log from "./LogRecord{{option.imports}}";
{{#common}}

/**
 * The columns that every event carries.
{{#description.lines}}
{{#first()}}
 *
{{/first()}}
 *{{#line}} {{line}}{{/line}}
{{/description.lines}}
 */
export interface CommonColumns {
{{#columns}}
{{^deprecated}}
{{#description}}
  /** {{description}} */
{{/description}}
{{/deprecated}}
{{#deprecated}}
  /**
{{#description}}
   * {{description}}
   *
{{/description}}
   * @deprecated {{deprecated}}
   */
{{/deprecated}}
  readonly {{identifier}}{{^required}}?{{/required}}: {{type}};
{{#former-names}}
  /** @deprecated Renamed to `{{column.name}}`. */
  readonly {{identifier}}?: never;
{{/former-names}}
{{/columns}}
}

export function commonColumns({{#columns}}{{#first()}}columns: CommonColumns{{/first()}}{{/columns}}): log.LogColumns {
  return new log.LogColumns([
{{#columns}}
    [{{name.string}}, columns.{{identifier}}, {{#required}}true{{/required}}{{^required}}false{{/required}}, {{check}}],
{{/columns}}
  ]);
}
{{#enumerations}}

/** Values of `{{name}}`. */
export const {{identifier}} = [
{{#values}}
  {{value.string}},
{{/values}}
] as const;
export type {{identifier}} = (typeof {{identifier}})[number];
{{/enumerations}}
{{/common}}

"""#
    static let typescript_index_mustache = #"""
// {{header}}
/* eslint-disable */

export * from "./LogRecord{{option.imports}}";
{{#common}}
export type { CommonColumns } from "./CommonColumns{{option.imports}}";
export { commonColumns } from "./CommonColumns{{option.imports}}";
{{/common}}
{{#categories}}
export * as {{identifier}} from "./{{identifier}}{{option.imports}}";
{{/categories}}

"""#
    static let typescript_output_yml = #"""
# TypeScript 4.0 and later, in modules: one for each category, to be imported as a whole (import * as RecipeSearch fro\#
m "./logs/RecipeSearch").
extension: ts
file:
  category: "{{category.identifier}}"
  common: CommonColumns
  all: LogRecord
options:
  # How the files import each other: as bundlers and CommonJS want it, with the ending of compiled modules of Node, or
  # with that of the files, for engines that run TypeScript.
  imports: {default: bundler, words: {bundler: "", node: .js, ts: .ts}}
platform: web
names: {category: pascal, event: camel, column: camel, enum: pascal}
# A column is a property, which may have any name.
reserved:
  category: [CommonColumns, Index, LogRecord]
  # A column that has no value would be what every object has.
  column: [constructor, hasOwnProperty, isPrototypeOf, propertyIsEnumerable, toLocaleString, toString, valueOf]
  event: [
    arguments, await, break, case, catch, class, const, continue, debugger, default, delete, do, else, enum, eval, exp\#
ort, extends, "false", finally, for,
    function, if, implements, import, in, instanceof, interface, let, log, new, "null", package, private, protected, p\#
ublic, return, static, super, switch,
    this, throw, "true", try, typeof, undefined, var, void, while, with, yield,
    # An `import()` of a module with an export `then` waits for it forever. CommonJS has the other two.
    then, exports, require,
  ]
  enum: [Date, Event, Infinity, ReadonlyArray]
  # What LogRecord.ts uses.
  type: [
    Array, Date, Event, Float32Array, Function, Infinity, Int32Array, LogCheck, LogColumns, LogEvent, LogRecord, LogTe\#
xt, LogValue, Math, Number, Object, ReadonlyArray, RegExp, String,
    Uint8Array, any, arguments, await, bigint, boolean, break, case, catch, class, const, continue, debugger, default,\#
 delete, do, else, enum, eval, export,
    extends, "false", finally, for, function, globalThis, if, implements, import, in, instanceof, interface, isFinite,\#
 let, never, new, "null", number, object,
    package, private, protected, public, return, static, string, super, switch, symbol, this, throw, "true", try, type\#
of, undefined, unknown, var, void, while,
    with, yield,
    # What the language does not export, and what CommonJS and `import()` have.
    __esModule, as, encodeURIComponent, exports, require, then,
  ]
types:
  string: string
  # A number that is no whole one, or lies beyond 2^53, where numbers have gaps, breaks its definition. A bigint has n\#
o gaps.
  integer: {32: number, 64: number | bigint, unsigned: {32: number}}
  number: number
  # Its digits: 0.1 + 0.2 is not 0.3 as a number.
  decimal: string
  boolean: boolean
  # 2026-04-01
  date: string
  timestamp: Date
  uuid: string
  url: string
  enum: "{{identifier}}"
  array: "ReadonlyArray<{{item}}>"
  # A type that the documents know by name alone is the app's, and may be anything that a record can have.
  named: "log.{{#external}}LogValue{{/external}}{{^external}}{{identifier}}{{/external}}"
  optional: "{} | null | undefined"
# LogCheck is in LogRecord.ts.
checks:
  string: "log.LogCheck.text({{#maxLength}}{{maxLength}}{{/maxLength}}{{^maxLength}}Infinity{{/maxLength}}, {{#maxByte\#
s}}{{maxBytes}}{{/maxBytes}}{{^maxBytes}}Infinity{{/maxBytes}})"
  # As texts: a number of JavaScript does not hold them all.
  integer: "log.LogCheck.whole(\"{{#lowest}}{{lowest}}{{/lowest}}{{^lowest}}-9223372036854775808{{/lowest}}\", \"{{#hi\#
ghest}}{{highest}}{{/highest}}{{^highest}}9223372036854775807{{/highest}}\")"
  number: "log.LogCheck.fraction({{bits}}, {{#minimum}}{{minimum}}{{/minimum}}{{^minimum}}-Infinity{{/minimum}}, {{#ma\#
ximum}}{{maximum}}{{/maximum}}{{^maximum}}Infinity{{/maximum}})"
  decimal: "log.LogCheck.digits({{precision}}, {{scale}})"
  boolean: log.LogCheck.flag
  date: log.LogCheck.day
  timestamp: log.LogCheck.moment
  uuid: log.LogCheck.key
  url: log.LogCheck.link
  enum: "log.LogCheck.oneOf([{{#values}}{{value.string}}{{^last()}}, {{/last()}}{{/values}}])"
  array: "log.LogCheck.items({{#item}}{{check}}{{/item}}, {{#minItems}}{{minItems}}{{/minItems}}{{^minItems}}0{{/minIt\#
ems}}, {{#maxItems}}{{maxItems}}{{/maxItems}}{{^maxItems}}Infinity{{/maxItems}})"
  named: "{{#named}}{{#external}}log.LogCheck.unknown{{/external}}{{#enumeration}}log.LogCheck.oneOf(log.{{identifier}\#
}){{/enumeration}}{{#scalar}}{{check}}{{/scalar}}{{/named}}"
text: {string: javascript, comment: javascript}

"""#
}
