// Made from the files in Sources/Desk/logscope/ScopeCollector/Page. Do not edit.
// To make it again: `RECORD_SNAPSHOTS=1 swift test --filter EmbeddedFilesTests`.
// swift-format-ignore-file

enum EmbeddedFiles {
    static let scope_css = #"""
:root {
  color-scheme: light dark; --row: 54px;
  --ink: #1d1d1f; --quiet: #5c5c63; --paper: #ffffff; --soft: #f5f5f7; --line: #dcdce1; --focus: #0a5fd6; --chosen: #e\#
4eefb;
  --good: #17703a; --warn: #8a4b00; --bad: #b3261e; --good-soft: #e6f4ea; --warn-soft: #fdf1df; --bad-soft: #fdeceb; -\#
-quiet-soft: #ececf0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #f2f2f4; --quiet: #a9a9b1; --paper: #1b1b1e; --soft: #25252a; --line: #3a3a41; --focus: #7db4ff; --chosen: \#
#22344c;
    --good: #6fdc8c; --warn: #ffbe70; --bad: #ff9c93; --good-soft: #1d3626; --warn-soft: #3d3019; --bad-soft: #432523;\#
 --quiet-soft: #34343a;
  }
}
* { box-sizing: border-box; }
html { height: 100%; }
body {
  height: 100dvh; margin: 0; color: var(--ink); background: var(--paper); overflow: hidden;
  font: 15px/1.5 system-ui, -apple-system, "Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP", sans-serif;
  display: grid; grid-template: "top top top" auto "banner banner banner" auto "plan records detail" minmax(0, 1fr) / \#
minmax(250px, 21vw) minmax(0, 1fr) auto;
}
h1, h2, h3 { line-height: 1.3; overflow-wrap: anywhere; unicode-bidi: isolate; }
a { color: var(--focus); text-decoration-thickness: 1px; text-underline-offset: .18em; }
code, pre, .mono, kbd { font-family: ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", "Noto Sans Mono CJK JP",\#
 monospace; font-size: .88em; }
button, .button, select, input { font: inherit; color: var(--ink); background: var(--soft); border: 1px solid var(--li\#
ne); border-radius: 8px; }
button, .button { cursor: pointer; padding: 3px 12px; min-height: 30px; white-space: nowrap; text-decoration: none; }
button:hover, .button:hover, select:hover { border-color: var(--quiet); }
button[aria-pressed="true"] { color: var(--warn); background: var(--warn-soft); border-color: var(--warn); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
[hidden] { display: none !important; }
ol, ul { margin: 0; padding: 0; list-style: none; }
.skip, .told { position: absolute; left: -9999px; }
.skip:focus { left: 12px; top: 12px; z-index: 9; padding: 8px 14px; background: var(--paper); border: 1px solid var(--\#
line); border-radius: 8px; }
.notice { grid-column: 1 / -1; margin: 24px; padding: 12px 16px; border-left: 4px solid var(--warn); background: var(-\#
-soft); }
.quiet { color: var(--quiet); }

.top { grid-area: top; display: flex; align-items: center; gap: 10px; padding: 10px 18px; border-bottom: 1px solid var\#
(--line); }
.top h1 { font-size: 17px; margin: 0; white-space: nowrap; }
.live { margin: 0; display: flex; align-items: center; gap: 7px; min-width: 88px; padding: 1px 10px 1px 8px; font-size\#
: 13px; line-height: 22px; border-radius: 99px; color: var(--good); background: var(--good-soft); white-space: nowrap; }
.lamp { width: 8px; height: 8px; border-radius: 50%; background: currentColor; }
.live.held { color: var(--warn); background: var(--warn-soft); }
.live.connecting { color: var(--quiet); background: var(--quiet-soft); }
.live.away { color: var(--bad); background: var(--bad-soft); }
.search { flex: 1 1 auto; max-width: 520px; margin: 0 auto; position: relative; }
.search input { width: 100%; padding: 6px 40px 6px 14px; border-radius: 10px; }
.search kbd { position: absolute; right: 12px; top: 50%; translate: 0 -50%; padding: 0 7px; color: var(--quiet); borde\#
r: 1px solid var(--line); border-radius: 5px; background: var(--paper); pointer-events: none; }
.search input:focus + kbd, .search input:not(:placeholder-shown) + kbd { display: none; }
.banner { grid-area: banner; margin: 0; padding: 8px 20px; color: var(--warn); background: var(--warn-soft); border-bo\#
ttom: 1px solid var(--line); overflow-wrap: anywhere; }
.banner.away { color: var(--bad); background: var(--bad-soft); }
.tabs { display: none; }
.scroll { flex: 1 1 auto; min-height: 0; overflow-y: auto; overscroll-behavior: contain; }

.plan { grid-area: plan; min-height: 0; display: flex; flex-direction: column; border-right: 1px solid var(--line); }
.progress { padding: 14px 18px 10px; border-bottom: 1px solid var(--line); }
.progress h2 { display: inline; font-size: 16px; margin: 0; }
#coverage { float: right; margin: 0; color: var(--quiet); font-size: 13px; line-height: 22px; font-variant-numeric: ta\#
bular-nums; }
.bar { clear: both; height: 8px; margin: 10px 0 8px; border-radius: 4px; background: var(--quiet-soft); overflow: hidd\#
en; }
.bar i { display: block; height: 100%; width: 100%; background: var(--good); transform: scaleX(0); transform-origin: l\#
eft; }
@media (prefers-reduced-motion: no-preference) { .bar i { transition: transform .25s; } }
.check { display: inline-flex; align-items: center; gap: 7px; font-size: 13px; cursor: pointer; min-height: 28px; whit\#
e-space: nowrap; }
.check input { width: 16px; height: 16px; margin: 0; accent-color: var(--focus); }
#checks { padding: 6px 0 14px; }
#checks li { content-visibility: auto; contain-intrinsic-size: auto 50px; }
#checks button { display: grid; grid-template: "tick title title" auto "tick name count" auto / 22px minmax(0, 1fr) au\#
to; gap: 0 8px; width: 100%; padding: 6px 18px; text-align: left; background: none; border: 0; border-radius: 0; line-\#
height: 1.35; white-space: normal; }
#checks button:hover { background: var(--soft); }
#checks button:focus-visible { outline-offset: -2px; }
#checks .tick { grid-area: tick; width: 20px; height: 20px; margin-top: 1px; border: 1.5px dashed var(--quiet); border\#
-radius: 50%; font-size: 13px; line-height: 17px; text-align: center; }
#checks .seen .tick { color: var(--paper); background: var(--good); border: 1.5px solid var(--good); }
#checks .broken .tick { color: var(--paper); background: var(--bad); border: 1.5px solid var(--bad); font-weight: 700; }
#checks .name { grid-area: title; overflow-wrap: anywhere; }
#checks .mono { grid-area: name; font-size: 12px; color: var(--quiet); overflow-wrap: anywhere; }
#checks .count { grid-area: count; font-size: 12px; line-height: 18px; color: var(--quiet); font-variant-numeric: tabu\#
lar-nums; white-space: nowrap; }
#checks .count b { color: var(--bad); font-weight: 600; }
#checks .chosen button { background: var(--chosen); }
#checks .head { padding: 14px 18px 4px; font-size: 13px; color: var(--quiet); }
#checks.only-missing .seen { display: none; }
#strangers { padding: 6px 18px 14px; }
#strangers h3 { margin: 8px 0 2px; font-size: 13px; font-weight: 500; color: var(--bad); }
#strangers li { display: flex; justify-content: space-between; gap: 10px; color: var(--bad); font-size: 13px; overflow\#
-wrap: anywhere; }
.faults { border-top: 1px solid var(--line); padding: 8px 18px; font-size: 13px; }
.faults summary { cursor: pointer; color: var(--quiet); line-height: 28px; }
.faults form { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; padding: 4px 0; }
.faults form.on { color: var(--warn); font-weight: 600; }
.faults input { width: 54px; padding: 1px 6px; text-align: right; }
.faults button { margin-left: auto; padding: 0 10px; font-size: 13px; }
.error { margin: 4px 0; color: var(--bad); overflow-wrap: anywhere; }

.records { grid-area: records; min-width: 0; min-height: 0; display: flex; flex-direction: column; position: relative; }
.over { display: flex; align-items: stretch; gap: 24px; padding: 12px 18px 8px; }
.figures { display: flex; gap: 22px; }
.figures li { display: grid; align-content: end; font-size: 12px; color: var(--quiet); line-height: 1.3; white-space: \#
nowrap; }
.figures b { font-size: 22px; font-weight: 600; color: var(--ink); font-variant-numeric: tabular-nums; }
.figures .bad.some b { color: var(--bad); } .figures .again.some b { color: var(--warn); } .figures .good.some b { col\#
or: var(--good); }
.chart { flex: 1 1 0; min-width: 90px; max-width: 420px; margin: 0 0 0 auto; display: flex; flex-direction: column; }
.chart svg { width: 100%; height: 34px; display: block; border-bottom: 1px solid var(--line); }
.chart rect.g { fill: var(--good); } .chart rect.b { fill: var(--bad); }
.chart figcaption { display: flex; justify-content: space-between; gap: 8px; font-size: 11px; color: var(--quiet); whi\#
te-space: nowrap; }
.filters { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 4px 18px 10px; border-bottom: 1px s\#
olid var(--line); }
.filters select { flex: 1 1 100px; min-width: 0; max-width: 210px; padding: 4px 6px; font-size: 13px; height: 30px; }
.filters select.on { border-color: var(--focus); background: var(--chosen); }
.filters button { padding: 0 10px; font-size: 13px; }
#list { position: relative; contain: layout style; }
#list:focus-visible { outline: none; box-shadow: inset 0 0 0 2px var(--focus); }
#list li {
  position: absolute; left: 0; right: 0; top: 0; height: var(--row); padding: 0 18px 0 15px; cursor: pointer; contain:\#
 strict;
  display: grid; grid-template: "title marks time" auto "name name who" auto / minmax(0, 1fr) auto 152px; align-conten\#
t: center; gap: 0 10px;
  line-height: 1.4; border-left: 3px solid transparent; border-bottom: 1px solid var(--line);
}
#list li:hover { background: var(--soft); }
#list li.bad { border-left-color: var(--bad); }
#list li.open { background: var(--chosen); }
#list li[aria-selected="true"] { outline: 2px solid var(--focus); outline-offset: -2px; }
#list .title { grid-area: title; font-weight: 500; }
#list .name { grid-area: name; font-size: 12px; color: var(--quiet); }
#list .bad .name { color: var(--bad); }
#list .time { grid-area: time; font-size: 12px; color: var(--quiet); font-variant-numeric: tabular-nums; line-height: \#
21px; text-align: right; }
#list .who { grid-area: who; font-size: 12px; color: var(--quiet); text-align: right; }
#list .marks { grid-area: marks; display: flex; gap: 4px; align-items: center; }
#list .title, #list .name, #list .who { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: \#
isolate; }
#list .gap { display: flex; align-items: center; justify-content: center; color: var(--quiet); background: var(--soft)\#
; font-size: 13px; }
.mark { display: inline-block; padding: 0 8px; border-radius: 99px; font-size: 11px; line-height: 18px; white-space: n\#
owrap; color: var(--quiet); background: var(--quiet-soft); }
.mark.again, .mark.personal { color: var(--warn); background: var(--warn-soft); }
.mark.bad, .mark.sensitive { color: var(--bad); background: var(--bad-soft); }
.mark.good { color: var(--good); background: var(--good-soft); }
.empty { max-width: 46ch; margin: 12vh auto 0; padding: 0 24px; text-align: center; color: var(--quiet); }
.empty code { color: var(--ink); }
.older { margin: 0; padding: 14px; text-align: center; color: var(--quiet); font-size: 13px; }
#fresh { position: absolute; left: 50%; bottom: 18px; translate: -50% 0; padding: 4px 18px; border-radius: 99px; color\#
: var(--paper); background: var(--focus); border-color: var(--focus); box-shadow: 0 2px 12px #0003; font-variant-numer\#
ic: tabular-nums; }

.detail { grid-area: detail; width: clamp(360px, 36vw, 640px); min-height: 0; overflow-y: auto; padding: 18px 22px 60p\#
x; border-left: 1px solid var(--line); }
.detail:focus { outline: none; }
.detail header { display: flex; align-items: flex-start; gap: 12px; }
.detail header h2 { flex: 1; margin: 0; font-size: 20px; }
.detail .id { display: flex; flex-wrap: wrap; gap: 5px 8px; align-items: center; margin: 4px 0 12px; }
.detail .id code { overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 16px; margin: 0 0 16px; font-size:\#
 13px; }
.facts dt { color: var(--quiet); } .facts dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; }
.wrong { margin: 0 0 16px; padding: 9px 14px; border-radius: 10px; color: var(--bad); background: var(--bad-soft); ove\#
rflow-wrap: anywhere; }
.wrong li + li { margin-top: 6px; }
.place { color: inherit; white-space: nowrap; }
.columns > li { padding: 9px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.columns > li.broken { margin: 0 -12px; padding: 9px 12px; background: var(--bad-soft); border-left: 3px solid var(--b\#
ad); border-radius: 4px; }
.columns .head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 8px; }
.columns .column { font-weight: 600; }
.columns .type { color: var(--quiet); font-size: 13px; }
.columns .value { display: block; margin: 2px 0; white-space: pre-wrap; font-size: 14px; }
.columns .value.none { color: var(--quiet); font-style: italic; font-family: inherit; }
.columns .about { color: var(--quiet); font-size: 13px; }
.columns .about { display: flex; flex-wrap: wrap; gap: 0 14px; }
.columns .about code { color: var(--ink); }
.columns .why { margin: 3px 0 0; color: var(--bad); font-size: 14px; font-weight: 500; }
.detail h3 { font-size: 14px; margin: 22px 0 2px; }
details > summary { cursor: pointer; }
.detail details { margin-top: 20px; }
.detail details summary { color: var(--quiet); font-size: 13px; }
pre { margin: 8px 0 0; padding: 10px 12px; max-height: 420px; overflow: auto; white-space: pre-wrap; overflow-wrap: an\#
ywhere; border: 1px solid var(--line); border-radius: 10px; background: var(--soft); }
dialog { color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 14px; padding: 20p\#
x 26px; max-width: 92vw; }
dialog::backdrop { background: #0006; }
dialog h2 { margin: 0 0 12px; font-size: 17px; }
dialog dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px; align-items: baseline; margin: 0 0 1\#
6px; }
dialog dt { display: flex; gap: 4px; } dialog dd { margin: 0; color: var(--quiet); }
dialog kbd { padding: 1px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--soft); }

@media (max-width: 1180px) {
  body.reading { grid-template-columns: 0 minmax(0, 1fr) auto; }
  body.reading .plan { display: none; }
}
@media (max-width: 760px) {
  body, body.reading { grid-template: "top" auto "banner" auto "tabs" auto "view" minmax(0, 1fr) / minmax(0, 1fr); }
  .top { flex-wrap: wrap; gap: 8px; padding: 8px 12px; }
  .top h1 { flex: 1; } .search { order: 3; flex: 1 0 100%; max-width: none; } .search kbd, #help, .top .button { displ\#
ay: none; }
  .top button, .top .button { padding: 3px 10px; min-height: 34px; line-height: 26px; }
  .live { min-width: 0; }
  .tabs { grid-area: tabs; display: grid; grid-template-columns: 1fr 1fr; border-bottom: 1px solid var(--line); }
  .tabs button { background: none; border: 0; border-bottom: 3px solid transparent; border-radius: 0; min-height: 42px\#
; color: var(--quiet); }
  .tabs button[aria-pressed="true"] { color: var(--ink); background: none; border-color: var(--focus); font-weight: 60\#
0; }
  .plan, .records, .detail { grid-area: view; }
  .plan { border-right: 0; }
  body:not(.planning) .plan, body.planning .records, body.reading .records, body.reading .plan, body.reading .tabs { d\#
isplay: none; }
  .detail { width: auto; border-left: 0; padding: 14px 16px 60px; }
  .over { gap: 14px; padding: 10px 14px 6px; flex-wrap: wrap; }
  .figures { flex: 1 0 100%; justify-content: space-between; } .chart { max-width: none; }
  .filters { flex-wrap: nowrap; overflow-x: auto; padding: 4px 14px 8px; }
  .filters > * { flex: none; }
  .filters select { flex: none; width: 128px; height: 34px; }
  #list li { padding-right: 14px; }
  #list li { grid-template-columns: minmax(0, 1fr) auto 100px; }
}
@media (forced-colors: active) { #list li.open, #checks .chosen button { outline: 2px solid Highlight; outline-offset:\#
 -2px; } .lamp, .bar i { forced-color-adjust: none; } }

"""#
    static let scope_css_hash = "sha256-U46n1BcKj3L97eTYfSlaMU3rOPQaJg1j3yu12ah9NpU="
    static let scope_html = #"""
<noscript><p class="notice">This page needs JavaScript. <span lang="ja">このページの表示にはJavaScriptが必要です。</span></p></noscript>
<a class="skip" href="#list" data-say="skip">Skip to the records</a>
<header class="top">
  <h1>logscope</h1>
  <p class="live" role="status"><span class="lamp" aria-hidden="true"></span><span id="live"></span></p>
  <form role="search" class="search"><input type="search" id="query" autocomplete="off" autocapitalize="off" spellchec\#
k="false" data-label="search" aria-controls="list"><kbd aria-hidden="true">/</kbd></form>
  <button type="button" id="pause" aria-pressed="false"></button>
  <a class="button" href="/export" download="records.ndjson" data-say="export">Export</a>
  <button type="button" id="help" aria-haspopup="dialog" data-label="keys">?</button>
  <button type="button" id="language"></button>
</header>
<p class="banner" id="banner" role="status" hidden></p>
<div class="tabs" role="group" data-label="views"><button type="button" data-view="records"></button><button type="but\#
ton" data-view="plan"></button></div>
<section class="plan" aria-labelledby="plan-title">
  <div class="progress">
    <h2 id="plan-title" data-say="plan">Checklist</h2>
    <p id="coverage"></p>
    <div class="bar" role="progressbar" aria-valuemin="0" data-label="coverage"><i></i></div>
    <label class="check"><input type="checkbox" id="missing"> <span data-say="onlyMissing">Only missing events</span><\#
/label>
  </div>
  <div class="scroll">
    <ol id="checks" role="list"></ol>
    <div id="strangers" hidden><h3 data-say="strangers">Not in the definitions</h3><ul role="list"></ul></div>
  </div>
  <details class="faults">
    <summary data-say="faults">Faults, to test the app</summary>
    <form data-fault="fail"><label><span data-say="failWith">Answer with</span> <input name="status" inputmode="numeri\#
c" value="503" size="3"></label> <label><span data-say="failFor">for</span> <input name="seconds" inputmode="numeric" \#
value="30" size="3"> <span data-say="seconds">s</span></label> <button></button></form>
    <form data-fault="delay"><label><span data-say="delayBy">Delay answers by</span> <input name="delay" inputmode="de\#
cimal" value="2" size="3"> <span data-say="seconds">s</span></label> <button></button></form>
    <form data-fault="drop"><label><span data-say="dropShare">Drop requests:</span> <input name="drop" inputmode="deci\#
mal" value="10" size="3"> %</label> <button></button></form>
    <p class="error" role="alert" hidden></p>
  </details>
</section>
<section class="records" data-label="records">
  <div class="over">
    <ul class="figures" role="list"><li><b id="total">0</b> <span data-say="total">records</span></li><li class="good"\#
><b id="good">0</b> <span data-say="good">good</span></li><li class="bad"><b id="bad">0</b> <span data-say="bad">bad</\#
span></li><li class="again"><b id="again">0</b> <span data-say="again">redelivered</span></li></ul>
    <figure class="chart"><svg role="img" viewBox="0 0 240 40" preserveAspectRatio="none"></svg><figcaption><span data\#
-say="perMinute">per minute, the last hour</span> <span id="most"></span></figcaption></figure>
  </div>
  <div class="filters" role="group" data-label="filters">
    <select id="category" data-label="category"></select><select id="event" data-label="event"></select><select id="se\#
ssion" data-label="session"></select><select id="device" data-label="device"></select>
    <label class="check"><input type="checkbox" id="only-bad"> <span data-say="onlyBad">Only bad</span></label>
    <button type="button" id="reset" data-say="reset" hidden>Show all</button>
  </div>
  <div class="scroll" id="scroll">
    <ol id="list" role="listbox" tabindex="0" data-label="records"></ol>
    <p class="empty" id="empty" hidden></p>
    <p class="older" id="older" role="status" hidden></p>
  </div>
  <button type="button" id="fresh" hidden></button>
</section>
<main id="main" class="detail" tabindex="-1" hidden></main>
<dialog id="keys"><form method="dialog"><h2 data-say="keys">Keys</h2><dl></dl><button data-say="close">Close</button><\#
/form></dialog>
<p class="told" role="status" aria-live="polite" id="told"></p>

"""#
    static let scope_js = #"""
"use strict";
// Shows records while they arrive. Sends requests only to its own logscope. The content of a record is not trusted: it
// becomes text nodes, and never markup.

// MARK: Strings, in the reader's language

const WORDS = {
  en: {
    language: "日本語", skip: "Skip to the records", search: "Search in records", live: "Live", held: "On hold", away: "A\#
way", connecting: "Connecting", pause: "Pause", resume: "Resume", export: "Export",
    keys: "Keys", close: "Close", views: "Views", records: "Records", plan: "Checklist", coverage: "Coverage", onlyMis\#
sing: "Only missing events", strangers: "Not in the definitions",
    faults: "Faults, to test the app", failWith: "Answer with", failFor: "for", seconds: "s", delayBy: "Delay answers \#
by", dropShare: "Drop requests:", start: "Start", stop: "Stop",
    total: "records", good: "good", bad: "bad", again: "redelivered", perMinute: "per minute, the last hour", most: (n\#
) => `at most ${format(n)}`,
    chart: (n, b, last) => `Records per minute in the last hour: ${format(n)} in all, ${format(b)} bad, ${format(last)\#
} in the last minute`,
    filters: "Filters", category: "Category", event: "Event", session: "Session", device: "Device", all: (name) => `${\#
name}: all`, onlyBad: "Only bad", reset: "Show all",
    waiting: "No record has arrived yet. Send the app's records to this address:", nothing: "No record matches.", olde\#
r: "Older records are being read…", oldest: "There are no older records.", tooMany: "The page does not keep more recor\#
ds. Use a filter, or export all records.",
    fresh: (n, more) => `${more ? "more than " : ""}${format(n)} new`, gap: (n) => `${format(n)} more arrived at this \#
moment. Enter shows them.`,
    seen: (n, all) => `${format(n)} of ${format(all)} seen`, required: "Required", others: "Others", missing: "missing\#
", times: (n) => `${format(n)}×`, bads: (n) => `${format(n)} bad`, broken: "only bad",
    checked: (name) => `${name}: seen`, complete: "The checklist is complete.",
    awayLong: "logscope does not answer. The page keeps its content and reconnects when logscope is back.", refused: "\#
logscope was restarted with another token: open the address that it prints now.",
    faulty: (list) => `logscope simulates faults: ${list.join(", ")}`, failing: (s, left) => left === undefined ? `ans\#
wers ${s}` : `answers ${s} for ${format(Math.ceil(left))} s more`, late: (s) => `answers ${s} s late`, losing: (p) => \#
`drops ${p}% of requests`,
    clock: (s) => `The device's clock is ${format(Math.abs(s))} s ${s > 0 ? "ahead" : "behind"}.`,
    verdicts: { good: "good", bad: "bad" }, further: (n) => n === 1 ? "1 more violation" : `${format(n)} more violatio\#
ns`, received: "Received", id: "event_id", version: "Version", owner: "Owner", trigger: "Trigger", sampling: "Kept", r\#
ate: "sampling_rate", stands: (n) => `stands for ${n}`, defined: "Defined in",
    againLong: "This event_id has arrived before: the outbox redelivered it.", own: "Columns", common: "Common columns\#
", others2: "Also in the record", none: "not in the record", example: "Example", optional: "optional",
    raw: "The record as received", more: (n) => `… and ${format(n)} more characters`, gone: "This record is not in the\#
 session.", notDefined: "This event is not in the definitions.", privacies: { personal: "personal", sensitive: "sensit\#
ive" },
    help: [["j", "k", "↓", "↑", "move through the records"], ["Enter", "open the record"], ["Esc", "close it; then ret\#
urn to live"], ["/", "search"], ["p", "pause or continue"], ["b", "only bad"], ["?", "show these keys"]],
  },
  ja: {
    language: "English", skip: "レコードへ", search: "レコードの中を検索", live: "受信中", held: "停止中", away: "接続なし", connecting: "接続中"\#
, pause: "一時停止", resume: "再開", export: "書き出し",
    keys: "キー操作", close: "閉じる", views: "表示", records: "レコード", plan: "チェックリスト", coverage: "網羅率", onlyMissing: "未確認のみ", \#
strangers: "定義にないもの",
    faults: "障害を起こす (アプリの試験用)", failWith: "エラーを返す:", failFor: "期間", seconds: "秒", delayBy: "応答を遅らせる:", dropShare: "要求を\#
失う割合:", start: "開始", stop: "停止",
    total: "件", good: "正常", bad: "違反あり", again: "再送", perMinute: "1分ごと (直近1時間)", most: (n) => `最大${format(n)}件`,
    chart: (n, b, last) => `直近1時間の1分ごとの件数: 合計${format(n)}件、違反あり${format(b)}件、最後の1分は${format(last)}件`,
    filters: "絞り込み", category: "カテゴリ", event: "イベント", session: "セッション", device: "端末", all: (name) => `${name}: すべて`, o\#
nlyBad: "違反のみ", reset: "すべて表示",
    waiting: "まだ届いていません。アプリの送信先をこのアドレスにしてください:", nothing: "当てはまるレコードはありません。", older: "古いレコードを読み込んでいます…", oldest: "これで全\#
部です。", tooMany: "ここに残せる件数を超えました。絞り込むか、書き出してください。",
    fresh: (n, more) => `新着${format(n)}件${more ? "以上" : ""}`, gap: (n) => `この間にさらに${format(n)}件。Enterで表示します。`,
    seen: (n, all) => `${format(all)}件中${format(n)}件を確認`, required: "確認するイベント", others: "その他", missing: "未確認", times: \#
(n) => `${format(n)}回`, bads: (n) => `違反${format(n)}`, broken: "違反のみ",
    checked: (name) => `${name} を確認しました`, complete: "チェックリストがすべて確認されました。",
    awayLong: "logscopeから応答がありません。表示はそのまま残り、応答が戻ると続きます。", refused: "logscopeのトークンが変わりました。新しく表示されたアドレスを開いてください。",
    faulty: (list) => `障害を起こしています: ${list.join("、")}`, failing: (s, left) => left === undefined ? `${s}を返す` : `${s}を返す\#
 (残り${format(Math.ceil(left))}秒)`, late: (s) => `応答を${s}秒遅らせる`, losing: (p) => `要求の${p}%を失う`,
    clock: (s) => `端末の時計が${format(Math.abs(s))}秒${s > 0 ? "進んで" : "遅れて"}います。`,
    verdicts: { good: "正常", bad: "違反あり" }, further: (n) => `ほか${format(n)}件の違反`, received: "受信", id: "event_id", versi\#
on: "バージョン", owner: "担当", trigger: "発火条件", sampling: "送る割合", rate: "sampling_rate", stands: (n) => `${n}件分`, defined: \#
"定義",
    againLong: "このevent_idは前にも届いています。outboxが再送しました。", own: "カラム", common: "共通カラム", others2: "そのほかの値", none: "レコードにありませ\#
ん", example: "例", optional: "省略可",
    raw: "届いたままのレコード", more: (n) => `… さらに${format(n)}文字`, gone: "このレコードはここにありません。", notDefined: "定義にないイベントです。", priva\#
cies: { personal: "個人情報", sensitive: "要配慮" },
    help: [["j", "k", "↓", "↑", "レコードの移動"], ["Enter", "レコードを開く"], ["Esc", "閉じる。もう一度で受信中に戻る"], ["/", "検索"], ["p", "一時停止\#
と再開"], ["b", "違反のみ"], ["?", "キー操作"]],
  },
};
let language = remembered() ?? navigator.languages.map((name) => name.slice(0, 2)).find((name) => name in WORDS) ?? "e\#
n";
let say = WORDS[language];

function format(number) { return number.toLocaleString(language); }

function remembered() {
  try {
    const name = localStorage.getItem("logscope-language");
    return name in WORDS ? name : undefined;
  } catch { return undefined; }
}

// MARK: Elements

const find = (selector) => document.querySelector(selector);

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false) continue;
    if (key === "onclick") element.addEventListener("click", value); else element.setAttribute(key, value === true ? "\#
" : value);
  }
  return fill(element, children);
}

// Replaces the children of an element. Undefined, false and empty values are skipped.
function fill(element, children) {
  element.replaceChildren(...children.flat(2).filter((child) => child !== undefined && child !== null && child !== fal\#
se && child !== ""));
  return element;
}

const KANA = /[\u3040-\u30ff]/;
// Marks that change the direction of text, and other invisible characters, except tabs and line ends.
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const seen = (value) => String(value).replace(UNSEEN, (letter) => `⟨U+${letter.codePointAt(0).toString(16).toUpperCase\#
().padStart(4, "0")}⟩`);
const text = (value, name = "span", attributes) => make(name, { dir: "auto", lang: KANA.test(value) ? "ja" : undefined\#
, ...attributes }, seen(value));
const code = (value, attributes) => make("code", { translate: "no", dir: "ltr", ...attributes }, seen(value));

// MARK: Data

// The maximum number of records in memory: while the list is live, and while older records are read.
const LIVE = 1000, READ = 5000;
let rows = [];  // newest first; { seq, … }, or { gap, below, id } for records that are not in memory
let fresh = [];  // arrived while the list was on hold, newest first
let freshCount = 0;
let hasOlder = false, isReading = false;
let definitions = new Map();
let common = new Set();
let state;
let last = 0;
let paused = false;
let selected, opened;
const filter = { category: "", event: "", session: "", device: "", bad: false, text: "" };

const nameOf = (record) => record.category && record.event ? `${record.category}.${record.event}` : record.event ?? re\#
cord.category ?? "?";
// An event can lack a title.
const titled = (event) => event.title && event.title !== event.name ? event.title : event.event;
const titleOf = (record) => definitions.has(nameOf(record)) ? titled(definitions.get(nameOf(record))) : nameOf(record);
const keyOf = (row) => row.gap ? `gap${row.id}` : row.seq;

function matches(record) {
  return (!filter.category || record.category === filter.category) && (!filter.event || nameOf(record) === filter.event)
    && (!filter.session || record.session === filter.session) && (!filter.device || record.device === filter.device)
    && (!filter.bad || record.verdict === "bad");
}

function query(more) {
  const parameters = new URLSearchParams(more);
  for (const name of ["category", "session", "device", "text"]) if (filter[name]) parameters.set(name, filter[name]);
  if (filter.event) {
    const event = definitions.get(filter.event);
    parameters.set("event", event?.event ?? filter.event.slice(filter.event.indexOf(".") + 1));
    parameters.set("category", event?.category ?? filter.event.slice(0, filter.event.indexOf(".")));
  }
  if (filter.bad) parameters.set("bad", "1");
  return "/records?" + parameters;
}

async function ask(path) {
  const answer = await fetch(path);
  if (answer.status === 401 || answer.status === 403) { isRefused = true; lost(); }
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

// MARK: Arriving records

let stream, retry, isAway = true, isRefused = false, wait = 500;
// True until the first answer or failure.
let isConnecting = true;

function lost() {
  stream?.close();
  stream = undefined;
  isAway = true;
  isConnecting = false;
  clearTimeout(retry);
  if (!isRefused) retry = setTimeout(connect, wait);
  wait = Math.min(wait * 2, 4000);
  later();
}

async function connect() {
  try {
    const plan = await ask("/definitions");
    const newest = (await ask("/records?limit=1")).records[0]?.seq ?? 0;
    // Another session has begun. It has none of the shown records.
    if (newest < last) { [rows, fresh, freshCount, last] = [[], [], 0, 0]; goLive(); }
    await load();
    // logscope may have been restarted with other definitions.
    setDefinitions(plan);
  } catch { return lost(); }
  stream = new EventSource("/stream?after=" + last);
  stream.addEventListener("open", () => { isAway = isConnecting = false; wait = 500; later(); });
  stream.addEventListener("error", lost);
  stream.addEventListener("records", (message) => take(JSON.parse(message.data), message.lastEventId));
  stream.addEventListener("state", (message) => {
    const { state: numbers, faults, now } = JSON.parse(message.data);
    if (faults.fail?.until !== undefined) faults.fail.left = faults.fail.until - now;
    if (faults.fail?.left <= 0) delete faults.fail;
    [state, stateAt] = [{ ...numbers, faults }, Date.now()];
    later();
  });
}

// Reads the newest records that match the filter.
let asked = 0;
async function load() {
  const number = asked += 1;
  const answer = await ask(query({ limit: 200 }));
  if (number !== asked || (isHeld() && rows.length)) return;
  const newest = answer.records[0]?.seq ?? 0;
  // Records that arrived after the request stay.
  rows = (filter.text ? [] : rows.filter((row) => row.seq > newest)).concat(answer.records);
  hasOlder = answer.more;
  [fresh, freshCount] = [[], 0];
  last = Math.max(last, newest);
  later();
}

let gaps = 0;
function take(message, id) {
  // An earlier answer may have contained the newest records.
  const records = message.records.filter((record) => record.seq > last && matches(record)).reverse();
  last = Math.max(last, Number(id) || 0, message.records.at(-1)?.seq ?? 0);
  // The server searches text, and it has the records that a burst skipped.
  if (filter.text || (message.left > 0 && isFiltered())) return reloadSoon();
  if (message.left > 0) records.push({ gap: message.left, id: gaps += 1 });
  if (!records.length) return;
  if (isHeld()) {
    freshCount += records.reduce((sum, row) => sum + (row.gap ?? 1), 0);
    fresh = records.concat(fresh);
    if (fresh.length > LIVE) fresh.length = LIVE;
  } else {
    rows = records.concat(rows);
    if (rows.length > LIVE) { rows.length = LIVE; hasOlder = true; }
  }
  later();
}

let reload;
function reloadSoon() {
  if (isHeld()) { freshCount += 1; return later(); }
  reload ??= setTimeout(() => { reload = undefined; load().catch(() => {}); }, 400);
}

async function readOlder() {
  const oldest = rows.findLast((row) => row.seq);
  if (!hasOlder || isReading || !oldest || rows.length >= READ) return;
  isReading = true;
  later();
  const number = asked;
  try {
    const answer = await ask(query({ before: oldest.seq, limit: 200 }));
    if (number === asked) { rows = rows.concat(answer.records); hasOlder = answer.more; }
  } catch { hasOlder = true; }
  isReading = false;
  later();
}

async function fillGap(gap) {
  const index = rows.indexOf(gap), above = rows[index - 1], below = rows[index + 1];
  paused = true;
  const answer = await ask(query(above ? { before: above.seq, limit: 200 } : { limit: 200 }));
  const place = rows.indexOf(gap);
  if (place < 0) return;
  const found = answer.records.filter((row) => !below?.seq || row.seq > below.seq);
  const left = gap.gap - found.length;
  rows.splice(place, 1, ...found, ...(left > 0 && found.length === answer.records.length && answer.more ? [{ gap: left\#
, id: gaps += 1 }] : []));
  select(found[0] ? keyOf(found[0]) : undefined);
}

const isFiltered = () => filter.category || filter.event || filter.session || filter.device || filter.bad || filter.te\#
xt;
// While the list is held, the reading position does not move.
const isHeld = () => paused || scroller.scrollTop > 4 || selected !== undefined;

function goLive() {
  paused = false;
  selected = undefined;
  scroller.scrollTop = 0;
  if (isFiltered()) load().catch(() => {});
  rows = fresh.concat(rows);
  if (freshCount > fresh.reduce((sum, row) => sum + (row.gap ?? 1), 0)) {
    // Records between the new ones and the known ones are missing.
    rows = fresh;
    hasOlder = true;
  }
  if (rows.length > LIVE) { rows.length = LIVE; hasOlder = true; }
  fresh = [];
  freshCount = 0;
  later();
}

// MARK: Drawing, once per frame

let isDue = false;
function later() {
  if (isDue) return;
  isDue = true;
  // A hidden page has no animation frames.
  requestAnimationFrame(() => { isDue = false; draw(); });
}

const scroller = find("#scroll"), list = find("#list");
const shownRows = new Map();
let height = 54;

function draw() {
  drawLive();
  drawRows();
  if (state !== drawnState) { drawnState = state; drawState(); }
}
let drawnState, stateAt = 0;

// Minutes pass and faults end without a message from the server.
let ticks = 0;
setInterval(() => {
  if (state?.faults?.fail) later();
  if ((ticks += 1) % 15 === 0) { drawnState = undefined; later(); }
}, 1000);

function drawLive() {
  const held = isHeld();
  put("#live", isConnecting ? say.connecting : isAway ? say.away : held ? say.held : say.live);
  find(".live").className = "live" + (isConnecting ? " connecting" : isAway ? " away" : held ? " held" : "");
  const pause = find("#pause");
  pause.setAttribute("aria-pressed", paused);
  put("#pause", paused ? say.resume : say.pause);
  const more = find("#fresh");
  more.hidden = !freshCount;
  if (freshCount) put("#fresh", "↑ " + (filter.text ? say.resume : say.fresh(Math.min(freshCount, 99999), freshCount >\#
 99999)));
  const faults = state?.faults ?? {}, told = [];
  const left = faults.fail?.left === undefined ? undefined : faults.fail.left - (Date.now() - stateAt) / 1000;
  if (faults.fail && !(left <= 0)) told.push(say.failing(faults.fail.status, left));
  if (faults.delay) told.push(say.late(faults.delay));
  if (faults.drop) told.push(say.losing(format(faults.drop * 100)));
  const warnings = told.length ? [say.faulty(told)] : [];
  if (state?.clockAhead) warnings.push(say.clock(state.clockAhead));
  const banner = find("#banner");
  banner.hidden = !(isAway && state) && !isRefused && !warnings.length;
  banner.classList.toggle("away", isAway);
  put("#banner", isRefused ? say.refused : isAway ? say.awayLong : warnings.join(" · "));
  document.title = isAway && !isConnecting ? `⚠ logscope` : state?.bad ? `(${format(state.bad)}) logscope` : "logscope";
}

// Unchanged text is not set, because the browser would lay it out again.
function put(selector, value) {
  const element = typeof selector === "string" ? find(selector) : selector;
  if (element.textContent !== value) element.textContent = value;
}

const two = (number) => String(number).padStart(2, "0");
function timeOf(record) {
  const time = new Date(record.at);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(time.getMilliseconds())\#
.padStart(3, "0")}`;
}

const short = (value) => value.length > 40 ? value.slice(0, 8) + "…" + value.slice(-6) : value.length === 36 ? value.s\#
lice(-8) : value;

function rowOf(row) {
  if (row.gap) return make("li", { class: "gap", role: "option", id: "row-" + keyOf(row) }, say.gap(row.gap));
  const isBad = row.verdict === "bad", name = nameOf(row);
  const who = [row.device, row.session && short(row.session)].filter(Boolean).join(" · ");
  return make("li", { class: isBad ? "bad" : undefined, role: "option", id: "row-" + row.seq },
    text(titleOf(row), "span", { class: definitions.has(name) ? "title" : "title mono" }),
    make("span", { class: "marks" }, isBad && make("span", { class: "mark bad" }, say.verdicts.bad),
      isBad && row.violationCount > 1 && make("span", { class: "mark bad further", title: seen(row.first.join("\n")) },
        make("span", { "aria-hidden": "true" }, "+" + format(row.violationCount - 1)), make("span", { class: "told" },\#
 say.further(row.violationCount - 1))), row.again && make("span", { class: "mark again" }, "↻ ", say.again)),
    make("span", { class: "time" }, timeOf(row)),
    isBad && row.first?.[0] ? text(row.first[0], "span", { class: "name" }) : code(name, { class: "name" }),
    text(who, "span", { class: "who" }));
}

function drawRows() {
  list.style.height = rows.length * height + "px";
  const from = Math.max(0, Math.floor(scroller.scrollTop / height) - 6);
  const to = Math.min(rows.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / height) + 6);
  const keep = new Set();
  for (let index = from; index < to; index += 1) {
    const row = rows[index], key = keyOf(row);
    keep.add(key);
    let element = shownRows.get(key);
    if (!element) {
      element = rowOf(row);
      element.row = row;
      shownRows.set(key, element);
      list.append(element);
    }
    if (element.index !== index) {
      element.index = index;
      element.style.transform = `translateY(${index * height}px)`;
      element.setAttribute("aria-posinset", index + 1);
    }
    if (element.isSelected !== (key === selected)) {
      element.isSelected = key === selected;
      element.setAttribute("aria-selected", key === selected);
    }
    element.classList.toggle("open", key === opened);
  }
  for (const [key, element] of shownRows) if (!keep.has(key)) { element.remove(); shownRows.delete(key); }
  if (selected !== undefined && shownRows.has(selected)) list.setAttribute("aria-activedescendant", "row-" + selected)\#
; else list.removeAttribute("aria-activedescendant");
  const empty = find("#empty");
  const isEmpty = !rows.length && !isAway;
  if (isEmpty && (empty.hidden || empty.said !== language + Boolean(isFiltered()))) {
    empty.replaceChildren(...(isFiltered() ? [say.nothing] : [say.waiting, make("br"), code(location.origin + "/")]));
    empty.said = language + Boolean(isFiltered());
  }
  empty.hidden = !isEmpty;
  const older = find("#older");
  older.hidden = !rows.length || rows.length * height < scroller.clientHeight;
  if (!older.hidden) put(older, rows.length >= READ ? say.tooMany : hasOlder ? say.older : say.oldest);
  if (to === rows.length && rows.length && hasOlder) readOlder();
}

// Redraws after a change of the language or the definitions.
function redraw() {
  for (const element of shownRows.values()) element.remove();
  shownRows.clear();
  find("#empty").said = undefined;
  drawnState = undefined;
  later();
}

// MARK: Numbers, checklist, faults

const checks = new Map();
let wasComplete;

function setDefinitions(plan) {
  const events = plan.events ?? [];
  definitions = new Map(events.map((event) => [event.name, event]));
  common = new Set((plan.common ?? []).map((column) => column.name));
  drawPlan();
  fillSelect("category", [...new Set(events.map((event) => event.category))].map((name) => [name, name]));
  fillEvents();
  redraw();
}

function drawPlan() {
  checks.clear();
  const part = (wanted, head) => {
    const events = [...definitions.values()].filter((event) => Boolean(event.required) === wanted);
    if (!events.length) return [];
    return [head && make("li", { class: "head" }, head), ...events.map((event) => {
      const [tick, count] = [make("span", { class: "tick", "aria-hidden": "true" }), make("span", { class: "count" })];
      const button = make("button", { type: "button", onclick: () => { setFilter({ event: filter.event === event.name \#
? "" : event.name, category: "" }); view("records"); } },
        tick, text(titled(event), "span", { class: "name" }), make("code", { class: "mono", translate: "no" }, seen(ev\#
ent.category) + ".", make("wbr"), seen(event.event)), count);
      const item = make("li", null, button);
      checks.set(event.name, { item, tick, count, event, button });
      return item;
    })];
  };
  const required = part(true), others = part(false, [...definitions.values()].some((event) => event.required) ? say.ot\#
hers : undefined);
  fill(find("#checks"), [required, others]);
  wasComplete = undefined;
  drawnState = undefined;
}

function drawState() {
  const now = state ?? { total: 0, good: 0, bad: 0, again: 0, minutes: {}, seen: {}, unknown: {} };
  for (const name of ["total", "good", "bad", "again"]) {
    put("#" + name, format(now[name]));
    find("#" + name).parentElement.classList.toggle("some", now[name] > 0);
  }
  drawChart(now.minutes);
  let [have, all] = [0, 0];
  const isPlanned = [...checks.values()].some((check) => check.event.required);
  for (const [name, check] of checks) {
    const { good = 0, bad = 0 } = now.seen?.[name] ?? {};
    const isWanted = isPlanned ? check.event.required : true;
    if (isWanted) { all += 1; if (good) have += 1; }
    const said = `${language} ${good} ${bad} ${filter.event === name}`;
    if (check.said === said) continue;
    if (check.said !== undefined && good && !check.good && isWanted) put("#told", say.checked(titled(check.event)));
    [check.said, check.good] = [said, good];
    check.item.className = (good ? "seen" : bad ? "broken" : "") + (filter.event === name ? " chosen" : "");
    check.tick.textContent = good ? "✓" : bad ? "!" : "";
    check.count.replaceChildren(...(good || bad ? [say.times(good + bad)] : isWanted ? [say.missing] : []), ...(bad ? \#
[" ", make("b", null, good ? say.bads(bad) : say.broken)] : []));
    check.button.setAttribute("aria-pressed", filter.event === name);
  }
  put("#coverage", say.seen(have, all));
  const bar = find(".bar");
  bar.setAttribute("aria-valuenow", have);
  bar.setAttribute("aria-valuemax", all);
  bar.setAttribute("aria-valuetext", say.seen(have, all));
  bar.firstElementChild.style.transform = `scaleX(${all ? have / all : 0})`;
  if (wasComplete === false && all && have === all) put("#told", say.complete);
  wasComplete = have === all;
  const strangers = Object.entries(now.unknown ?? {}).slice(0, 50);
  find("#strangers").hidden = !strangers.length;
  find("#strangers ul").replaceChildren(...strangers.map(([name, count]) => make("li", null, code(name.slice(0, 200)),\#
 make("span", null, say.times(count)))));
  fillSelect("session", (now.sessions ?? []).slice(0, 200).map((name) => [name, short(name)]));
  fillSelect("device", (now.devices ?? []).slice(0, 200).map((name) => [name, name]));
  const faults = now.faults ?? {};
  for (const form of document.querySelectorAll("[data-fault]")) {
    const isOn = Boolean(faults[form.dataset.fault]);
    form.classList.toggle("on", isOn);
    put(form.querySelector("button"), isOn ? say.stop : say.start);
  }
  later();
}

function drawChart(minutes) {
  const svg = find(".chart svg");
  const now = Math.floor(Date.now() / 60000);
  const most = Math.max(1, ...Object.values(minutes).map((entry) => entry.good + entry.bad));
  if (!svg.childElementCount) {
    for (let index = 0; index < 120; index += 1) {
      const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      bar.setAttribute("class", index % 2 ? "b" : "g");
      bar.setAttribute("width", 3);
      svg.append(bar);
    }
  }
  let [all, bad] = [0, 0];
  const box = (element, x, y, high) => { element.setAttribute("x", x); element.setAttribute("y", y); element.setAttrib\#
ute("height", high); };
  for (let index = 0; index < 60; index += 1) {
    const entry = minutes[now - 59 + index] ?? { good: 0, bad: 0 };
    all += entry.good + entry.bad;
    bad += entry.bad;
    const good = entry.good / most * 38, wrong = entry.bad && Math.max(1.5, entry.bad / most * 38);
    box(svg.children[2 * index], index * 4, 40 - good - wrong, good);
    box(svg.children[2 * index + 1], index * 4, 40 - wrong, wrong);
  }
  const current = minutes[now] ?? { good: 0, bad: 0 };
  svg.setAttribute("aria-label", say.chart(all, bad, current.good + current.bad));
  put("#most", Object.keys(minutes).length ? say.most(most) : "");
}

async function setFault(form) {
  const name = form.dataset.fault, isOn = Boolean(state?.faults?.[name]);
  const number = (field) => form.elements[field].value.trim().replace(",", ".");
  const texts = { fail: () => `${number("status")}:${number("seconds")}s`, delay: () => number("delay") + "s", drop: (\#
) => number("drop") + "%" };
  const value = isOn ? null : texts[name]();
  const said = find(".faults .error");
  said.hidden = true;
  try {
    const answer = await fetch("/faults", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSO\#
N.stringify({ [name]: value }) });
    if (!answer.ok) throw new Error(await answer.text());
  } catch (error) {
    said.hidden = false;
    put(said, error.message);
  }
}

// MARK: Filters

function fillSelect(name, options) {
  const select = find("#" + name);
  const said = language + JSON.stringify(options);
  if (select.said !== said && document.activeElement !== select) {
    select.said = said;
    if (filter[name] && !options.some(([value]) => value === filter[name])) options = [[filter[name], filter[name]], .\#
..options];
    select.replaceChildren(make("option", { value: "" }, say.all(say[name])), ...options.map(([value, label]) => make(\#
"option", { value }, seen(label))));
  }
  if (select.value !== filter[name]) select.value = filter[name];
  select.classList.toggle("on", Boolean(filter[name]));
}

function fillEvents() {
  const events = [...definitions.values()].filter((event) => !filter.category || event.category === filter.category);
  fillSelect("event", events.map((event) => [event.name, filter.category ? event.event : event.name]));
}

let typing;
function setFilter(change) {
  Object.assign(filter, change);
  if (filter.category && filter.event && !filter.event.startsWith(filter.category + ".")) filter.event = "";
  for (const name of ["category", "session", "device"]) {
    find("#" + name).value = filter[name];
    find("#" + name).classList.toggle("on", Boolean(filter[name]));
  }
  fillEvents();
  find("#only-bad").checked = filter.bad;
  if (find("#query").value !== filter.text) find("#query").value = filter.text;
  find("#reset").hidden = !isFiltered();
  selected = undefined;
  rows = rows.filter((row) => row.seq && matches(row));
  hasOlder = false;
  fresh = [];
  freshCount = 0;
  scroller.scrollTop = 0;
  drawnState = undefined;
  const wasPaused = paused;
  paused = false;
  load().catch(() => {}).finally(() => { paused = wasPaused; later(); });
  later();
}

// MARK: A record

// Returns the members of an object as written, because parsed numbers would lose digits.
function membersOf(raw) {
  const members = [];
  let index = raw.indexOf("{") + 1;
  const isSpace = (letter) => letter === " " || letter === "\n" || letter === "\r" || letter === "\t";
  const string = (from) => {
    let end = from + 1;
    while (end < raw.length && raw[end] !== '"') end += raw[end] === "\\" ? 2 : 1;
    return end + 1;
  };
  while (index < raw.length && members.length < 2000) {
    while (isSpace(raw[index]) || raw[index] === ",") index += 1;
    if (raw[index] !== '"') break;
    const nameEnd = string(index), name = raw.slice(index, nameEnd);
    index = nameEnd;
    while (isSpace(raw[index]) || raw[index] === ":") index += 1;
    const start = index;
    let depth = 0;
    for (; index < raw.length; index += 1) {
      const letter = raw[index];
      if (letter === '"') index = string(index) - 1;
      else if (letter === "{" || letter === "[") depth += 1;
      else if (letter === "}" || letter === "]") { if (depth === 0) break; depth -= 1; }
      else if (letter === "," && depth === 0) break;
    }
    members.push([unquoted(name), raw.slice(start, index).trim()]);
  }
  return members;
}

function unquoted(json) {
  try { return JSON.parse(json); } catch { return json; }
}

const MOST = 4000;
function cut(value) { return value.length > MOST ? value.slice(0, MOST) + say.more(value.length - MOST) : value; }

function columnOf(name, value, column, violations) {
  const item = make("li", { class: violations.length ? "broken" : undefined },
    make("div", { class: "head" }, code(name, { class: "column" }),
      column && text(column.type, "span", { class: "type" }), column && !column.required && make("span", { class: "typ\#
e" }, say.optional),
      column && column.privacy in say.privacies && make("span", { class: "mark " + column.privacy }, say.privacies[col\#
umn.privacy])),
    value === undefined ? make("span", { class: "value none" }, say.none) : text(cut(value.startsWith('"') && value.le\#
ngth > 2 && !violations.length ? String(unquoted(value)) : value), "span", { class: "value mono" }),
    violations.map((violation) => make("p", { class: "why" }, text(violation.message), violation.place && [" ", code(v\#
iolation.place, { class: "place" })])),
    column && (column.description || column.example) && make("div", { class: "about" }, column.description && text(col\#
umn.description), column.example && make("span", { class: "example" }, say.example, ": ", code(column.example))));
  return item;
}

// The sampling rate, and the number of records that this one stands for.
function rateOf(written) {
  const share = Number(written);
  return share > 0 && share <= 1 ? [code(written), " ", make("span", { class: "quiet" }, say.stands((1 / share).toLoca\#
leString(language, { maximumFractionDigits: 1 })))] : code(cut(written));
}

let openNumber = 0;
async function open(seq) {
  const number = openNumber += 1;
  let answer;
  try { answer = await ask("/records/" + seq); } catch { answer = undefined; }
  if (number !== openNumber) return;
  const main = find("#main");
  const close = make("button", { type: "button", onclick: shut }, say.close);
  if (!answer) {
    main.replaceChildren(make("header", null, make("h2", null, say.gone), close));
  } else {
    const { summary, raw, violations, columns } = answer;
    const event = definitions.get(nameOf(summary));
    const members = membersOf(raw), values = new Map(members), names = new Set(columns.map((column) => column.name));
    const rate = values.get("sampling_rate");
    const of = (name) => violations.filter((violation) => violation.column === name);
    const known = new Set([...names, ...values.keys()]);
    const general = violations.filter((violation) => !violation.column || !known.has(violation.column));
    const part = (title, items) => items.length ? [make("h3", null, title), make("ul", { class: "columns", role: "list\#
" }, items)] : [];
    const listed = (list) => list.map((column) => columnOf(column.name, values.get(column.name), column, of(column.nam\#
e)));
    const order = (list) => [...list].sort((a, b) => Boolean(of(b.name).length) - Boolean(of(a.name).length));
    const fact = (name, value) => value ? [make("dt", null, name), make("dd", null, value)] : [];
    fill(main, [
      make("header", null, text(titleOf(summary), "h2"), close),
      make("p", { class: "id" }, code(nameOf(summary)), make("span", { class: "mark " + summary.verdict }, say.verdict\#
s[summary.verdict] ?? ""), summary.again && make("span", { class: "mark again" }, "↻ ", say.again)),
      event?.description && text(event.description, "p", { class: "quiet" }),
      !event && make("p", { class: "wrong" }, say.notDefined),
      general.length > 0 && make("ul", { class: "wrong", role: "list" }, general.map((violation) => make("li", null, v\#
iolation.column && [code(violation.column), " "], text(violation.message), violation.place && [" ", code(violation.pla\#
ce, { class: "place" })]))),
      summary.again && make("p", { class: "quiet" }, say.againLong),
      make("dl", { class: "facts" }, fact(say.received, new Date(summary.at).toLocaleDateString(language) + " " + time\#
Of(summary)), fact(say.id, summary.id && code(summary.id)), fact(say.version, summary.version && text(summary.version)),
        fact(say.device, summary.device && text(summary.device)), fact(say.session, summary.session && code(summary.se\#
ssion)), fact(say.owner, event?.owner && text(event.owner)), fact(say.trigger, event?.trigger && code(event.trigger)),\#
 fact(say.sampling, event?.sampling && text(event.sampling)), fact(say.rate, rate !== undefined && rateOf(rate)), fact\#
(say.defined, event?.place && code(event.place))),
      ...part(say.own, listed(order(columns.filter((column) => !common.has(column.name))))),
      ...part(say.common, listed(order(columns.filter((column) => common.has(column.name))))),
      ...part(say.others2, members.filter(([name]) => !names.has(name) && !(name === "sampling_rate" && !of(name).leng\#
th)).slice(0, 300).map(([name, value]) => columnOf(name, value, undefined, of(name)))),
      make("details", null, make("summary", null, say.raw), text(raw.length > 100000 ? raw.slice(0, 100000) + say.more\#
(raw.length - 100000) : raw, "pre")),
    ]);
  }
  opened = seq;
  main.hidden = false;
  main.scrollTop = 0;
  document.body.classList.add("reading");
  if (narrow.matches) main.focus();
  later();
}

const narrow = matchMedia("(max-width: 760px)");

function shut() {
  if (opened === undefined) return;
  openNumber += 1;
  opened = undefined;
  find("#main").hidden = true;
  document.body.classList.remove("reading");
  if (location.hash.length > 1) history.pushState(null, "", location.pathname);
  list.focus({ preventScroll: true });
  later();
}

function route() {
  const seq = Number(location.hash.slice(1));
  if (Number.isInteger(seq) && seq > 0) open(seq); else shut();
}

// MARK: Input

function select(key) {
  selected = key;
  const index = rows.findIndex((row) => keyOf(row) === key);
  if (index >= 0) {
    const top = index * height, bottom = top + height;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
  }
  later();
}

function move(step) {
  if (!rows.length) return;
  const index = rows.findIndex((row) => keyOf(row) === selected);
  const next = index < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, index + step));
  list.focus({ preventScroll: true });
  select(keyOf(rows[next]));
  if (opened !== undefined && rows[next].seq && !narrow.matches) show(rows[next]);
}

function show(row) {
  if (row.gap) return fillGap(row).catch(() => {});
  if (location.hash === "#" + row.seq) open(row.seq); else if (opened !== undefined) { history.replaceState(null, "", \#
"#" + row.seq); open(row.seq); } else location.hash = row.seq;
}

function view(name) {
  document.body.classList.toggle("planning", name === "plan");
  for (const tab of document.querySelectorAll("[data-view]")) tab.setAttribute("aria-pressed", tab.dataset.view === na\#
me);
  later();
}

function setPaused(value) { if (value) { paused = true; later(); } else goLive(); }

function setWords() {
  say = WORDS[language];
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say[element.dataset.say];
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say[element.data\#
set.label]);
  find("#query").placeholder = say.search;
  const other = find("#language");
  other.textContent = say.language;
  other.lang = language === "en" ? "ja" : "en";
  for (const tab of document.querySelectorAll("[data-view]")) tab.textContent = say[tab.dataset.view === "plan" ? "pla\#
n" : "records"];
  find("#keys dl").replaceChildren(...say.help.flatMap((line) => [make("dt", null, line.slice(0, -1).map((key) => make\#
("kbd", null, key))), make("dd", null, line.at(-1))]));
  drawPlan();
  fillSelect("category", [...new Set([...definitions.values()].map((event) => event.category))].map((name) => [name, n\#
ame]));
  fillEvents();
  if (!state) for (const name of ["session", "device"]) fillSelect(name, []);
  redraw();
  if (opened !== undefined) open(opened);
}

scroller.addEventListener("scroll", () => { if (scroller.scrollTop <= 4 && !paused && selected === undefined && freshC\#
ount) goLive(); else later(); }, { passive: true });
list.addEventListener("click", (event) => {
  const row = event.target.closest("li")?.row;
  if (row) show(row);
});
find("#pause").addEventListener("click", () => setPaused(!paused));
find("#fresh").addEventListener("click", goLive);
find("#reset").addEventListener("click", () => setFilter({ category: "", event: "", session: "", device: "", bad: fals\#
e, text: "" }));
find("#only-bad").addEventListener("change", (event) => setFilter({ bad: event.target.checked }));
find("#missing").addEventListener("change", (event) => find("#checks").classList.toggle("only-missing", event.target.c\#
hecked));
for (const name of ["category", "event", "session", "device"]) find("#" + name).addEventListener("change", (event) => \#
setFilter({ [name]: event.target.value }));
find("#query").addEventListener("input", (event) => {
  clearTimeout(typing);
  typing = setTimeout(() => setFilter({ text: event.target.value.trim() }), 200);
});
find(".search").addEventListener("submit", (event) => { event.preventDefault(); move(0); });
for (const form of document.querySelectorAll("[data-fault]")) form.addEventListener("submit", (event) => { event.preve\#
ntDefault(); setFault(form); });
for (const tab of document.querySelectorAll("[data-view]")) tab.addEventListener("click", () => view(tab.dataset.view));
find("#language").addEventListener("click", () => {
  language = language === "en" ? "ja" : "en";
  try { localStorage.setItem("logscope-language", language); } catch { /* The language is not stored. */ }
  setWords();
});
find("#help").addEventListener("click", () => find("#keys").showModal());
addEventListener("hashchange", route);
addEventListener("popstate", route);
addEventListener("resize", later);
document.addEventListener("visibilitychange", later);

document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || find("#keys").open) return;
  const isTyping = event.target.matches("input:not([type=checkbox]), select, textarea");
  if (event.key === "Escape") {
    if (isTyping) { if (filter.text && event.target.id === "query") setFilter({ text: "" }); event.target.blur(); list\#
.focus({ preventScroll: true }); }
    else if (opened !== undefined) shut();
    else if (isHeld()) goLive();
    return event.preventDefault();
  }
  if (isTyping) return;
  const isList = event.target === list || event.target === document.body || event.target.id === "main";
  const act = {
    "/": () => find("#query").focus(), "?": () => find("#keys").showModal(), p: () => setPaused(!paused), b: () => set\#
Filter({ bad: !filter.bad }), j: () => move(1), k: () => move(-1),
    ...(isList && { ArrowDown: () => move(1), ArrowUp: () => move(-1), Home: () => move(-rows.length), End: () => move\#
(rows.length), PageDown: () => move(10), PageUp: () => move(-10),
      Enter: () => { const row = rows.find((row) => keyOf(row) === selected); if (row) show(row); } }),
  }[event.key];
  if (!act || (event.target.id === "main" && event.key.startsWith("Arrow"))) return;
  event.preventDefault();
  act();
});

setWords();
view("records");
route();
connect();

"""#
    static let scope_js_hash = "sha256-kEiE9/clAORdu8DQjhty86MplJCRGp+d+KGkrWxP6Uw="
}
