// Runs the vectors of Tests/Generator/Vectors with the TypeScript that loggen makes of Tests/Generator/Vectors/Definitions: the stage `typescript` does.
import { commonColumns } from "./logs/CommonColumns";
import * as log from "./logs/LogRecord";
import * as Values from "./logs/Values";

declare function require(name: string): any;
declare const process: { argv: string[]; exitCode: number };
declare const console: { log(text: string): void; error(text: string): void };

type Value = string | { utf16: number[] } | Value[];
type Columns = { [name: string]: Value };

interface Vector {
  name: string;
  only?: string[];
  event: string;
  columns?: Columns;
  common?: Columns;
  occurredAt?: string;
  id?: string;
  json: string;
  violations: string[];
  isKept: boolean;
}

const text = (value: Value): string => (typeof value === "string" ? value : String.fromCharCode(...(value as { utf16: number[] }).utf16));
const list = <T>(make: (value: Value) => T) => (value: Value): T[] => (value as Value[]).map(make);
const whole = (value: Value): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(text(value)));
const number = (value: Value): number => {
  const names: { [name: string]: number } = { nan: NaN, inf: Infinity, "-inf": -Infinity };
  const name = text(value);
  return name in names ? Number(names[name]) : Number(name);
};
const time = (value: Value): Date => new Date(Number(value));
const flag = (value: Value): boolean => value === "true";

function event(name: string, columns: Columns): log.LogEvent {
  const one = <T>(column: string, make: (value: Value) => T): T | undefined => {
    const value = columns[column];
    return value === undefined ? undefined : make(value);
  };
  switch (name) {
    case "integers":
      return Values.integers({
        plain: one("plain", whole), tiny: one("tiny", Number), small: one("small", Number), medium: one("medium", Number), large: one("large", whole),
        largeRange: one("large_range", whole), byte: one("byte", Number), port: one("port", Number), word: one("word", Number),
        count: one("count", Number),
      });
    case "numbers":
      return Values.numbers({
        double: one("double", number), doubleRange: one("double_range", number), float: one("float", number), floatFrom: one("float_from", number),
        floatTo: one("float_to", number), manyDoubles: one("many_doubles", list(number)), manyFloats: one("many_floats", list(number)),
      });
    case "decimals":
      return Values.decimals({ price: one("price", text), whole: one("whole", text), fraction: one("fraction", text), most: one("most", text) });
    case "texts":
      return Values.texts({ text: one("text", text), short: one("short", text), bytes: one("bytes", text) });
    case "times":
      return Values.times({ day: one("day", text), moment: one("moment", time) });
    case "others":
      return Values.others({ flag: one("flag", flag), key: one("key", text), link: one("link", text), mode: one("mode", text) as Values.Mode | undefined });
    case "lists":
      return Values.lists({
        strings: one("strings", list(text)), grid: one("grid", list(list(list(whole)))), larges: one("larges", list(whole)),
        doubles: one("doubles", list(number)), floats: one("floats", list(number)), decimals: one("decimals", list(text)),
        bools: one("bools", list(flag)), days: one("days", list(text)), moments: one("moments", list(time)), keys: one("keys", list(text)),
        links: one("links", list(text)), kinds: one("kinds", list(list(text))) as Values.Kinds[][] | undefined,
      });
    case "named":
      return Values.named({
        order: one("order", text) as log.Order | undefined, recipe: one("recipe", whole), ratio: one("ratio", number), amount: one("amount", text),
        code: one("code", text), due: one("due", text), seen: one("seen", time), page: one("page", text),
        orders: one("orders", list(text)) as log.Order[] | undefined, recipes: one("recipes", list(list(whole))), opaque: one("opaque", text),
      });
    case "bare":
      return Values.bare();
    case "old":
      return Values.old({ kept: one("kept", text), going: one("going", text) });
    case "sampled":
      return Values.sampled();
    default:
      throw new Error(name);
  }
}

function expect(name: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  process.exitCode = 1;
  console.error(`failed: ${name}\n  found:  ${String(found)}\n  wanted: ${String(wanted)}`);
}

let count = 0;
for (const file of process.argv.slice(2)) {
  for (const vector of JSON.parse(require("fs").readFileSync(file, "utf8")).cases as Vector[]) {
    if (vector.only !== undefined && vector.only.indexOf("typescript") < 0) continue;
    count += 1;
    const common = vector.common || { app_version: "1.0" };
    const build = common["build"];
    const record = new log.LogRecord(
      event(vector.event, vector.columns || {}),
      commonColumns({
        userId: common["user_id"] as string | undefined,
        appVersion: common["app_version"] as string,
        build: build === undefined ? undefined : whole(build),
        channel: common["channel"] as "store" | "test" | undefined,
      }),
      time(vector.occurredAt || "1775044800123"),
      vector.id || "0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11",
    );
    const name = file + ": " + vector.name;
    expect(name, record.json, vector.json);
    expect(name, record.violations, vector.violations);
    expect(name, record.isKept, vector.isKept);
    JSON.parse(record.json);
  }
}

// What only JavaScript's values can be.
const common = commonColumns({ appVersion: "1" });
const members = (event: log.LogEvent): string => {
  const json = new log.LogRecord(event, common).json;
  return json.slice(json.indexOf(',"app_version":"1"') + 18);
};
const type = (column: string, value = "null"): string => `,"${column}":${value},"violations":["${column}: type"]}`;
expect("a number beyond 2^53", members(Values.integers({ large: 2 ** 53 })), type("large"));
expect("one below", members(Values.integers({ large: -(2 ** 53) })), type("large"));
expect("no whole number", members(Values.integers({ plain: 1.5 })), type("plain"));
expect("no number", members(Values.integers({ plain: NaN })), type("plain"));
expect("infinite", members(Values.integers({ plain: Infinity })), type("plain"));
expect("minus zero", members(Values.integers({ plain: -0 })), ',"plain":0}');
expect("1e15", members(Values.integers({ plain: 1e15 })), ',"plain":1000000000000000}');
expect("beyond 64 bits", members(Values.integers({ large: BigInt("9223372036854775808") })), ',"large":9223372036854775808,"violations":["large: maximum"]}');
expect("and below", members(Values.integers({ large: BigInt("-9223372036854775809") })), ',"large":-9223372036854775809,"violations":["large: minimum"]}');
expect("an unsigned byte", members(Values.integers({ byte: 256 })), ',"byte":256,"violations":["byte: maximum"]}');
expect("a double as a float", members(Values.numbers({ float: 0.1 + 0.2 })), ',"float":0.3}');
for (const day of ["1900-02-29", "2023-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "26-01-01", "2026-1-1", "", "x\n"]) {
  expect("day " + day, members(Values.times({ day })), `,"day":${JSON.stringify(day)},"violations":["day: format"]}`);
}
expect("no date", members(Values.times({ moment: new Date(NaN) })), ',"moment":null,"violations":["moment: type"]}');
expect("no UUID", members(Values.others({ key: "0190a3f2" })), ',"key":"0190a3f2","violations":["key: format"]}');
expect("no decimal", members(Values.decimals({ price: "1e3" })), ',"price":"1e3","violations":["price: pattern"]}');
expect("a decimal with a plus", members(Values.decimals({ price: "+1." })), ',"price":"1.00"}');
expect("a huge decimal", members(Values.decimals({ price: "1" + "0".repeat(200) })), type("price"));
const tiny = "0." + "0".repeat(165) + "1";
expect("10^-166", members(Values.decimals({ price: tiny })), `,"price":"${tiny}","violations":["price: pattern"]}`);
expect("10^-167", members(Values.decimals({ price: tiny.slice(0, -1) + "01" })), type("price"));
expect("an address", members(Values.others({ link: "https://例え.jp/" })), ',"link":"https://例え.jp/","violations":["link: format"]}');
expect("percent in a scheme", members(Values.others({ link: "a%41:b" })), ',"link":"a%41:b","violations":["link: format"]}');
// Long texts take time in proportion to their length: these took minutes if they took its square.
const long = "0".repeat(1_000_000);
const broken = (value: string): string => `,"price":"${value}","violations":["price: pattern"]}`;
expect("a long decimal", members(Values.decimals({ price: long + "x" })), broken(long + "x"));
expect("a long fraction", members(Values.decimals({ price: "1." + long + "1" })), broken("1." + long + "1"));
expect("a long address", members(Values.others({ link: "a:" + "%41b".repeat(1_000_000) })), `,"link":"a:${"%41b".repeat(1_000_000)}"}`);
expect("percent", members(Values.others({ link: "a:%4" })), ',"link":"a:%4","violations":["link: format"]}');
expect("two fragments", members(Values.others({ link: "a:#b#c" })), ',"link":"a:#b#c","violations":["link: format"]}');
expect("another value", members(Values.others({ mode: "ON" as Values.Mode })), ',"mode":"ON","violations":["mode: enum"]}');
for (const [value, wanted] of [[1, "1"], [BigInt(1), "1"], [true, "true"], [1.5, "1.5"], [1e21, "1e+21"], [[1, ["a"]], '[1,["a"]]'], [new Date(0), '"1970-01-01T00:00:00.000Z"']] as const) {
  expect("external " + wanted, members(Values.named({ opaque: value })), `,"opaque":${wanted}}`);
}
expect("a sparse list", members(Values.named({ opaque: [, 7] as any })), type("opaque", "[null,7]"));
for (const [id, written, rule] of [["0190A3F2-7C1E-7B52-9D0A-3F6F0C2B8E11", '"0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11"'], ["1", '"1"', "format"], [7, "null", "type"]] as any) {
  const violations = rule ? `,"violations":["event_id: ${rule}"]}` : "}";
  const { json } = new log.LogRecord(Values.bare(), common, new Date(0), id);
  expect("an identifier", json.replace(/,"event_category".*"app_version":"1"/, ""), `{"event_id":${written}${violations}`);
}
// What only code without types can pass.
for (const value of [{}, [], "1", true, Symbol("x"), () => 1] as any[]) expect("no whole number", members(Values.integers({ plain: value })), type("plain"));
for (const value of [{}, 1, true, new Date(0)] as any[]) {
  expect("no text", members(Values.texts({ text: value })), type("text"));
  expect("no list", members(Values.lists({ strings: value })), type("strings"));
  expect("no day", members(Values.times({ day: value })), type("day"));
}
expect("no flag", members(Values.others({ flag: 0 as any })), type("flag"));
expect("an item that is missing", members(Values.lists({ grid: [[[undefined as any]]] })), type("grid", "[[[null]]]"));
expect("null is left out", members(Values.texts({ text: null, short: undefined })), "}");
expect(
  "a required column", new log.LogRecord(Values.bare(), commonColumns({} as any)).violations, ["app_version: required"],
);
const items = ["a"];
const kept = Values.lists({ strings: items });
items.push("b", "c");
expect("what changes later", members(kept), ',"strings":["a"]}');
const ids = Array.from({ length: 1000 }, () => log.LogRecord.id(new Date(1775044800123)));
expect("identifiers differ", new Set(ids).size, 1000);
expect("they are of version 7 and of their time", ids.every((id) => /^019d48ea-2e7b-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)), true);
console.log(`TypeScript makes the records of ${count} vectors`);
