// Made from the files in Sources/Outputs/LogCatalogue/Page. Do not edit.
// To make it again: `RECORD_SNAPSHOTS=1 swift test --filter EmbeddedFilesTests`.
// swift-format-ignore-file

enum EmbeddedFiles {
    static let catalogue_css = #"""

:root {
  color-scheme: light dark; --row: 50px;
  --ink: #1d1d1f; --quiet: #5c5c63; --paper: #ffffff; --soft: #f5f5f7; --line: #dcdce1; --focus: #0a5fd6; --chosen: #e\#
4eefb;
  --good: #17703a; --warn: #8a4b00; --bad: #b3261e; --warn-soft: #fdf1df; --bad-soft: #fdeceb; --quiet-soft: #ececf0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #f2f2f4; --quiet: #a9a9b1; --paper: #1b1b1e; --soft: #25252a; --line: #3a3a41; --focus: #7db4ff; --chosen: \#
#22344c;
    --good: #6fdc8c; --warn: #ffbe70; --bad: #ff9c93; --warn-soft: #3d3019; --bad-soft: #432523; --quiet-soft: #34343a;
  }
}
* { box-sizing: border-box; }
html { height: 100%; }
body {
  height: 100dvh; margin: 0; color: var(--ink); background: var(--paper);
  font: 15px/1.6 system-ui, -apple-system, "Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP", sans-serif;
  display: grid; grid-template: "top top" auto "side main" minmax(0, 1fr) / clamp(300px, 30vw, 420px) minmax(0, 1fr);
}
h1, h2, h3 { line-height: 1.3; overflow-wrap: anywhere; unicode-bidi: isolate; }
a { color: var(--focus); text-decoration-thickness: 1px; text-underline-offset: .18em; }
code, pre, .mono, kbd { font-family: ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", "Noto Sans Mono CJK JP",\#
 monospace; font-size: .88em; }
button, select, input { font: inherit; color: var(--ink); background: var(--soft); border: 1px solid var(--line); bord\#
er-radius: 8px; }
button { cursor: pointer; padding: 3px 12px; min-height: 28px; }
button:hover, select:hover { border-color: var(--quiet); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
[hidden] { display: none !important; }
.skip, .told { position: absolute; left: -9999px; }
.skip:focus { left: 12px; top: 12px; z-index: 9; padding: 8px 14px; background: var(--paper); border: 1px solid var(--\#
line); border-radius: 8px; }
.notice { grid-column: 1 / -1; margin: 24px; padding: 12px 16px; border-left: 4px solid var(--warn); background: var(-\#
-soft); }

.top { grid-area: top; display: flex; align-items: center; gap: 16px; padding: 12px 20px; border-bottom: 1px solid var\#
(--line); }
.top h1 { font-size: 17px; margin: 0; white-space: nowrap; }
.top h1 a { display: inline-block; line-height: 28px; color: inherit; text-decoration: none; }
.search { flex: 1 1 auto; max-width: 720px; margin: 0 auto; position: relative; }
.search input { width: 100%; padding: 8px 40px 8px 14px; border-radius: 10px; }
.search kbd { position: absolute; right: 12px; top: 50%; translate: 0 -50%; padding: 0 7px; color: var(--quiet); borde\#
r: 1px solid var(--line); border-radius: 5px; background: var(--paper); pointer-events: none; }
.search input:focus + kbd, .search input:not(:placeholder-shown) + kbd { display: none; }
.language { white-space: nowrap; }

.side { grid-area: side; min-height: 0; display: flex; flex-direction: column; border-right: 1px solid var(--line); }
.filters { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; padding: 14px 16px 4px; }
.filters label { display: grid; gap: 2px; font-size: 12px; color: var(--quiet); min-width: 0; }
.filters label:first-child { grid-column: 1 / -1; }
.filters select { width: 100%; min-width: 0; padding: 4px 6px; font-size: 14px; }
.filters select.on { border-color: var(--focus); background: var(--chosen); }
.count { margin: 0; padding: 6px 16px 8px; min-height: 40px; display: flex; align-items: center; justify-content: spac\#
e-between; font-size: 13px; color: var(--quiet); font-variant-numeric: tabular-nums; }
.count button { padding: 0 10px; font-size: 13px; }
.scroll { flex: 1 1 auto; min-height: 0; overflow-y: auto; overscroll-behavior: contain; border-top: 1px solid var(--l\#
ine); }
#list { position: relative; margin: 0; padding: 0; list-style: none; contain: strict; }
#list li { position: absolute; left: 0; right: 0; height: var(--row); }
#list a { display: grid; grid-template: "title marks" auto "name name" auto / minmax(0, 1fr) auto; align-content: cent\#
er; height: 100%; padding: 0 16px; gap: 0 8px; line-height: 1.35; color: inherit; text-decoration: none; border-left: \#
3px solid transparent; }
#list a:hover { background: var(--soft); }
#list a:focus-visible { outline-offset: -2px; }
#list a[aria-current] { background: var(--chosen); border-left-color: var(--focus); }
#list .title { grid-area: title; }
#list .mono { grid-area: name; font-size: 12px; color: var(--quiet); }
#list a[aria-current] .mono { color: var(--ink); }
#list .title, #list .mono { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
#list .marks { grid-area: marks; display: flex; gap: 4px; align-items: center; }
#list .category a { background: var(--soft); font-weight: 650; }
#list .category .mono { font-weight: 400; }
#list .retired .title { text-decoration: line-through; color: var(--quiet); }

.mark { display: inline-block; padding: 0 8px; border-radius: 99px; font-size: 12px; line-height: 20px; white-space: n\#
owrap; color: var(--quiet); background: var(--quiet-soft); }
.mark.personal, .mark.deprecated { color: var(--warn); background: var(--warn-soft); }
.mark.sensitive { color: var(--bad); background: var(--bad-soft); }
#list .mark { font-size: 11px; line-height: 17px; padding: 0 6px; }

main { grid-area: main; min-height: 0; overflow-y: auto; padding: 28px clamp(18px, 4vw, 56px) 80px; }
main:focus { outline: none; }
main > * { max-width: 940px; }
main h2 { font-size: 26px; margin: 0; }
main h3 { font-size: 17px; margin: 40px 0 10px; }
.crumb { margin: 0 0 4px; font-size: 14px; color: var(--quiet); }
.back { display: none; }
.id { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; margin: 6px 0 18px; }
.id code { font-size: 14px; overflow-wrap: anywhere; }
.prose { overflow-wrap: anywhere; }
.prose > :first-child { margin-top: 0; } .prose > :last-child { margin-bottom: 0; }
.prose pre { max-height: none; }
.prose blockquote { margin: 12px 0; padding-left: 14px; border-left: 3px solid var(--line); color: var(--quiet); }
.prose strong.heading { display: block; margin: 14px 0 4px; }
.facts { display: grid; grid-template-columns: minmax(90px, max-content) minmax(0, 1fr); gap: 6px 24px; margin: 22px 0\#
 0; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; }
.warning { margin: 0 0 16px; padding: 10px 14px; border-radius: 10px; color: var(--warn); background: var(--warn-soft)\#
; overflow-wrap: anywhere; }

table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 500; font-size: 13px; color: var(--quiet); }
th, td { padding: 10px 16px 10px 0; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere\#
; }
td p { margin: 0 0 4px; }
td.name { width: 24%; } td.type { width: 32%; }
td .mono, td code { overflow-wrap: anywhere; }
tr.retired td .column { text-decoration: line-through; color: var(--quiet); }
.column { font-weight: 600; }
.notation, .example { color: var(--quiet); font-size: 13px; }
.example code { color: var(--ink); }
ul.values { margin: 4px 0 0; padding-left: 18px; font-size: 13px; }
details > summary { cursor: pointer; color: var(--quiet); }
details.more { margin-top: 16px; }
details.more[open] > summary { margin-bottom: 8px; }

figure { margin: 0 0 14px; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
figcaption { display: flex; align-items: center; justify-content: space-between; padding: 4px 6px 4px 14px; font-size:\#
 13px; color: var(--quiet); background: var(--soft); border-bottom: 1px solid var(--line); }
figcaption button { padding: 0 10px; font-size: 13px; background: var(--paper); }
pre { margin: 0; padding: 12px 14px; overflow: auto; max-height: 460px; line-height: 1.55; tab-size: 4; }
.prose pre { border: 1px solid var(--line); border-radius: 10px; }
.prose code:not(pre code), td code, .id code { padding: .1em .35em; border-radius: 5px; background: var(--quiet-soft); }
.plain { list-style: none; margin: 0; padding: 0; }
.plain li { padding: 7px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.plain .quiet, .quiet { color: var(--quiet); }
.changes { margin: 4px 0 0; padding-left: 20px; }

.figures { display: flex; flex-wrap: wrap; gap: 10px; margin: 24px 0; padding: 0; list-style: none; }
.figures button, .figures span { display: grid; min-width: 116px; padding: 12px 16px; text-align: left; border: 1px so\#
lid var(--line); border-radius: 12px; background: var(--soft); font-size: 13px; color: var(--quiet); line-height: 1.4; }
.figures b { font-size: 24px; font-weight: 600; color: var(--ink); font-variant-numeric: tabular-nums; }
.landing h3 { margin-top: 24px; }
.keys { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px; align-items: baseline; }
.keys dt { display: flex; gap: 4px; } .keys dd { margin: 0; color: var(--quiet); }
.keys kbd { padding: 1px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--soft); }

@media (max-width: 760px) {
  body { grid-template: "top" auto "side" minmax(0, 1fr) / minmax(0, 1fr); }
  .top { flex-wrap: wrap; gap: 10px; padding: 10px 14px; }
  .top h1 { flex: 1; } .search { order: 3; flex: 1 0 100%; }
  .side, main { grid-area: side; }
  .side { border-right: 0; }
  body.reading .side, body:not(.reading) main { display: none; }
  body.reading .search { display: none; }
  .back { display: inline-block; margin-bottom: 12px; }
  .filters { grid-template-columns: 1fr 1fr 1fr; padding: 10px 14px 0; }
  .filters label:first-child { grid-column: span 2; }
  main { padding: 16px 16px 60px; }
  main h2 { font-size: 22px; }
  table, tbody, tr, td { display: block; width: auto; }
  thead { position: absolute; left: -9999px; }
  tr { padding: 10px 0; border-bottom: 1px solid var(--line); }
  td, td.name, td.type { width: auto; padding: 2px 0; border: 0; }
  .figures button, .figures span { flex: 1 1 40%; }
}
@media (prefers-reduced-motion: no-preference) { .scroll, main { scroll-behavior: auto; } }
@media (forced-colors: active) { #list a[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; } }
@media print {
  :root { color-scheme: light; --ink: #000; --quiet: #444; --paper: #fff; --soft: #fff; --line: #bbb; --focus: #000; -\#
-quiet-soft: #fff; --warn-soft: #fff; --bad-soft: #fff; --warn: #000; --bad: #000; }
  body { display: block; height: auto; font-size: 10.5pt; }
  .top, .side, .skip, .back, figcaption button, .id button, .figures, .landing, .common-privacy, .keys, .keys-title { \#
display: none !important; }
  main { display: block !important; overflow: visible; padding: 0; }
  main > * { max-width: none; }
  pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
  h2, h3 { break-after: avoid; } tr, figure, .plain li { break-inside: avoid; }
  .mark { border: 1px solid var(--line); }
  .prose a[href^="http"]::after { content: " (" attr(href) ")"; font-size: .85em; }
}

"""#
    static let catalogue_css_hash = "sha256-PyOF96PJwBDc9CJo3OH0fb3veRAGJJfzz0Oa2ajSPUI="
    static let catalogue_html = #"""
<noscript><p class="notice">This page needs JavaScript to show its events. <span lang="ja">このページの表示にはJavaScriptが必要です。<\#
/span></p></noscript>
<a class="skip" href="#main" data-say="skip">Skip to the event</a>
<header class="top">
  <h1><a href="#" data-say="title">Log events</a></h1>
  <form role="search" class="search"><input type="search" id="query" autocomplete="off" autocapitalize="off" spellchec\#
k="false" data-label="search" aria-controls="list"><kbd aria-hidden="true">/</kbd></form>
  <button type="button" class="language"></button>
</header>
<nav class="side" data-label="events">
  <div class="filters" role="group" data-label="filters"></div>
  <p class="count"><span role="status"></span> <button type="button" class="reset" data-say="reset" hidden>Show all</b\#
utton></p>
  <div class="scroll"><ol id="list" role="list"></ol></div>
</nav>
<main id="main" tabindex="-1"></main>
<p class="told" role="status" aria-live="polite"></p>

"""#
    static let catalogue_js = #"""

"use strict";
// Searches and shows the events in the page's own data, without a server. Strings of definitions become text nodes.
// Only rendered Markdown becomes elements, of the kinds listed below.

// MARK: Strings, in the reader's language

const WORDS = {
  en: {
    title: "Log events", search: "Search events, columns and descriptions", events: "Events", filters: "Filters", skip\#
: "Skip to the event", reset: "Show all",
    language: "日本語", owner: "Owner", status: "Status", privacy: "Privacy", trigger: "Trigger", platform: "Platform", a\#
ny: "All", nobody: "No owner",
    statuses: ["Active", "Deprecated", "Retired"], privacies: ["Nothing personal", "Personal", "Sensitive"],
    noTrigger: "No trigger", triggers: { screen: "Screen", show: "Shown", impression: "Impression", tap: "Tap", leave:\#
 "Leave" }, platforms: ["iOS", "Android", "Web"],
    count: (n, all) => (n === all ? "" : `${format(n)} of `) + (all === 1 ? "1 event" : `${format(all)} events`),
    none: "No results.", back: "‹ Events", copyLink: "Copy link", copy: "Copy", copied: "Copied", notCopied: "The brow\#
ser does not allow copying. Select the text instead.",
    when: "When", since: "Since", formerly: "Formerly", expires: "Expires", sampling: "Kept", version: "Version", defi\#
ned: "Defined in", on: "Platforms",
    deprecated: (text) => text ? `Deprecated: ${text}` : "Deprecated", retired: "Retired: apps no longer send it. Its \#
name stays reserved.",
    columns: "Columns", name: "Name", type: "Type", description: "Description", noColumns: "No columns except the comm\#
on ones.", optional: "Optional",
    common: (n) => `Common columns that every event carries (${n})`, example: "Example", values: (n) => n === 1 ? "1 v\#
alue" : `${n} values`, record: "Example record", code: "In code", table: "In the warehouse",
    history: "Versions", first: "The first version.", places: "Posted by", unused: "The sources do not post it.", tap:\#
 (button) => `tap of ${button}`, possible: "possibly",
    readers: "Read by", unread: "No consumer reads it.", readBy: (names) => `Read by ${names}`, through: (names) => `t\#
hrough ${names}`, reading: (columns) => `reads ${columns}`,
    readings: ["Nobody", "A consumer"], unreadEvents: "Events that nobody reads",
    missing: (name) => `The event ${name} is not in these definitions.`, missingHelp: "It may have another name now. S\#
earch for a part of it.",
    inCategory: (n) => n === 1 ? "1 event" : `${format(n)} events`, overview: "What the apps log", one: { events: "eve\#
nt", categories: "category", owners: "owner" }, all: "events", categories: "categories", owners: "owners",
    newest: "Newest events", eventOwners: "Owners", deprecatedEvents: "Deprecated events", more: (n) => `${format(n)} \#
more: use the filters.`,
    commonPrivacy: (n) => n === 1 ? "The records of all events hold this common column:" : "The records of all events \#
hold these common columns:",
    keys: "Keys", keySearch: "search", keyMove: "move through the results", keyOpen: "open", keyBack: "back to the sea\#
rch",
    trigger_screen: "The screen’s visit begins.", trigger_show: "Some of it comes into view.", impression: (part, time\#
) => `${part ?? "Enough"} of it was in view for ${time ?? "long enough"}.`, trigger_tap: "A button is tapped:", leave:\#
 (part) => `The visit ends${part ? `, and ${part} was in view` : ""}.`,
    types: {
      string: (t) => "string" + (t.maxLength !== undefined ? `, at most ${format(t.maxLength)} characters` : t.maxByte\#
s !== undefined ? `, at most ${format(t.maxBytes)} bytes` : ""),
      integer: (t) => "whole number" + range(t, (a) => ` from ${a}`, (b) => ` up to ${b}`, (a, b) => ` from ${a} to ${\#
b}`) + (t.minimum === undefined && !t.signed ? " from 0" : ""),
      number: (t) => "number" + range(t, (a) => ` from ${a}`, (b) => ` up to ${b}`, (a, b) => ` from ${a} to ${b}`),
      decimal: (t) => `decimal number, ${t.precision} digits` + (t.scale ? `, ${t.scale} of them after the point` : ""),
      boolean: () => "true or false", date: () => "day", timestamp: () => "time in UTC", uuid: () => "UUID", url: () =\#
> "URL",
      enum: (t) => `one of ${t.values.join(", ")}`,
      array: (t, item) => `list of: ${item}` + items(t, (a) => `, at least ${a}`, (b) => `, at most ${b}`, (a, b) => `\#
, ${a} to ${b} of them`),
      named: (t, base) => base ?? "a type of the app", oneOf: "one of these values",
    },
    subjects: { event: "The event", column: "The column", commonColumns: "The common columns", commonColumn: "The comm\#
on column", type: "The type" },
  },
  ja: {
    title: "ログの一覧", search: "イベント、カラム、説明を検索", events: "イベント", filters: "絞り込み", skip: "イベントの内容へ", reset: "すべて表示",
    language: "English", owner: "担当", status: "状態", privacy: "個人情報", trigger: "発火条件", platform: "対象", any: "すべて", nobo\#
dy: "なし",
    statuses: ["使用中", "非推奨", "引退"], privacies: ["含まない", "個人情報", "要配慮"],
    noTrigger: "記載なし", triggers: { screen: "画面の表示", show: "表示", impression: "インプレッション", tap: "タップ", leave: "表示の終わり" },\#
 platforms: ["iOS", "Android", "Web"],
    count: (n, all) => n === all ? `${format(all)}件のイベント` : `${format(all)}件中${format(n)}件`,
    none: "見つかりません。", back: "‹ 一覧", copyLink: "リンクをコピー", copy: "コピー", copied: "コピーしました", notCopied: "ブラウザがコピーを許可していません\#
。文字列を選択してください。",
    when: "送るとき", since: "追加", formerly: "旧名", expires: "期限", sampling: "送る割合", version: "バージョン", defined: "定義", on: "\#
対象",
    deprecated: (text) => text ? `非推奨: ${text}` : "非推奨", retired: "引退: アプリはもう送りません。名前は予約されたままです。",
    columns: "カラム", name: "名前", type: "型", description: "説明", noColumns: "固有のカラムはありません。", optional: "省略可",
    common: (n) => `全イベント共通のカラム (${n})`, example: "例", values: (n) => `${n}種類の値`, record: "レコードの例", code: "コード", table\#
: "データウェアハウス",
    history: "バージョンの履歴", first: "最初のバージョン。", places: "送っている場所", unused: "ソースコードのどこからも送られていません。", tap: (button) => `${b\#
utton} のタップ`, possible: "可能性あり",
    readers: "データの利用", unread: "データを利用しているものはありません。", readBy: (names) => `利用: ${names}`, through: (names) => `${names}\#
 経由`, reading: (columns) => `読み取るカラム: ${columns}`,
    readings: ["なし", "あり"], unreadEvents: "データが利用されていないイベント",
    missing: (name) => `イベント ${name} はここにありません。`, missingHelp: "名前が変わったのかもしれません。名前の一部で検索してください。",
    inCategory: (n) => `${format(n)}件のイベント`, overview: "アプリが送るログ", one: {}, all: "イベント", categories: "カテゴリ", owners: "\#
担当",
    newest: "新しいイベント", eventOwners: "担当", deprecatedEvents: "非推奨のイベント", more: (n) => `ほか${format(n)}件は絞り込みで表示できます。`,
    commonPrivacy: () => "すべてのイベントのレコードに含まれる共通カラム:",
    keys: "キー操作", keySearch: "検索", keyMove: "結果の移動", keyOpen: "開く", keyBack: "検索に戻る",
    trigger_screen: "画面の表示が始まったとき。", trigger_show: "一部が画面に入ったとき。", impression: (part, time) => `${part ? part + "以上" :\#
 "十分な面積"}が${time ?? "十分な時間"}見えていたとき。`, trigger_tap: "ボタンが押されたとき:", leave: (part) => `${part ? part + "以上が見えた" : ""}表示が\#
終わったとき。`,
    types: {
      string: (t) => "文字列" + (t.maxLength !== undefined ? ` (${format(t.maxLength)}文字まで)` : t.maxBytes !== undefined ?\#
 ` (${format(t.maxBytes)}バイトまで)` : ""),
      integer: (t) => "整数" + range(t, (a) => ` (${a}以上)`, (b) => ` (${b}以下)`, (a, b) => ` (${a}〜${b})`) + (t.minimum =\#
== undefined && !t.signed ? " (0以上)" : ""),
      number: (t) => "数値" + range(t, (a) => ` (${a}以上)`, (b) => ` (${b}以下)`, (a, b) => ` (${a}〜${b})`),
      decimal: (t) => `10進数 (${t.precision}桁` + (t.scale ? `、うち小数${t.scale}桁)` : ")"),
      boolean: () => "真偽値 (true か false)", date: () => "日付", timestamp: () => "日時 (UTC)", uuid: () => "UUID", url: () \#
=> "URL",
      enum: (t) => `次のどれか: ${t.values.join("、")}`,
      array: (t, item) => `リスト: ${item}` + items(t, (a) => `、${a}個以上`, (b) => `、${b}個まで`, (a, b) => `、${a}〜${b}個`),
      named: (t, base) => base ?? "アプリの型", oneOf: "次のどれか",
    },
    subjects: { event: "イベント", column: "カラム", commonColumns: "共通カラム", commonColumn: "共通カラム", type: "型" },
  },
};
const LANGUAGES = Object.keys(WORDS);
let language = remembered() ?? navigator.languages.map((name) => name.slice(0, 2)).find((name) => LANGUAGES.includes(n\#
ame)) ?? "en";
let say = WORDS[language];

function format(number) { return number.toLocaleString(language); }

// Omits bounds beyond 2^53, which would be rounded. The type next to the range has the exact numbers.
function range(type, from, to, between) {
  const isExact = (number) => number !== undefined && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  if (isExact(type.minimum) && isExact(type.maximum)) return between(format(type.minimum), format(type.maximum));
  return isExact(type.minimum) ? from(format(type.minimum)) : isExact(type.maximum) ? to(format(type.maximum)) : "";
}

function items(type, from, to, between) {
  if (type.minItems !== undefined && type.maxItems !== undefined) return between(format(type.minItems), format(type.ma\#
xItems));
  return type.minItems !== undefined ? from(format(type.minItems)) : type.maxItems !== undefined ? to(format(type.maxI\#
tems)) : "";
}

// Browsers may forbid storage to a page that is opened as a file.
function remembered() {
  try {
    const name = localStorage.getItem("catalogue-language");
    return LANGUAGES.includes(name) ? name : undefined;
  } catch { return undefined; }
}

// MARK: Data

const find = (selector) => document.querySelector(selector);
const read = (name) => JSON.parse(document.getElementById("data-" + name).textContent);
const data = read("index");
const events = [], categories = [];
const places = new Map();
const PRIVACY = ["none", "personal", "sensitive"], STATUS = ["active", "deprecated", "retired"], PLATFORMS = ["ios", "\#
android", "web"];
const commonPersonal = (data.common?.columns ?? []).filter((column) => column.privacy && column.status !== "retired");
// The highest privacy level of an event's records: that of its own columns (`own`) and of the common columns. A retired
// event has no records.
function recordPrivacy(own, status, platforms) {
  if (status === 2) return own;
  const isOn = (column) => !column.platforms || column.platforms.split(", ").some((name) => platforms >> PLATFORMS.ind\#
exOf(name) & 1);
  return commonPersonal.filter(isOn).reduce((level, column) => Math.max(level, PRIVACY.indexOf(column.privacy)), own);
}
for (const [name, title, owner, list, words] of data.categories) {
  const category = { name, title, owner, words, number: categories.length, first: events.length, count: list.length, i\#
d: name };
  categories.push(category);
  places.set(name, category);
  list.forEach(([eventName, eventTitle, eventOwner, status, own, trigger, platforms, words, since, readers], index) => {
    const event = { category, index, name: eventName, title: eventTitle, owner: eventOwner, status, own, privacy: reco\#
rdPrivacy(own, status, platforms), trigger, platforms, words, since, readers, id: name + "." + eventName };
    events.push(event);
    places.set(event.id, event);
  });
}

const parsed = new Map();
function details(category) {
  if (!parsed.has(category)) parsed.set(category, read("c" + category.number));
  return parsed.get(category);
}

// MARK: Elements

// Creates an element with attributes and children. Strings become text nodes.
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false) continue;
    if (key === "onclick") element.addEventListener("click", value); else element.setAttribute(key, value === true ? "\#
" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== undefined && child !== null && child !== false && chi\#
ld !== ""));
  return element;
}

const KANA = /[\u3040-\u30ff]/;
// Japanese strings get a `lang` attribute, for the right glyphs and for screen readers.
const languageOf = (text) => KANA.test(text) ? "ja" : undefined;
const text = (value, name = "span", attributes) => make(name, { dir: "auto", lang: languageOf(value), ...attributes },\#
 value);
const code = (value, attributes) => make("code", { translate: "no", dir: "ltr", ...attributes }, value);
const isWeb = (address) => /^https?:\/\//i.test(address);
const link = (address, ...children) => isWeb(address) ? make("a", { href: address, rel: "noreferrer" }, ...children) :\#
 make("span", null, ...children);

const ALLOWED = new Set(["P", "EM", "STRONG", "CODE", "PRE", "UL", "OL", "LI", "BLOCKQUOTE", "BR", "HR"]);

// Copies the allowed elements of rendered Markdown. The parsed document does not run or load anything.
function rendered(html, name = "div", attributes) {
  const copy = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE) return undefined;
    const children = [...node.childNodes].map(copy);
    // A picture would be loaded from a server, so it becomes a link.
    if (node.tagName === "IMG") return link(node.getAttribute("src") ?? "", node.getAttribute("alt") || node.getAttrib\#
ute("src") || "");
    if (node.tagName === "A") return link(node.getAttribute("href") ?? "", ...children);
    if (/^H[1-6]$/.test(node.tagName)) return make("strong", { class: "heading" }, ...children);
    return ALLOWED.has(node.tagName) ? make(node.tagName.toLowerCase(), null, ...children) : make("span", null, ...chi\#
ldren);
  };
  const body = new DOMParser().parseFromString(html, "text/html").body;
  return make(name, { dir: "auto", lang: languageOf(html), ...attributes }, ...[...body.childNodes].map(copy));
}

function tell(words) {
  const place = find(".told");
  place.textContent = "";
  setTimeout(() => { place.textContent = words; }, 50);
}

function copyButton(value, label = say.copy) {
  return make("button", {
    type: "button",
    onclick: async (click) => {
      try {
        await navigator.clipboard.writeText(typeof value === "function" ? value() : value);
        click.target.textContent = say.copied;
        setTimeout(() => { click.target.textContent = label; }, 1500);
        tell(say.copied);
      } catch { tell(say.notCopied); }
    },
  }, label);
}

// MARK: Search

const folded = (value) => value.normalize("NFKC").toLowerCase().replace(/[\u30a1-\u30f6]/g, (sign) => String.fromCharC\#
ode(sign.charCodeAt(0) - 0x60));
let foldedCount = 0;

// Folds the strings of the first `end` events for the search. Folding them in one call is much faster than one by one.
function fold(end = events.length) {
  if (end <= foldedCount) return;
  const some = events.slice(foldedCount, end);
  foldedCount = end;
  const part = (texts) => folded(texts.join("\u0001")).split("\u0001");
  if (categories[0].all === undefined) part(categories.map((category) => category.words)).forEach((words, index) => { \#
categories[index].all = words; });
  const names = part(some.map((event) => event.id + "\n" + event.title + "\n" + event.category.title));
  const all = part(some.map((event) => event.words + "\n" + (data.owners[event.owner] ?? "")));
  some.forEach((event, index) => {
    event.names = names[index];
    event.all = names[index] + "\n" + all[index];
  });
}

// Folds the strings after the first display, in parts that do not delay a key press. The first search is then as fast
// as the others.
function foldOn() {
  fold(Math.min(foldedCount + 1000, events.length));
  if (foldedCount < events.length) setTimeout(foldOn);
}

const FILTERS = {
  owner: { words: () => [say.nobody, ...data.owners], test: (event, value) => event.owner === value - 1 },
  status: { words: () => say.statuses, test: (event, value) => event.status === value },
  privacy: { words: () => say.privacies, test: (event, value) => event.own === value },
  trigger: { words: () => [say.noTrigger, ...data.triggers.map((kind) => say.triggers[kind] ?? kind)], test: (event, v\#
alue) => event.trigger === value },
  platform: { words: () => say.platforms, test: (event, value) => (event.platforms >> value & 1) === 1 },
  ...data.readers && { readers: { words: () => say.readings, test: (event, value) => value === 1 ? event.readers > 0 :\#
 event.readers === 0 } },
};
const filters = Object.fromEntries(Object.keys(FILTERS).map((key) => [key, ""]));

// Returns the rows of the list: the events found, best first, or all events in the order of the files with their
// categories.
function found() {
  const words = folded(find("#query").value).split(/\s+/).filter(Boolean);
  const tests = Object.entries(filters).filter(([, value]) => value !== "").map(([key, value]) => (event) => FILTERS[k\#
ey].test(event, Number(value)));
  const isIn = (event) => tests.every((test) => test(event));
  if (words.length === 0) {
    const rows = [];
    for (const category of categories) {
      const list = events.slice(category.first, category.first + category.count).filter(isIn);
      category.found = list.length;
      if (list.length > 0 || tests.length === 0) rows.push(category, ...list);
    }
    return rows;
  }
  fold();
  const ranks = [[], [], [], []];
  for (const event of events) {
    if (!words.every((word) => event.all.includes(word) || event.category.all.includes(word)) || !isIn(event)) continue;
    const rank = event.name === words[0] || event.id === words[0] ? 0 : event.name.startsWith(words[0]) || event.names\#
.includes("\n" + words[0]) ? 1
      : words.every((word) => event.names.includes(word)) ? 2 : 3;
    ranks[rank].push(event);
  }
  return ranks.flat();
}

// MARK: The list. Only the rows in view have elements.

const list = find("#list"), scroll = find(".scroll");
const ROW = 50, AROUND = 6;
let rows = [], focused = 0, shown = new Map(), current = null;

const isCategory = (row) => row.category === undefined;

function rowElement(row, index) {
  const marks = isCategory(row) ? [make("span", { class: "mark" }, format(row.found))] : [
    row.status > 0 && make("span", { class: "mark " + ["", "deprecated", "retired"][row.status] }, say.statuses[row.st\#
atus]),
    row.own > 0 && make("span", { class: "mark " + PRIVACY[row.own] }, say.privacies[row.own]),
  ];
  const anchor = make("a", { href: "#" + row.id, tabindex: index === focused ? "0" : "-1", "aria-current": row === cur\#
rent ? "page" : undefined },
    text(row.title || row.id, "span", { class: "title" }), make("span", { class: "marks" }, ...marks), make("span", { \#
class: "mono", translate: "no" }, row.title && row.id));
  const item = make("li", { class: isCategory(row) ? "category" : row.status === 2 ? "retired" : undefined, "aria-sets\#
ize": rows.length, "aria-posinset": index + 1 }, anchor);
  item.style.top = index * ROW + "px";
  return item;
}

function drawRows() {
  const first = Math.max(0, Math.floor(scroll.scrollTop / ROW) - AROUND);
  const last = Math.min(rows.length, Math.ceil((scroll.scrollTop + scroll.clientHeight) / ROW) + AROUND);
  const next = new Map();
  const wanted = [];
  for (let index = first; index < last; index += 1) wanted.push(index);
  // The focused row keeps its element, even if it is out of view.
  if (focused < first && focused >= 0) wanted.unshift(focused);
  if (focused >= last && focused < rows.length) wanted.push(focused);
  for (const index of wanted) next.set(index, shown.get(index) ?? rowElement(rows[index], index));
  for (const [index, element] of shown) if (next.get(index) !== element) element.remove();
  let before = null;
  for (const element of [...next.values()].reverse()) {
    if (element.nextSibling !== before || element.parentNode !== list) list.insertBefore(element, before);
    before = element;
  }
  shown = next;
}

function forget() {
  for (const element of shown.values()) element.remove();
  shown = new Map();
}

function search() {
  rows = found();
  forget();
  focused = Math.max(0, rows.indexOf(current));
  list.style.height = rows.length * ROW + "px";
  scroll.scrollTop = 0;
  drawRows();
  const count = rows.reduce((sum, row) => sum + (isCategory(row) ? 0 : 1), 0);
  find(".count [role=status]").textContent = count === 0 ? say.none : say.count(count, events.length);
  find(".reset").hidden = find("#query").value === "" && Object.values(filters).every((value) => value === "");
}

function focusRow(index) {
  if (rows.length === 0) return;
  focused = Math.min(Math.max(index, 0), rows.length - 1);
  const top = focused * ROW;
  if (top < scroll.scrollTop) scroll.scrollTop = top;
  if (top + ROW > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = top + ROW - scroll.clientHeight;
  forget();
  drawRows();
  shown.get(focused).firstChild.focus({ preventScroll: true });
}

// MARK: Filters

function drawFilters() {
  find(".filters").replaceChildren(...Object.keys(FILTERS).map((key) => {
    const select = make("select", { id: "filter-" + key, class: filters[key] === "" ? undefined : "on" }, make("option\#
", { value: "" }, say.any),
      ...FILTERS[key].words().map((word, index) => make("option", { value: index, dir: "auto" }, word)));
    select.value = filters[key];
    select.addEventListener("change", () => {
      filters[key] = select.value;
      select.classList.toggle("on", select.value !== "");
      search();
    });
    return make("label", { for: "filter-" + key }, say[key], select);
  }));
}

function setFilter(key, value) {
  for (const name of Object.keys(filters)) filters[name] = "";
  if (key) filters[key] = String(value);
  find("#query").value = "";
  drawFilters();
  search();
}

// MARK: An event

const namedType = (name) => Object.hasOwn(data.types, name) ? data.types[name] : undefined;

// Describes a type. `seen` ends the recursion for a type that refers to itself.
function typeWords(type, seen = []) {
  const words = say.types[type.kind];
  if (type.kind === "array") return words(type, typeWords(type.items, seen));
  if (type.kind !== "named") return words(type);
  const named = namedType(type.name);
  if (!named || seen.includes(type.name)) return words(type);
  return words(type, named.values ? say.types.oneOf : named.is ? typeWords(named.is, [...seen, type.name]) : undefined);
}

const element = (type) => type.kind === "array" ? element(type.items) : type;

function valueList(type) {
  const named = element(type).kind === "named" ? namedType(element(type).name) : undefined;
  if (!named || !named.values) return undefined;
  const values = make("ul", { class: "values" }, ...named.values.map(([value, html]) => make("li", null, code(value), \#
html && " ", html && rendered(html, "span"))));
  return make("details", null, make("summary", null, say.values(named.values.length)), values);
}

const mark = (word, kind) => make("span", { class: "mark " + (kind ?? "") }, word);
// `readers` has the names of the readers of each column.
function columnRow(column, readers) {
  const names = readers?.get(column.name);
  const marks = [
    !column.required && mark(say.optional), column.privacy && mark(say.privacies[PRIVACY.indexOf(column.privacy)], col\#
umn.privacy),
    column.status && mark(say.statuses[STATUS.indexOf(column.status)], column.status), column.platforms && mark(column\#
.platforms),
    column.since && mark(`${say.since} ${column.since}`),
  ].filter(Boolean).flatMap((element) => [" ", element]);
  return make("tr", { class: column.status, role: "row" },
    make("td", { class: "name", role: "cell" }, make("span", { class: "mono column", translate: "no" }, column.name), \#
make("div", null, ...marks)),
    make("td", { class: "type", role: "cell" }, text(typeWords(column.is)), make("div", { class: "mono notation", tran\#
slate: "no" }, column.type), valueList(column.is)),
    make("td", { role: "cell" }, column.html && rendered(column.html), column.deprecated && text(say.deprecated(column\#
.deprecated), "p", { class: "quiet" }),
      ...(column.notes ?? []).map(([header, value]) => make("p", { class: "example" }, text(header), ": ", text(value)\#
)),
      column.formerly && text(`${say.formerly}: ${column.formerly}`, "p", { class: "quiet" }),
      column.example && make("div", { class: "example" }, say.example + ": ", code(column.example)),
      names && text(say.readBy(names.join(", ")), "p", { class: "example readers" })));
}

function columnTable(columns, label, readers) {
  const header = [say.name, say.type, say.description].map((word) => make("th", { scope: "col", role: "columnheader" }\#
, word));
  return make("table", { role: "table", "aria-label": label }, make("thead", { role: "rowgroup" }, make("tr", { role: \#
"row" }, ...header)),
    make("tbody", { role: "rowgroup" }, ...columns.map((column) => columnRow(column, readers))));
}

function codeFigure(label, value) {
  return make("figure", null, make("figcaption", null, make("span", null, label), copyButton(value)),
    make("pre", { tabindex: "0", role: "region", "aria-label": label, translate: "no" }, make("code", { dir: "ltr" }, \#
value)));
}

function recordText(event, known) {
  const member = (key, value) => JSON.stringify(key) + ": " + JSON.stringify(value);
  const members = [
    member("event_id", "0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11"), member("event_category", event.category.name), member(\#
"event_name", event.name),
    member("schema_version", known.version), member("occurred_at", "2026-04-01T09:30:00.000Z"), ...(known.share ? [mem\#
ber("sampling_rate", Number(known.share))] : []),
    ...(data.common?.record ?? []), ...known.record,
  ];
  return "{\n" + members.map((line) => "  " + line).join(",\n") + "\n}";
}

function facts(...entries) {
  return make("dl", { class: "facts" }, ...entries.filter(([, value]) => value).map(([label, value]) => [make("dt", nu\#
ll, label), make("dd", null, value)]));
}

const ownerButton = (owner) => owner >= 0 && text(data.owners[owner]);
const place = (known) => link(known.link ?? "", code(`${known.file}:${known.line}`));

function eventPage(event) {
  const known = details(event.category).events[event.index];
  const trigger = known.details.trigger && data.triggers[event.trigger - 1];
  const readers = columnReaders(known.readers ?? []);
  return [
    make("p", { class: "crumb" }, make("a", { href: "#" + event.category.id }, text(event.category.title || event.cate\#
gory.name))),
    text(event.title || event.name, "h2", { tabindex: "-1" }),
    make("p", { class: "id" }, code(event.id), event.status > 0 && mark(say.statuses[event.status], STATUS[event.statu\#
s]),
      event.privacy > 0 && mark(say.privacies[event.privacy], PRIVACY[event.privacy]), copyButton(() => location.href,\#
 say.copyLink)),
    event.status === 1 && text(say.deprecated(known.details.deprecated), "p", { class: "warning" }),
    event.status === 2 && make("p", { class: "warning" }, say.retired),
    known.html && rendered(known.html, "div", { class: "prose" }),
    facts(
      [say.when, trigger && make("span", null, triggerWords(trigger, known.details.trigger))],
      [say.owner, ownerButton(event.owner)], [say.on, event.platforms !== 7 && say.platforms.filter((_, index) => even\#
t.platforms >> index & 1).join(", ")],
      [say.since, known.details.since && text(known.details.since)], [say.expires, known.details.expires], [say.sampli\#
ng, known.details.sampling],
      [say.formerly, known.formerly], [say.version, known.version], [say.defined, place(known)]),
    make("h3", null, say.columns),
    known.columns.length > 0 ? columnTable(known.columns, say.columns, readers) : make("p", { class: "quiet" }, say.no\#
Columns),
    data.common && make("details", { class: "more" }, make("summary", null, say.common(data.common.columns.length)),
      data.common.html && rendered(data.common.html, "div", { class: "prose" }), columnTable(data.common.columns, say.\#
common(data.common.columns.length), readers)),
    known.notes && rendered(known.notes, "div", { class: "prose more" }),
    known.record && [make("h3", null, say.record), codeFigure("JSON", recordText(event, known))],
    known.calls?.length > 0 && [make("h3", null, say.code), ...known.calls.map(([name, value]) => codeFigure(name, val\#
ue))],
    known.tables.length > 0 && [make("h3", null, say.table), ...known.tables.map(([name, value]) => codeFigure(name, v\#
alue))],
    data.usages && event.status !== 2 && [make("h3", null, say.places), usageList(known.places ?? [])],
    known.readers && [make("h3", null, say.readers), readerList(known.readers)],
    known.history && [make("h3", null, say.history), make("ol", { class: "plain", role: "list" }, ...known.history.map\#
(([version, changes]) => versionItem(version, changes)))],
  ];
}

function usageList(usages) {
  if (usages.length === 0) return make("p", { class: "quiet" }, say.unused);
  return make("ul", { class: "plain", role: "list" }, ...usages.map((usage) => make("li", null, code(`${usage.file}:${\#
usage.line}`),
    usage.tap && make("span", { class: "quiet" }, " ", say.tap(usage.tap)), usage.possible && make("span", { class: "q\#
uiet" }, " ", say.possible))));
}

// Returns the names of the certain readers of each column.
function columnReaders(readers) {
  const names = new Map();
  for (const [, name, , , columns] of readers) for (const [column, certain] of columns) {
    if (column && certain) names.set(column, [...names.get(column) ?? [], name]);
  }
  return names;
}

function readerList(readers) {
  if (readers.length === 0) return make("p", { class: "quiet" }, say.unread);
  const words = (columns) => columns.map(([name, certain]) => (name || "*") + (certain ? "" : ` (${say.possible})`)).j\#
oin(", ");
  return make("ul", { class: "plain", role: "list" }, ...readers.map(([kind, name, file, owner, columns, through]) => \#
make("li", null,
    text(`${kind} `), code(name), owner && make("span", { class: "quiet" }, " ", text(owner)), " ", make("span", { cla\#
ss: "mono quiet", translate: "no" }, file),
    columns.length > 0 && make("span", { class: "quiet" }, " ", say.reading(words(columns))),
    columns.length === 0 && through.length > 0 && make("span", { class: "quiet" }, " ", say.through(through.join(", ")\#
)))));
}

function versionItem(version, changes) {
  if (changes.length === 0) return make("li", null, code(version), " ", make("span", { class: "quiet" }, say.first));
  // Changes have the words of `loggen check`, in English, with names in backticks: “`a` is new”.
  const words = (value) => value.split("`").map((part, index) => index % 2 === 1 ? code(part) : part);
  return make("li", null, code(version), make("ul", { class: "changes" }, ...changes.map(([kind, name, what]) =>
    make("li", null, say.subjects[kind] + " ", name && code(name), name && " ", make("span", { lang: "en" }, ...words(\#
what))))));
}

function triggerWords(trigger, written) {
  if (trigger === "impression") return say.impression(written.match(/[\d.]+ ?%/), written.match(/[\d.]+ ?m?s/));
  if (trigger === "leave") return say.leave(written.match(/[\d.]+ ?%/));
  return make("span", null, say["trigger_" + trigger], trigger === "tap" && " ", trigger === "tap" && code(written));
}

function categoryPage(category) {
  const known = details(category);
  return [
    text(category.title || category.name, "h2", { tabindex: "-1" }),
    make("p", { class: "id" }, code(category.id), copyButton(() => location.href, say.copyLink)),
    known.html && rendered(known.html, "div", { class: "prose" }),
    facts([say.owner, ownerButton(category.owner)], [say.defined, place(known)]),
    make("h3", null, say.inCategory(category.count)),
    make("ul", { class: "plain", role: "list" }, ...events.slice(category.first, category.first + category.count).map(\#
(event) => eventItem(event))),
    known.notes && rendered(known.notes, "div", { class: "prose" }),
  ];
}

function eventItem(event, note) {
  return make("li", null, make("a", { href: "#" + event.id }, text(event.title || event.id)), " ", event.title && make\#
("span", { class: "mono quiet", translate: "no" }, event.id), " ", note, note && " ",
    event.status > 0 && mark(say.statuses[event.status], STATUS[event.status]), " ", event.own > 0 && mark(say.privaci\#
es[event.own], PRIVACY[event.own]));
}

// The sections below the counts: newest events, owners, deprecated events. Each has a maximum length.
function landingSections() {
  const NEWEST = 5, OWNERS = 12, DEPRECATED = 10, UNREAD = 10;
  const list = (kind, title, items, rest = 0) => items.length === 0 ? [] : [make("h3", null, title),
    make("ul", { class: "plain " + kind, role: "list" }, ...items), rest > 0 && make("p", { class: "quiet" }, say.more\#
(rest))];
  const versions = new Intl.Collator("en", { numeric: true });
  const newest = events.filter((event) => event.status === 0 && event.since).sort((a, b) => versions.compare(b.since, \#
a.since)).slice(0, NEWEST);
  const counts = new Map();
  for (const event of events) counts.set(event.owner, (counts.get(event.owner) ?? 0) + 1);
  const owners = [...counts].sort(([a, m], [b, n]) => (a < 0) - (b < 0) || n - m);
  const deprecated = events.filter((event) => event.status === 1);
  const unread = data.readers ? events.filter((event) => event.status !== 2 && event.readers === 0) : [];
  return make("div", { class: "landing" },
    ...list("newest", say.newest, newest.map((event) => eventItem(event, make("span", { class: "quiet" }, `${say.since\#
} `, text(event.since))))),
    ...data.owners.length === 0 ? [] : list("owners", say.eventOwners, owners.slice(0, OWNERS).map(([owner, count]) =>\#
 make("li", null,
      make("button", { type: "button", onclick: () => { setFilter("owner", owner + 1); document.body.classList.remove(\#
"reading"); } }, owner < 0 ? say.nobody : text(data.owners[owner])),
      make("span", { class: "quiet" }, " " + say.inCategory(count)))), owners.length - OWNERS),
    ...list("deprecated-events", say.deprecatedEvents, deprecated.slice(0, DEPRECATED).map((event) => eventItem(event)\#
), deprecated.length - DEPRECATED),
    ...list("unread-events", say.unreadEvents, unread.slice(0, UNREAD).map((event) => eventItem(event)), unread.length\#
 - UNREAD));
}

function overviewPage() {
  const count = (test) => events.reduce((sum, event) => sum + (test(event) ? 1 : 0), 0);
  const figure = (number, words, key, value, label = (number === 1 ? say.one[words] ?? words : words).toLowerCase()) =\#
> make("li", null, key
    ? make("button", { type: "button", onclick: () => { setFilter(key, value); document.body.classList.remove("reading\#
"); } }, make("b", null, format(number)), label)
    : make("span", null, make("b", null, format(number)), label));
  const key = (keys, words) => [make("dt", null, ...keys.map((name) => make("kbd", null, name))), make("dd", null, wor\#
ds)];
  return [
    make("h2", { tabindex: "-1" }, say.overview),
    make("ul", { class: "figures", role: "list" },
      figure(events.length, say.all), figure(categories.length, say.categories), figure(data.owners.length, say.owners),
      ...[1, 2].map((value) => figure(count((event) => event.own === value), say.privacies[value], "privacy", value)),
      figure(count((event) => event.status === 1), say.statuses[1], "status", 1)),
    commonPersonal.length > 0 && make("p", { class: "common-privacy" }, say.commonPrivacy(commonPersonal.length), ...c\#
ommonPersonal.flatMap((column) =>
      [" ", code(column.name), " ", mark(say.privacies[PRIVACY.indexOf(column.privacy)], column.privacy)])),
    landingSections(),
    make("h3", { class: "keys-title" }, say.keys),
    make("dl", { class: "keys" }, key(["/"], say.keySearch), key(["↑", "↓"], say.keyMove), key(["Enter"], say.keyOpen)\#
, key(["Esc"], say.keyBack)),
  ];
}

function missingPage(name) {
  return [text(say.missing(name), "h2", { tabindex: "-1" }), make("p", null, say.missingHelp)];
}

// MARK: Navigation: `#category` and `#category.event`

function show(moves) {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { /* The percent-encoding is invalid. */ }
  // A link with a former name opens the event that continues it. The searched strings contain each such name as a line.
  const row = places.get(name) ?? (!name.includes(".") ? undefined : events.find((event) => event.words.split("\n").in\#
cludes(name)));
  current = row ?? null;
  const main = find("#main");
  const back = name && make("a", { class: "back", href: "#" }, say.back);
  const content = name === "" ? overviewPage() : !row ? missingPage(name) : isCategory(row) ? categoryPage(row) : even\#
tPage(row);
  main.replaceChildren(...[back, ...content].flat(2).filter(Boolean));
  main.scrollTop = 0;
  document.body.classList.toggle("reading", name !== "");
  document.title = (row ? (row.title || row.name) + " · " : "") + say.title;
  forget();
  drawRows();
  if (moves && row) main.querySelector("h2").focus({ preventScroll: true });
}

function reveal(row) {
  const index = rows.indexOf(row);
  if (index < 0) return;
  focused = index;
  scroll.scrollTop = Math.max(0, index * ROW - scroll.clientHeight / 3);
  forget();
  drawRows();
}

function draw() {
  say = WORDS[language];
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say[element.dataset.say];
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say[element.data\#
set.label]);
  find("#query").placeholder = say.search;
  const button = find(".language");
  button.textContent = say.language;
  button.lang = LANGUAGES.find((name) => name !== language);
  drawFilters();
  search();
  show(false);
}

// MARK: Input

find("#query").addEventListener("input", search);
function openBest(event) {
  event.preventDefault();
  const best = rows.find((row) => !isCategory(row)) ?? rows[0];
  if (best) location.hash = "#" + best.id;
}

find(".search").addEventListener("submit", openBest);
find("#query").addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter") openBest(event);
  if (event.key === "ArrowDown") { event.preventDefault(); focusRow(0); }
  if (event.key === "Escape" && find("#query").value !== "") { event.preventDefault(); find("#query").value = ""; sear\#
ch(); }
});
// The link does not change the hash, which names the event.
find(".skip").addEventListener("click", (event) => { event.preventDefault(); find("#main").focus(); });
find(".reset").addEventListener("click", () => { setFilter(); find("#query").focus(); });
find(".language").addEventListener("click", () => {
  language = LANGUAGES.find((name) => name !== language);
  try { localStorage.setItem("catalogue-language", language); } catch { /* The language is not stored. */ }
  draw();
});
scroll.addEventListener("scroll", drawRows, { passive: true });
addEventListener("resize", drawRows);
addEventListener("hashchange", () => show(true));
list.addEventListener("focusin", (event) => {
  for (const [index, element] of shown) if (element.contains(event.target)) focused = index;
});
list.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const page = Math.max(1, Math.floor(scroll.clientHeight / ROW) - 1);
  const target = { ArrowDown: focused + 1, ArrowUp: focused - 1, PageDown: focused + page, PageUp: focused - page, Hom\#
e: 0, End: rows.length - 1 }[event.key];
  if (event.key === "Escape" || event.key === "ArrowUp" && focused === 0) { event.preventDefault(); find("#query").foc\#
us(); return; }
  if (target === undefined) return;
  event.preventDefault();
  focusRow(target);
});
addEventListener("keydown", (event) => {
  if (!["/", "Escape"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.\#
("input, select, textarea")) return;
  event.preventDefault();
  document.body.classList.remove("reading");
  // The link of the same event opens it again.
  history.replaceState(null, "", "#");
  find("#query").focus();
  find("#query").select();
});
// The list is not printed. If no event is open, all found events are printed.
addEventListener("beforeprint", () => {
  if (current || location.hash.length > 1) return;
  find("#main").append(make("ul", { class: "plain printed", role: "list" }, ...rows.filter((row) => !isCategory(row)).\#
map((event) => eventItem(event))));
});
addEventListener("afterprint", () => find(".printed")?.remove());

draw();
if (current) reveal(current);
requestAnimationFrame(() => setTimeout(foldOn));

"""#
    static let catalogue_js_hash = "sha256-57oIYAf401VPnQwHhsPGwy96p7yFYy/o8jyy41qMqxQ="
}
