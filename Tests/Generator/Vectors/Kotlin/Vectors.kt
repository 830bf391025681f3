// Runs the vectors of Tests/Generator/Vectors with the Kotlin that loggen makes of Tests/Generator/Vectors/Definitions: the stage `kotlin` does.
import com.example.`in`.logs.*
import java.io.File
import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDate
import java.util.UUID
import kotlin.system.exitProcess

/** What vectors are written in: JSON with texts, lists, and objects, and `true`, `false`, numbers as texts. */
class Json(private val text: String) {
    private var index = 0

    fun value(): Any {
        blanks()
        when (text[index]) {
            '"' -> return string()
            '[' -> {
                val list = ArrayList<Any>()
                items(']') { list.add(value()) }
                return list
            }
            '{' -> {
                val members = LinkedHashMap<String, Any>()
                items('}') {
                    blanks()
                    val name = string()
                    blanks()
                    index += 1
                    members[name] = value()
                }
                return members
            }
        }
        val start = index
        while (index < text.length && text[index] !in ",]} \n") index += 1
        return text.substring(start, index)
    }

    private fun blanks() {
        while (text[index] in " \n") index += 1
    }

    private fun items(end: Char, item: () -> Unit) {
        index += 1
        blanks()
        while (text[index] != end) {
            item()
            blanks()
            if (text[index] == ',') index += 1
            blanks()
        }
        index += 1
    }

    private fun string(): String {
        val result = StringBuilder()
        index += 1
        while (text[index] != '"') {
            if (text[index] != '\\') {
                result.append(text[index++])
                continue
            }
            val sign = text[index + 1]
            index += 2
            when (sign) {
                'n' -> result.append('\n')
                'r' -> result.append('\r')
                't' -> result.append('\t')
                'b' -> result.append('\b')
                'f' -> result.append('\u000c')
                'u' -> {
                    result.append(text.substring(index, index + 4).toInt(16).toChar())
                    index += 4
                }
                else -> result.append(sign)
            }
        }
        index += 1
        return result.toString()
    }
}

class Columns(private val values: Map<*, *>) {
    fun text(name: String): String? = values[name]?.let { text(it) }

    fun <T> one(name: String, make: (String) -> T): T? = text(name)?.let(make)

    fun <T> list(name: String, make: (Any) -> T): List<T>? = values[name]?.let { list(it, make) }

    companion object {
        fun text(value: Any): String =
            if (value is String) value
            else ((value as Map<*, *>)["utf16"] as List<*>).map { (it as String).toInt().toChar() }.joinToString("")

        fun <T> list(value: Any, make: (Any) -> T): List<T> = (value as List<*>).map { make(it!!) }

        private val names = mapOf("nan" to "NaN", "inf" to "Infinity", "-inf" to "-Infinity")

        fun double(value: Any): Double = text(value).let { names[it] ?: it }.toDouble()

        fun float(value: Any): Float = text(value).let { names[it] ?: it }.toFloat()

        fun long(value: Any): Long = text(value).toLong()

        fun date(value: Any): LocalDate = LocalDate.parse(text(value))

        fun instant(value: Any): Instant {
            val milliseconds = BigDecimal(text(value))
            val seconds = milliseconds.divideToIntegralValue(BigDecimal(1000))
            return Instant.ofEpochSecond(seconds.toLong()).plusNanos((milliseconds - seconds * BigDecimal(1000)).scaleByPowerOfTen(6).toLong())
        }
    }

    fun event(name: String): LogEvent = when (name) {
        "integers" -> Values.Integers(
            plain = one("plain", ::long), tiny = one("tiny") { it.toByte() }, small = one("small") { it.toShort() },
            medium = one("medium") { it.toInt() }, large = one("large", ::long), largeRange = one("large_range", ::long),
            byte = one("byte") { it.toShort() }, port = one("port") { it.toInt() }, word = one("word", ::long), count = one("count", ::long)
        )
        "numbers" -> Values.Numbers(
            double = one("double", ::double), doubleRange = one("double_range", ::double), float = one("float", ::float),
            floatFrom = one("float_from", ::float), floatTo = one("float_to", ::float), manyDoubles = list("many_doubles", ::double),
            manyFloats = list("many_floats", ::float)
        )
        "decimals" -> Values.Decimals(
            price = one("price") { BigDecimal(it) }, whole = one("whole") { BigDecimal(it) }, fraction = one("fraction") { BigDecimal(it) },
            most = one("most") { BigDecimal(it) }
        )
        "texts" -> Values.Texts(text = text("text"), short = text("short"), bytes = text("bytes"))
        "times" -> Values.Times(day = one("day", ::date), moment = one("moment", ::instant))
        "others" -> Values.Others(
            flag = one("flag") { it == "true" }, key = one("key") { UUID.fromString(it) }, link = text("link"),
            mode = one("mode") { text -> Values.Mode.values().single { it.rawValue == text } }
        )
        "lists" -> Values.Lists(
            strings = list("strings") { text(it) }, grid = list("grid") { list(it) { list(it, ::long) } }, larges = list("larges", ::long),
            doubles = list("doubles", ::double), floats = list("floats", ::float), decimals = list("decimals") { BigDecimal(text(it)) },
            bools = list("bools") { it == "true" }, days = list("days", ::date), moments = list("moments", ::instant),
            keys = list("keys") { UUID.fromString(text(it)) }, links = list("links") { text(it) },
            kinds = list("kinds") { list(it) { text -> Values.Kinds.values().single { it.rawValue == text } } }
        )
        "named" -> Values.Named(
            order = one("order", ::order), recipe = one("recipe") { RecipeID(long(it)) }, ratio = one("ratio") { Ratio(float(it)) },
            amount = one("amount") { Amount(BigDecimal(it)) }, code = one("code") { Code(it) }, due = one("due") { Due(date(it)) },
            seen = one("seen") { Seen(instant(it)) }, page = one("page") { Page(it) }, orders = list("orders", ::order),
            recipes = list("recipes") { list(it) { RecipeID(long(it)) } }, opaque = text("opaque")
        )
        "bare" -> Values.Bare
        "old" -> Values.Old(kept = text("kept"), going = text("going"))
        "sampled" -> Values.Sampled
        else -> throw IllegalArgumentException(name)
    }

    private fun order(text: Any): Order = Order.values().single { it.rawValue == text }
}

var failures = 0

fun expect(name: String, found: Any?, wanted: Any?) {
    if (found == wanted) return
    failures += 1
    System.err.println("failed: $name\n  found:  $found\n  wanted: $wanted")
}

fun main(arguments: Array<String>) {
    var count = 0
    for (file in arguments) {
        for (vector in (Json(File(file).readText()).value() as Map<*, *>)["cases"] as List<*>) {
            val case = Columns(vector as Map<*, *>)
            if ("kotlin" !in (vector["only"] as List<*>? ?: listOf("kotlin"))) continue
            count += 1
            val common = Columns(vector["common"] as Map<*, *>? ?: mapOf("app_version" to "1.0"))
            val event = Columns(vector["columns"] as Map<*, *>? ?: mapOf<String, Any>()).event(case.text("event")!!)
            val record = LogRecord(
                event,
                CommonColumns(
                    userId = common.text("user_id"), appVersion = common.text("app_version")!!, build = common.one("build") { it.toLong() },
                    channel = common.one("channel") { text -> CommonColumns.Channel.values().single { it.rawValue == text } }
                ),
                Columns.instant(case.text("occurredAt") ?: "1775044800123"),
                UUID.fromString(case.text("id") ?: "0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11")
            )
            val name = File(file).name + ": " + vector["name"]
            expect(name, record.json, vector["json"])
            expect(name, record.violations, vector["violations"])
            expect(name, record.isKept.toString(), vector["isKept"])
            // The event's own members are those of the record.
            for ((member, value) in event.toRecord()) if (member != "violations") expect("$name, $member", value, record.members[member])
            // The members in JSON are the members.
            expect(name, (Json(record.json).value() as Map<*, *>).keys.toList(), record.members.keys.toList())
        }
    }
    // What only Kotlin's types can hold.
    val common = CommonColumns(appVersion = "1")
    fun members(event: LogEvent): String = LogRecord(event, common).json.substringAfter(",\"app_version\":\"1\",")
    expect("year 10000", members(Values.Times(day = LocalDate.of(10000, 1, 1))), "\"day\":null,\"violations\":[\"day: type\"]}")
    expect("year -1", members(Values.Times(day = LocalDate.of(-1, 1, 1))), "\"day\":null,\"violations\":[\"day: type\"]}")
    expect("time far away", members(Values.Times(moment = Instant.MAX)), "\"moment\":null,\"violations\":[\"moment: type\"]}")
    expect("time long ago", members(Values.Times(moment = Instant.MIN)), "\"moment\":null,\"violations\":[\"moment: type\"]}")
    expect("half a millisecond", members(Values.Times(moment = Instant.ofEpochSecond(0, 500_000))), "\"moment\":\"1970-01-01T00:00:00.001Z\"}")
    expect("and before 1970", members(Values.Times(moment = Instant.ofEpochSecond(0, -500_000))), "\"moment\":\"1969-12-31T23:59:59.999Z\"}")
    expect("an unsigned byte", members(Values.Integers(byte = 256)), "\"byte\":256,\"violations\":[\"byte: maximum\"]}")
    expect("huge", members(Values.Decimals(price = BigDecimal("1e999999999"))), "\"price\":null,\"violations\":[\"price: type\"]}")
    expect("tiny", members(Values.Decimals(price = BigDecimal("1e-999999999"))), "\"price\":null,\"violations\":[\"price: type\"]}")
    expect("zeros", members(Values.Decimals(price = BigDecimal("0e-999999999"))), "\"price\":\"0.00\"}")
    val tiny = "0." + "0".repeat(165) + "1"
    expect("10^-166", members(Values.Decimals(price = BigDecimal(tiny))), "\"price\":\"$tiny\",\"violations\":[\"price: pattern\"]}")
    expect("10^-167", members(Values.Decimals(price = BigDecimal("1e-167"))), "\"price\":null,\"violations\":[\"price: type\"]}")
    expect("zeros at the end", members(Values.Decimals(price = BigDecimal("1").setScale(70_000))), "\"price\":\"1.00\"}")
    expect("an address", members(Values.Others(link = "https://例え.jp/")), "\"link\":\"https://例え.jp/\",\"violations\":[\"link: format\"]}")
    expect("percent", members(Values.Others(link = "a:%4")), "\"link\":\"a:%4\",\"violations\":[\"link: format\"]}")
    expect("two fragments", members(Values.Others(link = "a:#b#c")), "\"link\":\"a:#b#c\",\"violations\":[\"link: format\"]}")
    for ((value, wanted) in listOf<Pair<Any, String>>(
        1 to "1", 1L to "1", true to "true", 1.5f to "1.5", 1e21 to "1e+21", Order.NEWEST to "\"newest\"", RecipeID(7) to "7", listOf(1, "a") to "[1,\"a\"]",
        BigDecimal("1.50") to "\"1.5\"", LocalDate.of(2024, 2, 29) to "\"2024-02-29\"", Instant.EPOCH to "\"1970-01-01T00:00:00.000Z\"",
        UUID(0, 0) to "\"00000000-0000-0000-0000-000000000000\""
    )) expect("external $value", members(Values.Named(opaque = value)), "\"opaque\":$wanted}")
    expect("external object", members(Values.Named(opaque = Any())), "\"opaque\":null,\"violations\":[\"opaque: type\"]}")
    expect("external null", members(Values.Named(opaque = listOf(null))), "\"opaque\":[null],\"violations\":[\"opaque: type\"]}")
    val now = Instant.ofEpochMilli(1775044800123)
    val ids = (1..1000).map { LogRecord.id(now) }
    expect("identifiers differ", ids.toSet().size, 1000)
    expect("they are of version 7 and of their time", ids.map { Triple(it.version(), it.variant(), it.mostSignificantBits ushr 16) }.toSet(), setOf(Triple(7, 2, 1775044800123)))
    println("Kotlin makes the records of $count vectors")
    if (failures > 0) exitProcess(1)
}
