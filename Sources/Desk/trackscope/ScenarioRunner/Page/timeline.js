
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
    this.tools.querySelector(".zoom").value = (this.zoom < 10 ? Math.round(this.zoom * 10) / 10 : Math.round(this.zoom)) + "×";
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
      "+": () => this.setZoom(this.zoom * 1.6), "=": () => this.setZoom(this.zoom * 1.6), "-": () => this.setZoom(this.zoom / 1.6),
      "0": () => this.reset(),
      "Escape": () => { show(null); this.plot.focus(); },
    };
    if (bar && !event.shiftKey) {
      Object.assign(actions, {
        "ArrowLeft": () => this.focus(this.beside(bar, -1)), "ArrowRight": () => this.focus(this.beside(bar, 1)),
        "ArrowUp": () => this.focus(this.above(bar, -1)), "ArrowDown": () => this.focus(this.above(bar, 1)),
        "Home": () => this.focus(this.bars(bar.closest(".row"))[0]), "End": () => this.focus(this.bars(bar.closest(".row")).at(-1)),
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
    do { row = step < 0 ? row.previousElementSibling : row.nextElementSibling; } while (row && (row.hidden || !row.querySelector?.(".b")));
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
    this.tools.querySelector(".count").textContent = isFiltered ? `${found} of ${this.rows.length} lanes` : `${this.rows.length} lanes`;
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
    for (let index = 0; step < seconds / Math.max(3, Math.min(10, view / 80)); index += 1) step *= index % 3 === 1 ? 2.5 : 2;
    const first = isPrinted ? 0 : this.plot.scrollLeft / whole * this.end;
    const texts = [], lines = [];
    for (let index = Math.max(0, Math.floor(first / step)); index * step <= Math.min(this.end, first + seconds + step) + 1e-9; index += 1) {
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
for (const section of document.querySelectorAll(".scenario")) if (section.querySelector(".plot")) nearness.observe(section);
matchMedia("print").addEventListener("change", (event) => { for (const plot of plots) plot.drawTicks(event.matches); });
addEventListener("resize", () => { for (const plot of plots) plot.later(); });
