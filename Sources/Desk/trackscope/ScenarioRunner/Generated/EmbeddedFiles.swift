// Made from the files in Sources/Desk/trackscope/ScenarioRunner/Page. Do not edit.
// To make it again: `RECORD_SNAPSHOTS=1 swift test --filter EmbeddedFilesTests`.

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
in: 0 auto; max-width: 1800px; padding: 20px 24px 150px; color: var(--ink); background: var(--paper); }
h1, h2 { line-height: 1.25; overflow-wrap: anywhere; unicode-bidi: isolate; }
h1 { font-size: 20px; margin: 0 0 8px; }
h2 { font-size: 17px; margin: 36px 0 2px; }
p { margin: 2px 0; }
a { color: var(--focus); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0; max-height: 12em; overflow: auto; font: 12px/1.5 \#
ui-monospace, Menlo, "Noto Sans Mono CJK JP", monospace; }
pre.differences { max-height: none; }
.more summary { color: var(--bad); font-size: 12px; cursor: pointer; }
.quiet, .file { color: var(--quiet); }
.file { font-size: 12px; overflow-wrap: anywhere; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.notice { border-left: 4px solid var(--shown); background: var(--soft); padding: 8px 12px; margin: 12px 0; }
.index ol { columns: 320px auto; column-gap: 32px; padding-left: 28px; margin: 0 0 16px; }
.index li { break-inside: avoid; overflow-wrap: anywhere; }
.index li span { font-size: 12px; }
[hidden] { display: none !important; }

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

.tools { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; margin: 8px 0; }
.tools input[type="search"] { font: inherit; flex: 0 1 300px; min-width: 0; }
.tools input[type="search"], button { color: var(--ink); background: var(--soft); border: 1px solid var(--line); borde\#
r-radius: 7px; padding: 4px 10px; font: inherit; }
button { cursor: pointer; }
button:hover { border-color: var(--quiet); }
.tools label, .group { display: inline-flex; gap: 6px; align-items: center; }
.zoom { min-width: 3.2em; text-align: center; font-variant-numeric: tabular-nums; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }

.plot { overflow: auto; max-height: 82vh; border: 1px solid var(--line); border-radius: 10px; margin-top: 8px; overscr\#
oll-behavior-x: contain; background: var(--paper); }
.plot.dragging { cursor: grabbing; user-select: none; -webkit-user-select: none; }
.canvas { position: relative; width: calc(var(--label) + var(--view)); min-width: 100%; overflow: clip; }
/* As tall as the visible part of the plot: a line over thousands of rows is slow to paint. */
.grid { display: block; position: sticky; top: 0; height: 82vh; margin: 0 0 -82vh calc(var(--label) + 8px); width: cal\#
c(100% - var(--label) - 26px); overflow: visible; pointer-events: none; }
.grid line { stroke: var(--line); opacity: .7; }
.grid .background { fill: var(--back); opacity: .45; }
.row { display: flex; flex-wrap: wrap; position: relative; height: 36px; content-visibility: auto; contain-intrinsic-s\#
ize: auto 36px; }
.row.axis { height: 24px; position: sticky; top: 0; z-index: 3; content-visibility: visible; background: var(--paper); }
.row.steps { height: 32px; position: sticky; top: 24px; z-index: 3; content-visibility: visible; background: var(--pap\#
er); border-bottom: 1px solid var(--line); }
.row.screen { height: 32px; border-top: 1px solid var(--line); }
.label { position: sticky; left: 0; z-index: 2; flex: none; width: var(--label); height: 100%; padding: 0 8px 0 10px; \#
background: var(--paper); border-right: 1px solid var(--line);
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
.label button { position: absolute; left: 3px; top: 50%; translate: 0 -50%; padding: 0; width: 18px; height: 18px; bor\#
der: 0; background: none; line-height: 1; font-size: 11px; color: var(--quiet); }
.d1 .label button { left: 8px; } .d2 .label button { left: 22px; } .d3 .label button { left: 36px; } .d4 .label button\#
 { left: 50px; }
.d5 .label button { left: 64px; } .d6 .label button { left: 78px; } .d7 .label button { left: 92px; } .d8 .label butto\#
n { left: 106px; }
.script .screen .label { padding-left: 22px; }
.track { flex: 1 1 0; width: 0; height: 100%; margin: 0 18px 0 8px; overflow: visible; }
.answer { display: none; }

text { font-size: 11px; fill: var(--ink); pointer-events: none; }
.axis text { fill: var(--quiet); text-anchor: middle; font-variant-numeric: tabular-nums; }
.axis text:first-child:not(:only-child), .axis text.first { text-anchor: start; }
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
.b:hover > rect, .b.on > rect { filter: brightness(.94); }
.b:focus { outline: none; }
.b:focus > rect, .b:focus-visible > rect { stroke: var(--focus); stroke-width: 2.5; stroke-dasharray: none; filter: br\#
ightness(.94); }
.b.none:focus > rect, .b.none:hover > rect { fill: var(--soft); filter: none; }
.m:focus > *, .step:focus > path { stroke: var(--focus); stroke-width: 3; }
.step:focus text { text-decoration: underline; }
.curve { pointer-events: none; }
path.fill { fill: var(--share); opacity: .09; }
path.line { fill: none; stroke: var(--share); stroke-width: 1.4; vector-effect: non-scaling-stroke; opacity: .75; }
path.rule { fill: none; stroke: var(--bad); stroke-width: 1; stroke-dasharray: 3 3; vector-effect: non-scaling-stroke;\#
 opacity: .8; }
.shown { fill: var(--shown); stroke: var(--paper); } .seen:is(circle) { fill: var(--posted); stroke: var(--paper); } r\#
ect.screen { fill: var(--ink); stroke: var(--paper); }
.missing { fill: var(--paper); stroke: var(--bad); stroke-width: 2; stroke-dasharray: 3 2; } .unexpected { fill: none;\#
 stroke: var(--bad); stroke-width: 2; pointer-events: all; }

.cursor { position: absolute; top: 0; bottom: 0; width: 0; border-left: 1px solid var(--focus); z-index: 3; pointer-ev\#
ents: none; }
.cursor span { position: sticky; display: block; width: max-content; top: 2px; margin-left: 4px; padding: 0 5px; borde\#
r-radius: 5px; font-size: 11px; font-variant-numeric: tabular-nums; color: var(--paper); background: var(--focus); }

.panel { position: fixed; z-index: 5; left: 0; right: 0; bottom: 0; min-height: 116px; max-height: 45vh; overflow: aut\#
o; padding: 10px 24px 12px; background: var(--soft); border-top: 1px solid var(--line);
  box-shadow: 0 -6px 24px #0000001a; font-size: 13px; }
.panel p { unicode-bidi: plaintext; overflow-wrap: anywhere; }
.panel p:first-child { font-weight: 650; }
.panel p:nth-child(2) { color: var(--quiet); font-variant-numeric: tabular-nums; }

@media (max-width: 640px) {
  :root { --label: 116px; --view: max(460px, 100% - var(--label)); }
  body { padding: 14px 12px 170px; }
  .label { font-size: 11.5px; padding-left: 8px; }
  .d1 .label { padding-left: 16px; } .d2 .label { padding-left: 22px; } .d3 .label { padding-left: 28px; } .d4 .label,\#
 .d5 .label, .d6 .label, .d7 .label, .d8 .label { padding-left: 34px; }
  .d1 .label button { left: 0; } .d2 .label button { left: 6px; } .d3 .label button { left: 12px; } .d4 .label button,\#
 .d5 .label button, .d6 .label button, .d7 .label button, .d8 .label button { left: 18px; }
  .panel { padding: 8px 14px 10px; }
  .tools input[type="search"] { flex: 1 1 100%; }
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
  .more::details-content { content-visibility: visible; block-size: auto; }
  .tools, .panel, .help, .cursor, .label button { display: none !important; }
  .plot { overflow: visible; max-height: none; border: 0; }
  .canvas { width: 100% !important; }
  .grid { position: absolute; height: 100%; margin-bottom: 0; }
  .row[hidden] { display: flex !important; }
  .row { content-visibility: visible; height: auto; min-height: 36px; break-inside: avoid; }
  .row.axis, .row.steps { position: relative; top: 0; }
  .track { height: 36px; }
  .axis .track { height: 24px; min-height: 0; }
  .label { position: static; height: auto; min-height: 36px; }
  .axis .label, .row.axis { min-height: 24px; }
  .name, .event { white-space: normal; overflow-wrap: anywhere; }
  .answer { display: block; flex: 0 0 100%; margin: 0 0 4px; padding-left: var(--label); font-size: 10px; color: var(-\#
-quiet); }
  h2 { break-after: avoid; }
}

"""#
    static let timeline_js = #"""

"use strict";
// Adds search, zoom and a panel to a page of drawings. It reads only the page, and shows strings as text, never as
// markup.
const panel = document.querySelector(".panel");
const said = new WeakMap();
const svg = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// A title would appear next to the panel, so it is removed from the drawing on first use.
function words(element) {
  if (!said.has(element)) {
    const title = element.querySelector(":scope > title");
    const text = title ? title.textContent : element.title;
    if (title) {
      title.remove();
      element.setAttribute("aria-label", text);
    } else {
      element.removeAttribute("title");
    }
    said.set(element, text);
  }
  return said.get(element);
}

let shown = null;
function show(element) {
  if (element === shown) return;
  shown?.classList.remove("on");
  shown = element;
  panel.hidden = !element;
  if (!element) return;
  element.classList.add("on");
  panel.replaceChildren(
    ...words(element).split("\n").map((line) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    }));
}

class Plot {
  constructor(section) {
    this.plot = section.querySelector(".plot");
    this.canvas = section.querySelector(".canvas");
    this.end = Number(this.plot.dataset.end) || 1;
    this.axis = section.querySelector(".axis .track");
    this.lines = section.querySelector(".grid .lines");
    this.zoom = 1;
    this.tools = section.querySelector(".tools");
    this.tools.hidden = false;
    this.rows = [...section.querySelectorAll(".row[data-depth]")].map((element) => ({
      element, depth: Number(element.dataset.depth), isUnposted: element.classList.contains("not-posted"), isOpen: true,
      text: element.querySelector(".label").textContent.normalize("NFKC").toLowerCase(),
    }));
    this.rows.forEach((row, index) => {
      if ((this.rows[index + 1]?.depth ?? 0) <= row.depth) return;
      row.button = document.createElement("button");
      row.button.type = "button";
      row.button.setAttribute("aria-label", "what is in " + row.element.querySelector(".name").textContent);
      row.button.addEventListener("click", () => { row.isOpen = !row.isOpen; this.filter(); });
      row.element.querySelector(".label").prepend(row.button);
    });
    this.cursor = document.createElement("div");
    this.cursor.className = "cursor";
    this.cursor.hidden = true;
    this.cursor.append(document.createElement("span"));
    this.canvas.append(this.cursor);
    this.focused = section.querySelector(".b");
    this.focused?.setAttribute("tabindex", "0");
    this.listen();
    this.filter();
    this.drawTicks();
  }

  listen() {
    const { plot, tools } = this;
    const find = (name) => tools.querySelector(name);
    find(".in").addEventListener("click", () => this.setZoom(this.zoom * 1.6));
    find(".out").addEventListener("click", () => this.setZoom(this.zoom / 1.6));
    find(".reset").addEventListener("click", () => this.reset());
    find(".filter").addEventListener("input", () => this.filter());
    find(".unposted").addEventListener("change", () => this.filter());
    plot.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    plot.addEventListener("scroll", () => this.later(), { passive: true });
    plot.addEventListener("keydown", (event) => this.key(event));
    plot.addEventListener("pointerover", (event) => {
      const element = event.target.closest(".b, .label[title], .label");
      if (element && (element.matches(".b") || said.has(element) || element.title)) show(element);
    });
    plot.addEventListener("click", (event) => {
      const bar = event.target.closest(".b");
      if (bar && !this.dragged) this.focus(bar);
    });
    plot.addEventListener("focusin", (event) => { if (event.target.matches(".b")) show(event.target); });
    plot.addEventListener("pointermove", (event) => this.move(event));
    plot.addEventListener("pointerleave", () => { this.cursor.hidden = true; });
    plot.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      if (event.pointerType !== "mouse" || event.button !== 0 || event.target.closest("button")) return;
      this.drag = { x: event.clientX, y: event.clientY, left: plot.scrollLeft, top: plot.scrollTop };
    });
    for (const name of ["pointerup", "pointercancel"]) {
      plot.addEventListener(name, () => {
        this.drag = null;
        plot.classList.remove("dragging");
      });
    }
  }

  // The drawing without the labels: its position on the screen, its whole width, and the width of the part in view.
  get frame() {
    const left = this.axis.getBoundingClientRect().left;
    // Includes the space before the first instant.
    const label = left - this.canvas.getBoundingClientRect().left;
    return { left, label, whole: this.axis.clientWidth || 1, view: this.plot.clientWidth - label };
  }

  setZoom(zoom, clientX) {
    const before = this.frame;
    const anchor = clientX ?? this.plot.getBoundingClientRect().left + before.label + before.view / 2;
    const time = (anchor - before.left) / before.whole;
    this.zoom = clamp(zoom, 1, Math.min(4000, Math.max(8, this.end * 2)));
    // Only the width is set: an inherited property would restyle every bar.
    this.canvas.style.width = `calc(var(--label) + (var(--view)) * ${this.zoom})`;
    const after = this.frame;
    this.plot.scrollLeft += after.left + time * after.whole - anchor;
    this.tools.querySelector(".zoom").value = (this.zoom < 10 ? Math.round(this.zoom * 10) / 10 : Math.round(this.zoom\#
)) + "×";
    this.later();
  }

  reset() {
    this.tools.querySelector(".filter").value = "";
    this.tools.querySelector(".unposted").checked = false;
    for (const row of this.rows) row.isOpen = true;
    this.filter();
    this.setZoom(1);
    this.plot.scrollTo(0, 0);
    show(null);
  }

  wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.setZoom(this.zoom * Math.exp(clamp(-event.deltaY, -60, 60) / 120), event.clientX);
    } else if (event.shiftKey && !event.deltaX) {
      event.preventDefault();
      this.plot.scrollLeft += event.deltaY;
    }
  }

  move(event) {
    const { plot, drag } = this;
    if (drag && (this.dragged || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 4)) {
      if (!this.dragged) plot.setPointerCapture(event.pointerId);
      this.dragged = true;
      plot.classList.add("dragging");
      plot.scrollLeft = drag.left - (event.clientX - drag.x);
      plot.scrollTop = drag.top - (event.clientY - drag.y);
    }
    const { left, label, whole } = this.frame;
    const x = event.clientX - left;
    const isInside = event.clientX > plot.getBoundingClientRect().left + label && x >= 0 && x <= whole;
    this.cursor.hidden = !isInside || this.dragged && drag;
    if (!isInside) return;
    this.cursor.style.left = label + x + "px";
    const digits = clamp(Math.ceil(-Math.log10(this.end / whole)), 0, 3);
    this.cursor.firstChild.textContent = (x / whole * this.end).toFixed(digits) + " s";
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button")) return;
    const bar = event.target.closest(".b");
    const pan = (x) => { this.plot.scrollLeft += x * this.frame.view; };
    const actions = {
      "+": () => this.setZoom(this.zoom * 1.6), "=": () => this.setZoom(this.zoom * 1.6), "-": () => this.setZoom(this\#
.zoom / 1.6),
      "0": () => this.reset(),
      "Escape": () => { show(null); this.plot.focus(); },
    };
    if (bar && !event.shiftKey) {
      Object.assign(actions, {
        "ArrowLeft": () => this.focus(this.beside(bar, -1)), "ArrowRight": () => this.focus(this.beside(bar, 1)),
        "ArrowUp": () => this.focus(this.above(bar, -1)), "ArrowDown": () => this.focus(this.above(bar, 1)),
        "Home": () => this.focus(this.bars(bar.closest(".row"))[0]), "End": () => this.focus(this.bars(bar.closest(".r\#
ow")).at(-1)),
      });
    } else {
      Object.assign(actions, {
        "ArrowLeft": () => pan(-0.15), "ArrowRight": () => pan(0.15), "Home": () => { this.plot.scrollLeft = 0; },
        "End": () => { this.plot.scrollLeft = this.plot.scrollWidth; }, "Enter": () => this.focus(this.firstInView()),
      });
    }
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // Sorted by time, because marks are drawn after the bars.
  bars(row) {
    const start = (bar) => parseFloat(bar.getAttribute("x"));
    return [...row.querySelectorAll(".b")].sort((left, right) => start(left) - start(right));
  }

  beside(bar, step) {
    const bars = this.bars(bar.closest(".row"));
    return bars[bars.indexOf(bar) + step];
  }

  above(bar, step) {
    let row = bar.closest(".row");
    do { row = step < 0 ? row.previousElementSibling : row.nextElementSibling; } while (row && (row.hidden || !row.que\#
rySelector?.(".b")));
    if (!row) return undefined;
    const start = parseFloat(bar.getAttribute("x"));
    const bars = [...row.querySelectorAll(".b:not(.m)")];
    return bars.findLast((other) => parseFloat(other.getAttribute("x")) <= start + 1e-4) ?? bars[0];
  }

  firstInView() {
    const { top, bottom } = this.plot.getBoundingClientRect();
    const row = this.rows.find((row) => {
      const box = row.element.getBoundingClientRect();
      return !row.element.hidden && box.height > 0 && box.top >= top + 54 && box.top < bottom;
    });
    const view = this.plot.getBoundingClientRect().left + this.frame.label;
    const bars = row ? this.bars(row.element) : [];
    return bars.find((bar) => bar.getBoundingClientRect().right > view) ?? bars[0];
  }

  focus(bar) {
    if (!bar) return;
    this.focused?.setAttribute("tabindex", "-1");
    this.focused = bar;
    bar.setAttribute("tabindex", "0");
    bar.focus({ preventScroll: true });
    const [box, view] = [bar.getBoundingClientRect(), this.plot.getBoundingClientRect()];
    const left = view.left + this.frame.label;
    if (box.left < left || box.left > view.right - 30) this.plot.scrollLeft += box.left - left - 30;
    const row = bar.closest(".row").getBoundingClientRect();
    if (row.top < view.top + 56) this.plot.scrollTop -= view.top + 56 - row.top;
    if (row.bottom > view.bottom - 12) this.plot.scrollTop += row.bottom - view.bottom + 12;
    bar.closest(".row").scrollIntoView({ block: "nearest" });
    show(bar);
  }

  filter() {
    const query = this.tools.querySelector(".filter").value.normalize("NFKC").trim().toLowerCase();
    const onlyUnposted = this.tools.querySelector(".unposted").checked;
    const isFiltered = query !== "" || onlyUnposted;
    let found = 0;
    const path = [];
    for (const row of this.rows) {
      path.length = row.depth;
      path[row.depth] = row;
      // The contents of a matching lane are shown, too.
      const matches = path.some((around) => around?.text.includes(query));
      row.isFound = matches && (!onlyUnposted || row.isUnposted);
      row.isShown = isFiltered ? row.isFound : path.slice(0, -1).every((around) => around?.isOpen ?? true);
      if (!row.isFound) continue;
      found += 1;
      if (isFiltered) for (const around of path) if (around) around.isShown = true;
    }
    for (const row of this.rows) {
      row.element.hidden = !row.isShown;
      if (!row.button) continue;
      row.button.textContent = row.isOpen || isFiltered ? "▾" : "▸";
      row.button.setAttribute("aria-expanded", row.isOpen || isFiltered);
    }
    this.tools.querySelector(".count").textContent = isFiltered ? `${found} of ${this.rows.length} lanes` : `${this.ro\#
ws.length} lanes`;
  }

  later() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.drawTicks();
    });
  }

  // Only the part in view, in steps of 1, 2 or 5 times a power of ten.
  drawTicks(isPrinted = false) {
    const { whole, view } = this.frame;
    const seconds = isPrinted ? this.end : this.end * view / whole;
    let step = 0.001;
    for (let index = 0; step < seconds / Math.max(3, Math.min(10, view / 80)); index += 1) step *= index % 3 === 1 ? 2\#
.5 : 2;
    const first = isPrinted ? 0 : this.plot.scrollLeft / whole * this.end;
    const texts = [], lines = [];
    for (let index = Math.max(0, Math.floor(first / step)); index * step <= Math.min(this.end, first + seconds + step)\#
 + 1e-9; index += 1) {
      const x = (index * step / this.end * 100).toFixed(5) + "%";
      const text = svg("text"), line = svg("line");
      text.setAttribute("x", x);
      text.setAttribute("y", "16");
      text.textContent = Number((index * step).toFixed(3)) + " s";
      if (index === 0) text.classList.add("first");
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      line.setAttribute("y2", "100%");
      texts.push(text);
      lines.push(line);
    }
    this.axis.replaceChildren(...texts);
    this.lines.replaceChildren(...lines);
  }
}

document.documentElement.classList.add("script");
for (const help of document.querySelectorAll(".help")) help.hidden = false;
// A phone has no space for the legend.
if (innerWidth < 640) document.querySelector(".legend").open = false;
const plots = [];
// A page may have many scenarios, so each is prepared when it comes near the view.
const nearness = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    nearness.unobserve(entry.target);
    plots.push(new Plot(entry.target));
  }
}, { rootMargin: "1500px" });
for (const section of document.querySelectorAll(".scenario")) if (section.querySelector(".plot")) nearness.observe(sec\#
tion);
matchMedia("print").addEventListener("change", (event) => { for (const plot of plots) plot.drawTicks(event.matches); });
addEventListener("resize", () => { for (const plot of plots) plot.later(); });

"""#
}
