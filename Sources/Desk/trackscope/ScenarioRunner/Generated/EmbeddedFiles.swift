// Made from the files in Sources/Desk/trackscope/ScenarioRunner/Page. Do not edit.
// To make it again: `RECORD_SNAPSHOTS=1 swift test --filter EmbeddedFilesTests`.
// swift-format-ignore-file

enum EmbeddedFiles {
    static let timeline_css = #"""

:root {
  color-scheme: light dark; --label: 220px; --view: calc(100% - var(--label));
  --ink: #1d1d1f; --quiet: #63636a; --paper: #ffffff; --soft: #f5f5f7; --line: #d9d9de; --focus: #0a5fd6;
  --exposed: #d5ead8; --dwelling: #a9cdf6; --seen: #dcefdf; --under: #fdeec4; --covered: #e3dcf3; --waiting: #f6dccb; \#
--gone: #ececf0; --back: #d9d9df;
  --share: #33475b; --shown: #a85400; --posted: #17703a; --good: #17703a; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #f2f2f4; --quiet: #a6a6ad; --paper: #1b1b1e; --soft: #26262a; --line: #3a3a40; --focus: #7db4ff;
    --exposed: #23452c; --dwelling: #1f4a7a; --seen: #243a2a; --under: #4d4220; --covered: #3b3152; --waiting: #55382a\#
; --gone: #2b2b30; --back: #3d3d45;
    --share: #c9d6e4; --shown: #ffb35c; --posted: #6fdc8c; --good: #6fdc8c; --bad: #ff8f85;
  }
}
* { box-sizing: border-box; }
body { font: 14px/1.45 system-ui, -apple-system, "Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP", sans-serif; marg\#
in: 0 auto; max-width: 1800px; padding: 20px 24px; color: var(--ink); background: var(--paper); }
h1, h2 { line-height: 1.25; overflow-wrap: anywhere; unicode-bidi: isolate; }
h1 { font-size: 20px; margin: 0 0 8px; }
h2 { font-size: 17px; margin: 36px 0 2px; }
p { margin: 2px 0; }
a { color: var(--focus); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0; max-height: 12em; overflow: auto; font: 12px/1.5 \#
ui-monospace, Menlo, "Noto Sans Mono CJK JP", monospace; }
pre.differences { max-height: none; }
.quiet, .file { color: var(--quiet); }
.file { font-size: 12px; overflow-wrap: anywhere; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.notice { border-left: 4px solid var(--shown); background: var(--soft); padding: 8px 12px; margin: 12px 0; }
.index ol { columns: 320px auto; column-gap: 32px; padding-left: 28px; margin: 0 0 16px; }
.index li { break-inside: avoid; overflow-wrap: anywhere; }
.index li span { font-size: 12px; }

.legend { color: var(--quiet); font-size: 12px; }
.legend summary { cursor: pointer; width: max-content; }
.legend ul { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 6px 0; padding: 0; }
.legend li { display: inline-flex; gap: 6px; align-items: center; }
.key { width: 22px; height: 12px; border-radius: 3px; flex: none; }
.key.exposed { background: var(--exposed); } .key.dwelling { background: var(--dwelling); } .key.seen { background: va\#
r(--seen); }
.key.broken { background: linear-gradient(to right, var(--dwelling) 82%, var(--bad) 82%); }
.key.under { background: var(--under); } .key.covered { background: var(--covered); } .key.background { background: va\#
r(--back); }
.key.waiting { background: var(--waiting); } .key.gone { background: var(--gone); }

:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }

.plot { overflow: auto; max-height: 82vh; border: 1px solid var(--line); border-radius: 10px; margin-top: 8px; overscr\#
oll-behavior-x: contain; background: var(--paper); }
.canvas { position: relative; width: calc(var(--label) + var(--view)); min-width: 100%; overflow: clip; }
/* As tall as the visible part of the plot: a line over thousands of rows is slow to paint. */
.grid { display: block; position: sticky; top: 0; height: 82vh; margin: 0 0 -82vh calc(var(--label) + 8px); width: cal\#
c(100% - var(--label) - 26px); overflow: visible; pointer-events: none; }
.grid line { stroke: var(--line); opacity: .7; }
.grid .background { fill: var(--back); opacity: .45; }
.row { display: flex; flex-wrap: wrap; position: relative; min-height: 36px; content-visibility: auto; contain-intrins\#
ic-size: auto 36px; }
.row.axis { min-height: 24px; position: sticky; top: 0; z-index: 3; content-visibility: visible; background: var(--pap\#
er); }
.row.steps { min-height: 32px; position: sticky; top: 24px; z-index: 3; content-visibility: visible; background: var(-\#
-paper); border-bottom: 1px solid var(--line); }
.row.screen { min-height: 32px; border-top: 1px solid var(--line); }
.label { position: sticky; left: 0; z-index: 2; flex: none; width: var(--label); padding: 0 8px 0 10px; background: va\#
r(--paper); border-right: 1px solid var(--line);
  display: flex; flex-direction: column; justify-content: center; line-height: 1.25; font-size: 12.5px; }
.screen .label { font-weight: 650; }
.name, .event { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.event { font-size: 10.5px; color: var(--quiet); font-weight: 400; }
.d1 .label { padding-left: 24px; } .d2 .label { padding-left: 38px; } .d3 .label { padding-left: 52px; } .d4 .label { \#
padding-left: 66px; }
.d5 .label { padding-left: 80px; } .d6 .label { padding-left: 94px; } .d7 .label { padding-left: 108px; } .d8 .label {\#
 padding-left: 122px; }
.steps .label { color: var(--quiet); }
.not-posted .name::before { content: "○ "; color: var(--bad); }
.track { flex: 1 1 0; width: 0; height: 36px; margin: 0 18px 0 8px; overflow: visible; }
.screen .track, .steps .track { height: 32px; }
.axis .track { height: 24px; }
.answer { flex: 0 0 100%; margin: 0 0 4px; padding: 0 18px 0 calc(var(--label) + 8px); font-size: 11px; color: var(--q\#
uiet); unicode-bidi: plaintext; overflow-wrap: anywhere; }

text { font-size: 11px; fill: var(--ink); pointer-events: none; }
.axis text { fill: var(--quiet); text-anchor: middle; font-variant-numeric: tabular-nums; }
.axis text:first-child:not(:only-child) { text-anchor: start; }
.b { cursor: default; }
.bars rect { rx: 3px; }
.bars, .marks, .curve { overflow: visible; }
.b.none > rect { fill: transparent; }
.b.exposed > rect { fill: var(--exposed); } .b.dwelling > rect { fill: var(--dwelling); } .b.seen > rect { fill: var(-\#
-seen); } .b.under > rect { fill: var(--under); }
.b.covered > rect { fill: var(--covered); } .b.background > rect { fill: var(--back); } .b.waiting > rect { fill: var(\#
--waiting); } .b.gone > rect { fill: var(--gone); }
.b.gone text, .b.none text { fill: var(--quiet); }
.b.dwelling text { font-weight: 600; }
.b.broken > rect { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 4 3; }
.m { overflow: visible; }
.visit { stroke: var(--ink); stroke-width: 2; opacity: .55; }
.step path { stroke: var(--quiet); }
.during { fill: var(--quiet); opacity: .45; }
.b:hover > rect { filter: brightness(.94); }
.b.none:hover > rect { fill: var(--soft); filter: none; }
.curve { pointer-events: none; }
path.fill { fill: var(--share); opacity: .09; }
path.line { fill: none; stroke: var(--share); stroke-width: 1.4; vector-effect: non-scaling-stroke; opacity: .75; }
path.rule { fill: none; stroke: var(--bad); stroke-width: 1; stroke-dasharray: 3 3; vector-effect: non-scaling-stroke;\#
 opacity: .8; }
.shown { fill: var(--shown); stroke: var(--paper); } .seen:is(circle) { fill: var(--posted); stroke: var(--paper); } r\#
ect.screen { fill: var(--ink); stroke: var(--paper); } .sum { fill: var(--ink); font-size: 10px; }
.missing { fill: var(--paper); stroke: var(--bad); stroke-width: 2; stroke-dasharray: 3 2; } .unexpected { fill: none;\#
 stroke: var(--bad); stroke-width: 2; pointer-events: all; }

@media (max-width: 640px) {
  :root { --label: 116px; --view: max(460px, 100% - var(--label)); }
  body { padding: 14px 12px; }
  .label { font-size: 11.5px; padding-left: 8px; }
  .d1 .label { padding-left: 16px; } .d2 .label { padding-left: 22px; } .d3 .label { padding-left: 28px; } .d4 .label,\#
 .d5 .label, .d6 .label, .d7 .label, .d8 .label { padding-left: 34px; }
}
@media print {
  @page { size: A4 landscape; margin: 12mm; }
  :root { color-scheme: light; --label: 190px; --ink: #000; --quiet: #555; --paper: #fff; --soft: #f5f5f7; --line: #cc\#
c; --focus: #000;
    --exposed: #d5ead8; --dwelling: #a9cdf6; --seen: #dcefdf; --under: #fdeec4; --covered: #e3dcf3; --waiting: #f6dccb\#
; --gone: #ececf0; --back: #d9d9df;
    --share: #33475b; --shown: #a85400; --posted: #17703a; --good: #17703a; --bad: #b3261e; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { padding: 0; max-width: none; font-size: 11px; }
  pre { max-height: none; font-size: 10px; }
  .plot { overflow: visible; max-height: none; border: 0; }
  .canvas { width: 100%; }
  .grid { position: absolute; height: 100%; margin-bottom: 0; }
  .row { content-visibility: visible; break-inside: avoid; }
  .row.axis, .row.steps { position: relative; top: 0; }
  .label { position: static; }
  .name, .event { white-space: normal; overflow-wrap: anywhere; }
  .answer { font-size: 10px; }
  h2 { break-after: avoid; }
}

"""#
    static let timeline_css_hash = "sha256-ZylcZPC2l+DL9kR8ObLdF93duVdcMwZ/jBYusr5DQd0="
}
