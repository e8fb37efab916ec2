// The picture: boxes and arrows at the coordinates that the server gives, pan and
// zoom, and the gestures that change it. It knows nothing of the rest of the page; what
// a gesture means is handed to its host as a command line.

import { h, s, set } from "./dom";
import { Chooser } from "./chooser";
import { beginDrag } from "./drag";
import { columns, narrow } from "./narrow";
import { Overview } from "./overview";
import { targets } from "./targets";
import type { Arrow, Box, Cell, Picture } from "./types";

export interface Host {
  command(line: string): void;
  announce(text: string): void;
  open(node: string): void; // one that is folded
}

/** Mark is a box on the page. What is far outside the view is hidden, and made only when it is looked at. */
interface Mark { g: SVGGElement; cells: Map<string, SVGGElement>; text: string; kind: string; box: Box; full: boolean; on: boolean }

interface Line { path: SVGPathElement; grip: SVGCircleElement; at: number[]; on: boolean }

const line = 20;

/** legible is the least zoom at which names are read. */
const legible = 0.65;

/** overview is the least zoom at which a picture that is new is shown as a whole: names and numbers are read, written large. */
const overview = 0.25;

/** low is the height, in pixels, of a canvas that has room for the overview beside the picture and not below it. */
const low = 260;

/** finger is how far from an arrow's head a touch still takes it, in pixels. */
const finger = 22;

/** margin is what is shown around what matters. */
const margin = 12;

export class HeapView {
  readonly svg: SVGSVGElement;
  picture: Picture | null = null; // as it is laid out here
  private given: Picture | null = null; // as the server has laid it out
  private columns = 0; // that it is laid out in on a narrow canvas; 0 for the server's layout
  readonly chooser: Chooser;
  private readonly overview = new Overview("the picture", (x, y) => this.center(x, y));
  private readonly frame: HTMLElement; // around both
  private readonly world: SVGGElement;
  private readonly boxes: SVGGElement;
  private readonly lines: SVGGElement;
  private readonly grips: SVGGElement;
  private readonly overlay: SVGGElement;
  private readonly boxMarks = new Map<string, Mark>();
  private readonly paths = new Map<string, Line>();
  private readonly entities = new Map<string, { box: Box; cell: Cell; mark: Mark }>();
  private stop: SVGGElement | null = null; // the entity that the tab key comes to
  private drawn = { x: 0, y: 0, zoom: 0 }; // the view that what is hidden was chosen for
  private waiting = false; // for the next frame
  private wasFixed = false; // at the picture before
  fixed = false; // an earlier state is shown: no gesture changes it
  private x = 0;
  private y = 0;
  private zoom = 1;
  private free = false; // the user has panned or zoomed
  private whole = false; // the user wants to see all of it, however small
  private entire = false; // all of the picture is seen, and the user has not chosen what to look at
  private over = false; // most of the picture is new: it is shown as a whole where that can be read
  private readonly fingers = new Map<number, [number, number]>(); // that touch the canvas
  private ends: (() => void) | null = null; // ends the gesture of one finger
  private focused = "";
  private fresh = new Set<string>(); // nodes that the last command has lost
  private starts = new Map<string, number>(); // where the arrows leave their boxes

  constructor(private readonly root: HTMLElement, readonly host: Host) {
    this.lines = s("g", {});
    this.boxes = s("g", {});
    this.grips = s("g", {});
    this.overlay = s("g", { class: "overlay" });
    this.world = s("g", { class: "world" }, this.boxes, this.lines, this.grips, this.overlay);
    this.svg = s("svg", { class: "heap", role: "group", "aria-label": "memory: boxes and arrows" },
      s("defs", {},
        marker("head", "head", 8), marker("head-changed", "head changed", 6)), this.world);
    this.frame = h("div", { class: "view" }, this.svg, this.overview.svg);
    root.append(this.frame);
    this.chooser = new Chooser(root, this);
    this.svg.addEventListener("pointerdown", (e) => this.down(e));
    this.svg.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    this.svg.addEventListener("dblclick", (e) => this.double(e));
    this.svg.addEventListener("keydown", (e) => this.key(e));
    this.svg.addEventListener("focusin", (e) => this.remember(e));
    for (const end of ["pointerup", "pointercancel"] as const) this.svg.addEventListener(end, (e) => this.fingers.delete(e.pointerId));
    new ResizeObserver(() => {
      this.drawn.zoom = 0;
      this.over ||= this.entire; // a panel that opens takes room: what was seen as a whole stays so, where it can be read
      if (columns(this.frame.getBoundingClientRect().width) !== this.columns) this.draw(this.over, false);
      else this.fit(false);
    }).observe(this.svg);
  }

  /** show draws a picture; what is in the one before stays where it is. */
  show(p: Picture | null): void {
    const first = this.given === null, was = new Set((this.given?.lost ?? []).map((l) => l.name));
    const nodes = new Set(this.given?.nodes.map((b) => b.name));
    this.given = p;
    this.fresh = new Set((p?.lost ?? []).map((l) => l.name).filter((n) => !first && !was.has(n)));
    const back = this.over && this.columns === 0 && (this.fixed || this.wasFixed); // looking back and returning keep the whole in view
    this.wasFixed = this.fixed;
    this.draw(p !== null && (back || 2 * p.nodes.filter((b) => !nodes.has(b.name)).length > p.nodes.length), first);
  }

  /** draw draws the picture given, as the canvas has room. */
  private draw(over: boolean, first: boolean): void {
    const width = this.frame.getBoundingClientRect().width, given = this.given;
    this.over = over;
    if (width > 0) this.columns = columns(width);
    const p = this.picture = given && this.columns > 0 ? narrow(given, this.columns) : given;
    const seen = new Set<string>();
    this.starts = new Map((p?.arrows ?? []).map((a) => [a.from, a.path[0]!]));
    this.entities.clear();
    if (p) {
      for (const b of p.vars) this.box(b, "vars", seen);
      for (const b of p.nodes) this.box(b, "node", seen, !first);
    }
    for (const [name, m] of this.boxMarks) {
      if (!seen.has(name)) { m.g.remove(); this.boxMarks.delete(name); }
    }
    this.arrows(p ? p.arrows : []);
    if (this.columns > 0) this.overview.draw(p?.view ?? [0, 0, 1, 1], spots(p), (p?.arrows ?? []).map((a) => curve(a.path)));
    this.drawn.zoom = 0; // everything is looked at anew
    if (first) this.free = this.whole = false;
    this.fit(false);
    this.roving();
  }

  private box(b: Box, kind: string, seen: Set<string>, appear = false): void {
    const name = kind + " " + b.name;
    seen.add(name);
    let m = this.boxMarks.get(name);
    if (!m) {
      m = { g: s("g", {}), cells: new Map(), text: "", kind, box: b, full: false, on: true };
      this.boxMarks.set(name, m);
      this.boxes.append(m.g);
      if (appear && !still()) m.g.animate([{ opacity: 0 }, { opacity: 1 }], 200);
    }
    for (const c of b.cells) this.entities.set(c.key, { box: b, cell: c, mark: m });
    const dx = m.box.x - b.x, dy = m.box.y - b.y;
    if (kind === "node" && (dx !== 0 || dy !== 0) && m.on && !still()) m.g.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], 250);
    m.box = b;
    const text = JSON.stringify([b, b.cells.map((c) => this.starts.get(c.key))]);
    if (m.text === text) return;
    m.text = text;
    m.full = false;
    const state = stateOf(b);
    const attrs: Record<string, string> = { class: `box ${kind} ${state}`, role: "group", "aria-label": `${b.name} ${b.type ?? ""} ${state}`.trim() };
    if (kind === "node") { attrs["data-node"] = b.name; attrs["data-type"] = b.type ?? ""; }
    set(m.g, attrs);
  }

  /** fill makes what stands in a box. */
  private fill(m: Mark): void {
    if (m.full) return;
    m.full = true;
    const b = m.box, state = stateOf(b);
    const focus = document.activeElement instanceof SVGElement && m.g.contains(document.activeElement);
    m.cells.clear();
    m.g.replaceChildren(
      s("rect", { class: "frame", x: b.x, y: b.y, width: b.w, height: b.h, rx: 4 }),
      s("text", { class: "title", x: b.x + 8, y: b.y + 14 }, b.name, ...(state ? [s("tspan", { class: "state" }, " " + state)] : [])),
      ...farOf(b));
    for (const c of b.cells) {
      const g = this.cell(b, c);
      m.cells.set(c.key, g);
      m.g.append(g);
    }
    (b.blank ?? []).forEach((text, i) => m.g.append(s("text", { class: "more", x: b.x + 8, y: b.y + (1 + b.cells.length + i) * line + 14 }, text)));
    if (b.more) m.g.append(s("text", { class: "more", x: b.x + 8, y: b.y + b.h - 6 }, `… ${b.more} more`));
    if (focus) this.at(this.focused)?.focus();
  }

  /** cull hides what is far outside the view, so that a step of a large picture costs no more than of a small one. */
  private cull(): void {
    const r = this.svg.getBoundingClientRect();
    const d = this.drawn;
    if (d.zoom === this.zoom && Math.abs(d.x - this.x) < r.width / 2 && Math.abs(d.y - this.y) < r.height / 2) return;
    this.drawn = { x: this.x, y: this.y, zoom: this.zoom };
    const w = r.width || 1000, hgt = r.height || 1000;
    const left = (-w - this.x) / this.zoom, right = (2 * w - this.x) / this.zoom;
    const top = (-hgt - this.y) / this.zoom, bottom = (2 * hgt - this.y) / this.zoom;
    for (const m of this.boxMarks.values()) {
      const b = m.box;
      const on = b.x < right && b.x + b.w > left && b.y < bottom && b.y + b.h > top;
      if (on) this.fill(m);
      if (on !== m.on) { m.on = on; m.g.style.display = on ? "" : "none"; }
    }
    for (const l of this.paths.values()) {
      const p = l.at;
      const on = Math.min(p[0]!, p[2]!, p[4]!, p[6]!) < right && Math.max(p[0]!, p[2]!, p[4]!, p[6]!) > left && Math.min(p[1]!, p[3]!, p[5]!, p[7]!) < bottom && Math.max(p[1]!, p[3]!, p[5]!, p[7]!) > top;
      if (on !== l.on) { l.on = on; l.path.style.display = l.grip.style.display = on ? "" : "none"; }
    }
    this.svg.classList.toggle("far", this.zoom < legible - 0.001);
  }

  private cell(b: Box, c: Cell): SVGGElement {
    const pointer = c.points !== undefined;
    const g = s("g", {
      class: `cell ${c.kind}${c.changed ? " changed" : ""}${c.untracked ? " untracked" : ""}${pointer ? " pointer" : ""}`,
      role: "button", tabindex: -1, "data-key": c.key, "aria-label": saidOf(c),
    },
    s("rect", { class: "hit", x: b.x + 1, y: c.y, width: b.w - 2, height: line - 1 }),
    s("text", { class: "label", x: b.x + 8, y: c.y + 14 }, (c.changed ? "✱ " : "") + c.label));
    if (pointer && (c.kind === "node" || c.kind === "null" || c.kind === "unknown" || c.kind === "wild")) {
      const start = this.starts.get(c.key);
      const folded = c.kind === "node" && start === undefined ? /^n\d+/.exec(c.value)?.[0] : undefined;
      if (start === undefined) g.append(s("text", { class: folded ? "value folded" : "value", x: b.x + b.w - 14, y: c.y + 14, ...(folded ? { "data-open": folded } : {}) }, c.shown));
      g.append(s("circle", { class: "dot", cx: start ?? b.x + b.w, cy: c.y + line / 2, r: 4.5, "data-grip": c.key }));
    } else {
      g.append(s("text", { class: "value", x: b.x + b.w - 8, y: c.y + 14 }, c.shown));
    }
    g.append(s("title", {}, c.kind === "wild" && c.shown.startsWith("→") ? `${c.key} points to ${astray(c)} (${c.type})` : `${c.key} = ${c.value} (${c.type})`));
    return g;
  }

  private arrows(list: Arrow[]): void {
    const seen = new Set<string>();
    for (const a of list) {
      seen.add(a.from);
      let m = this.paths.get(a.from);
      if (!m) {
        m = { path: s("path", {}), grip: s("circle", { r: 8, class: "grip", "data-grip": a.from }), at: [], on: true };
        this.paths.set(a.from, m);
        this.lines.append(m.path);
        this.grips.append(m.grip);
      }
      const p = m.at = a.path;
      set(m.path, {
        d: curve(p), "data-from": a.from,
        class: `arrow${a.changed ? " changed" : ""}${a.untracked ? " untracked" : ""}`,
        "marker-end": a.changed ? "url(#head-changed)" : "url(#head)",
      });
      const dx = p[6]! - p[4]!, dy = p[7]! - p[5]!, far = Math.hypot(dx, dy) || 1;
      set(m.grip, { cx: p[6]! - dx / far * 5, cy: p[7]! - dy / far * 5 });
    }
    for (const [k, m] of this.paths) {
      if (!seen.has(k)) { m.path.remove(); m.grip.remove(); this.paths.delete(k); }
    }
  }

  /** cellOf returns an entity with its box. */
  cellOf(key: string): { box: Box; cell: Cell } | null { return this.entities.get(key) ?? null; }

  /** at returns the element of an entity, which is made and shown if it was not yet. */
  at(key: string): SVGGElement | null {
    const m = this.entities.get(key)?.mark;
    if (!m) return null;
    this.fill(m);
    if (!m.on) { m.on = true; m.g.style.display = ""; }
    return m.cells.get(key) ?? null;
  }

  /** aim marks nodes as where an arrow may lead, and one of them as where it would. */
  aim(fitting: Set<string> | null, at: string): void {
    for (const m of this.boxMarks.values()) {
      const name = m.g.dataset.node ?? "";
      m.g.classList.toggle("fits", fitting?.has(name) ?? false);
      m.g.classList.toggle("aimed", fitting !== null && name !== "" && name === at);
    }
    for (const e of this.root.querySelectorAll<HTMLElement>(".dock [data-drop]")) {
      e.classList.toggle("fits", fitting !== null);
      e.classList.toggle("aimed", fitting !== null && e.dataset.drop === at);
    }
  }

  /** trace draws the arrow that is being dragged; null takes it away. */
  trace(from: string, x: number, y: number): void;
  trace(from: null): void;
  trace(from: string | null, x = 0, y = 0): void {
    this.overlay.replaceChildren();
    for (const [k, m] of this.paths) m.path.classList.toggle("dragged", k === from);
    const c = from === null ? null : this.cellOf(from);
    if (!c) return;
    const x1 = this.starts.get(from!) ?? c.box.x + c.box.w, y1 = c.cell.y + line / 2;
    const [x2, y2] = this.toWorld(x, y);
    const bend = 40 + Math.abs(x2 - x1) / 4;
    this.overlay.append(s("path", { class: "arrow drag", d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, "marker-end": "url(#head-changed)" }));
  }

  toWorld(x: number, y: number): [number, number] {
    const r = this.svg.getBoundingClientRect();
    return [(x - r.left - this.x) / this.zoom, (y - r.top - this.y) / this.zoom];
  }

  toScreen(x: number, y: number): [number, number] {
    const r = this.svg.getBoundingClientRect();
    return [x * this.zoom + this.x + r.left, y * this.zoom + this.y + r.top];
  }

  /** fit shows the whole picture, or what matters of one that is too large to be read, unless the user has chosen what to look at. */
  fit(force: boolean): void {
    const v = this.picture?.view, all = this.frame.getBoundingClientRect();
    if (!v || all.width === 0) return;
    if (force) { this.free = false; this.whole = true; }
    let r = all;
    if (!this.free) {
      const fits = (z: number, b: DOMRect) => v[2]! * z <= b.width + 1 && v[3]! * z <= b.height + 1;
      let z = this.scale(all.width / v[2]!, all.height / v[3]!);
      this.part(!fits(z, all));
      r = this.svg.getBoundingClientRect();
      if (!fits(z, all)) z = this.scale(r.width / v[2]!, r.height / v[3]!);
      if (fits(z, r)) { this.part(false); r = all; }
      const same = z === this.zoom;
      this.zoom = z;
      if (!fits(z, r)) {
        this.follow(v, r, same);
      } else if (force || !same || !this.covers(v, r.width, r.height)) {
        this.x = Math.max(0, (r.width - v[2]! * z) / 2) - v[0]! * z;
        this.y = Math.max(0, Math.min(40, (r.height - v[3]! * z) / 2)) - v[1]! * z;
      }
    }
    this.entire = !this.free && this.covers(v, r.width, r.height);
    this.move();
  }

  /** scale is the zoom, of a picture that fits at one zoom by its width and at another by its height: all of it where that can be read. One on a narrow canvas may be higher than that. */
  private scale(wide: number, high: number): number {
    const thin = this.columns > 0, all = Math.min(thin ? 1.15 : 1, wide, high);
    if (this.whole || all >= (thin ? 0.8 : legible)) return all;
    if (thin && wide >= legible) return Math.min(1, wide);
    return this.over && all >= overview ? all : legible;
  }

  /** follow moves the view, of a picture that is larger, to what matters; it stays where something that has changed can be seen already. */
  private follow(v: number[], r: DOMRect, same: boolean): void {
    const z = this.zoom, w = r.width / z, hgt = r.height / z;
    const ordered = this.matters(), [first, ...rest] = this.over && !this.fixed ? [ordered[3]!, ordered[2]!, ordered[0]!] : ordered;
    const seen = (b: Box) => b.x * z + this.x >= 0 && (b.x + b.w) * z + this.x <= r.width && b.y * z + this.y >= 0 && (b.y + b.h) * z + this.y <= r.height;
    if (same && (first!.length === 0 ? this.picture!.nodes.some(seen) : first!.every(seen))) return;
    let [x1, y1, x2, y2] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const b of [...first!, ...rest.flat()]) {
      const [l, t, right, bottom] = [Math.min(x1, b.x - margin), Math.min(y1, b.y - margin), Math.max(x2, b.x + b.w + margin), Math.max(y2, b.y + b.h + margin)];
      if (x1 <= x2 && (right - l > w || bottom - t > hgt)) continue; // there is no room for it as well
      [x1, y1, x2, y2] = [l, t, right, bottom];
    }
    if (x1 > x2) return;
    // In the middle, but nothing beside the picture is shown.
    const into = (from: number, to: number, size: number, least: number, all: number, most: number) => all <= size ? least - Math.min(most, (size - all) / 2) : Math.max(least, Math.min((from + to - size) / 2, least + all - size));
    this.x = -into(x1, x2, w, v[0]!, v[2]!, w) * z;
    this.y = -into(y1, y2, hgt, v[1]!, v[3]!, 40 / z) * z;
  }

  /** matters lists boxes, those first that have to be seen: what has changed, where that leads, where the function's variables and the others lead, the variables. */
  private matters(): Box[][] {
    const p = this.picture!, named = new Map(p.nodes.map((b) => [b.name, b]));
    const changed = [...p.nodes.filter((b) => this.fresh.has(b.name)), ...[...p.nodes, ...p.vars].filter((b) => b.cells.some((c) => c.changed))];
    const to = (boxes: Box[], some: (c: Cell) => boolean) => boxes.flatMap((b) => b.cells.filter(some).flatMap((c) => named.get(c.kind === "node" ? c.value : "") ?? []));
    return [changed, to(changed, (c) => c.changed === true), to(p.vars, () => true), p.vars];
  }

  private covers(v: number[], w: number, hgt: number): boolean {
    const left = v[0]! * this.zoom + this.x, top = v[1]! * this.zoom + this.y;
    return left >= -1 && top >= -1 && left + v[2]! * this.zoom <= w + 1 && top + v[3]! * this.zoom <= hgt + 1;
  }

  /** move puts the picture where it is to be seen: one transform of one group. */
  private move(): void {
    this.world.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.zoom})`;
    this.cull();
    const v = this.picture?.view, all = this.frame.getBoundingClientRect(), z = this.zoom;
    const part = v !== undefined && all.width > 0 && !this.covers(v, all.width, all.height);
    if (this.free) this.part(part);
    const r = this.svg.getBoundingClientRect();
    if (part) this.overview.look(v, -this.x / z, -this.y / z, r.width / z, r.height / z);
  }

  /** part says whether only a part of the picture is seen. On a narrow canvas the overview takes room then. */
  private part(on: boolean): void {
    const shown = on && this.columns > 0;
    this.frame.classList.toggle("low", shown && this.frame.getBoundingClientRect().height < low);
    this.overview.show(shown);
  }

  /** center moves a place of the picture to the middle of the canvas. */
  private center(x: number, y: number): void {
    const r = this.svg.getBoundingClientRect();
    [this.x, this.y] = [r.width / 2 - x * this.zoom, r.height / 2 - y * this.zoom];
    this.free = true;
    this.soon();
  }

  /** soon moves with the next frame; pointers report more often than that. */
  private soon(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.move(); });
  }

  zoomBy(f: number, cx?: number, cy?: number): void {
    const r = this.svg.getBoundingClientRect();
    const px = cx ?? r.width / 2, py = cy ?? r.height / 2;
    const z = Math.max(Math.min(0.1, this.zoom), Math.min(4, this.zoom * f));
    this.x = px - (px - this.x) * z / this.zoom;
    this.y = py - (py - this.y) * z / this.zoom;
    this.zoom = z;
    this.free = true;
    this.whole = false;
    this.move();
  }

  /** reveal moves the view, if it must, so that a node can be seen, and focuses it. */
  reveal(name: string): boolean {
    const b = this.picture?.nodes.find((n) => n.name === name) ?? this.picture?.vars.find((n) => n.cells.some((c) => c.key === name));
    if (!b) return false;
    const r = this.svg.getBoundingClientRect();
    const [x, y] = [b.x * this.zoom + this.x, b.y * this.zoom + this.y];
    if (x < 0 || y < 0 || x + b.w * this.zoom > r.width || y + b.h * this.zoom > r.height) {
      this.x += r.width / 2 - (x + b.w * this.zoom / 2);
      this.y += r.height / 2 - (y + b.h * this.zoom / 2);
      this.free = true;
      this.move();
    }
    const c = b.cells.find((k) => k.key === name) ?? b.cells[0];
    if (c) this.focus(c.key);
    return true;
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const r = this.svg.getBoundingClientRect();
    if (e.ctrlKey || e.metaKey || !e.shiftKey && e.deltaX === 0) {
      this.zoomBy(Math.exp(-e.deltaY / 400), e.clientX - r.left, e.clientY - r.top);
      return;
    }
    this.x -= e.deltaX + (e.shiftKey ? e.deltaY : 0);
    this.free = true;
    this.soon();
  }

  private down(e: PointerEvent): void {
    if (e.button !== 0) return;
    const touch = e.pointerType === "touch";
    if (touch) {
      e.preventDefault(); // no mouse events come of it, which would take the focus from a field
      this.fingers.set(e.pointerId, [e.clientX, e.clientY]);
      if (this.fingers.size > 1) { this.pinch(e); return; }
    }
    const target = e.target as Element, key = target.closest<SVGElement>("[data-key]")?.dataset.key;
    const open = target.closest<SVGElement>("[data-open]")?.dataset.open;
    if (open) { e.preventDefault(); this.host.open(open); return; }
    // A finger takes an arrow near its head, or by the line that it leads from.
    const grip = target.closest<SVGElement>("[data-grip]")?.dataset.grip ?? (touch ? key === undefined ? this.near(e.clientX, e.clientY) : this.cellOf(key)?.cell.points === undefined ? undefined : key : undefined);
    if (grip && !this.fixed) {
      e.preventDefault();
      this.chooser.close();
      this.focus(grip);
      this.ends = beginDrag(this, grip, e, touch && key !== undefined ? () => this.edit(key) : undefined);
      return;
    }
    if (key !== undefined && !touch) return;
    this.pan(e, key === undefined ? undefined : () => this.edit(key));
  }

  /** near is the arrow whose head is nearest to a place of the screen; undefined where none is near. */
  private near(x: number, y: number): string | undefined {
    let least = finger, key: string | undefined;
    for (const [k, m] of this.paths) {
      const [hx, hy] = this.toScreen(m.at[6]!, m.at[7]!), d = Math.hypot(hx - x, hy - y);
      if (m.on && d < least) [least, key] = [d, k];
    }
    return key;
  }

  /** pinch zooms with two fingers, and ends what the first of them has begun. */
  private pinch(e: PointerEvent): void {
    this.ends?.();
    this.ends = null;
    const svg = this.svg, r = svg.getBoundingClientRect();
    svg.setPointerCapture(e.pointerId);
    const at = () => {
      const [[ax, ay], [bx, by]] = [...this.fingers.values()] as [[number, number], [number, number]];
      return [(ax + bx) / 2 - r.left, (ay + by) / 2 - r.top, Math.max(20, Math.hypot(ax - bx, ay - by))] as const;
    };
    let [x, y, apart] = at();
    const move = (m: PointerEvent) => {
      if (!this.fingers.has(m.pointerId) || this.fingers.size < 2) return;
      this.fingers.set(m.pointerId, [m.clientX, m.clientY]);
      const [nx, ny, na] = at();
      this.x += nx - x;
      this.y += ny - y;
      this.zoomBy(na / apart, nx, ny);
      [x, y, apart] = [nx, ny, na];
    };
    const up = () => {
      svg.removeEventListener("pointermove", move);
      svg.removeEventListener("pointerup", up);
      svg.removeEventListener("pointercancel", up);
    };
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerup", up);
    svg.addEventListener("pointercancel", up);
  }

  /** pan moves the picture with the pointer; tap is done where the pointer has not moved. */
  private pan(e: PointerEvent, tap?: () => void): void {
    const svg = this.svg;
    svg.setPointerCapture(e.pointerId);
    svg.classList.add("panning");
    let [px, py] = [e.clientX, e.clientY], moved = e.pointerType !== "touch";
    const move = (m: PointerEvent) => {
      if (m.clientX === px && m.clientY === py || !moved && Math.hypot(m.clientX - px, m.clientY - py) < 8) return;
      moved = true;
      this.x += m.clientX - px;
      this.y += m.clientY - py;
      [px, py] = [m.clientX, m.clientY];
      this.free = true;
      this.soon();
    };
    const end = () => {
      svg.classList.remove("panning");
      this.move();
      svg.removeEventListener("pointermove", move);
      svg.removeEventListener("pointerup", up);
      svg.removeEventListener("pointercancel", end);
    };
    const up = () => { end(); if (!moved) tap?.(); };
    this.ends = end;
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerup", up);
    svg.addEventListener("pointercancel", end);
  }

  private double(e: MouseEvent): void {
    const g = (e.target as Element).closest<SVGElement>("[data-key]");
    if (g?.dataset.key) this.edit(g.dataset.key);
  }

  /** edit asks for the value of an entity. */
  edit(key: string): void {
    const c = this.cellOf(key);
    if (!c) return;
    if (this.fixed) {
      this.host.announce("this is an earlier state; nothing can be changed here");
      return;
    }
    if (c.cell.kind === "text" || c.cell.kind === "function") {
      this.host.announce(`${key} cannot be changed as a whole`);
      return;
    }
    const [x, y] = this.toScreen(c.box.x, c.cell.y + line);
    this.chooser.open(c.cell, c.cell.points === undefined ? [] : targets(this.picture!, c.cell), x, y);
  }

  focus(key: string): void {
    const g = this.at(key);
    if (!g) return;
    this.focused = key;
    this.roving();
    g.focus({ preventScroll: true });
  }

  /** roving keeps one entity in the order of the tab key. */
  private roving(): void {
    const first = this.picture?.vars[0]?.cells[0] ?? this.picture?.nodes.find((b) => b.cells.length > 0)?.cells[0];
    const g = this.at(this.entities.has(this.focused) ? this.focused : first?.key ?? "");
    if (this.stop !== g && this.stop) this.stop.tabIndex = -1;
    this.stop = g;
    if (g && g.tabIndex !== 0) g.tabIndex = 0;
  }

  private remember(e: FocusEvent): void {
    const g = (e.target as Element).closest<SVGElement>("[data-key]");
    if (!g?.dataset.key) return;
    this.focused = g.dataset.key;
    this.roving();
  }

  private key(e: KeyboardEvent): void {
    const c = this.cellOf(this.focused);
    if (!c || e.ctrlKey || e.altKey || e.metaKey) return;
    let done = true;
    switch (e.key) {
      case "ArrowDown": this.walk(c, 1); break;
      case "ArrowUp": this.walk(c, -1); break;
      case "ArrowRight": this.beside(c, 1); break;
      case "ArrowLeft": this.beside(c, -1); break;
      case "Home": case "End": {
        const all = [...this.picture!.vars, ...this.picture!.nodes].flatMap((b) => b.cells);
        const k = all.at(e.key === "Home" ? 0 : -1);
        if (k) this.focus(k.key);
        break;
      }
      case "Enter": case " ": this.edit(this.focused); break;
      case "Delete":
        if (c.box.type) this.host.command(`change ${c.box.name} freed`);
        break;
      case "h":
        this.host.command(`when ${this.focused}`);
        break;
      case "g":
        if (c.cell.kind !== "node") this.host.announce(`${c.cell.key} leads to no node`);
        else this.host.open(/^n\d+/.exec(c.cell.value)![0]);
        break;
      default: done = false;
    }
    if (done) { e.preventDefault(); e.stopPropagation(); }
  }

  /** walk goes to the next entity of the box, then to that of the next box. */
  private walk(c: { box: Box; cell: Cell }, d: number): void {
    const all = [...this.picture!.vars, ...this.picture!.nodes].flatMap((b) => b.cells);
    const i = all.findIndex((k) => k.key === c.cell.key) + d;
    if (all[i]) this.focus(all[i]!.key);
  }

  /** beside goes to the nearest box on one side. */
  private beside(c: { box: Box; cell: Cell }, d: number): void {
    let best: Box | null = null, cost = Infinity;
    for (const b of [...this.picture!.vars, ...this.picture!.nodes]) {
      const dx = (b.x - c.box.x) * d, dy = Math.abs(b.y - c.box.y);
      if (dx > 0 && b.cells.length > 0 && dx + 3 * dy < cost) { best = b; cost = dx + 3 * dy; }
    }
    if (!best) return;
    const i = Math.min(c.box.cells.indexOf(c.cell), best.cells.length - 1);
    this.focus(best.cells[Math.max(i, 0)]!.key);
  }
}

/** still reports whether the user wants nothing to move by itself. */
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** farOf is what stands in a box that is seen from afar: its name and, where there is room, its first number. */
function farOf(b: Box): SVGTextElement[] {
  const number = b.type !== undefined && b.h >= 3 * line ? b.cells.find((c) => c.kind === "number" && c.shown.length <= 6)?.shown : undefined;
  const x = b.x + b.w / 2, y = b.y + b.h / 2;
  return number === undefined ? [s("text", { class: "far name", x, y }, b.name)] : [s("text", { class: "far name", x, y: y - 16 }, b.name), s("text", { class: "far", x, y: y + 16 }, number)];
}

const curve = (p: number[]) => `M${p[0]} ${p[1]}C${p[2]} ${p[3]} ${p[4]} ${p[5]} ${p[6]} ${p[7]}`;

/** spots are the boxes of a picture as they are seen from afar. */
const spots = (p: Picture | null) => [...p?.vars ?? [], ...p?.nodes ?? []].map((b) => ({ ...b, kind: b.cells.some((c) => c.changed) ? "changed" : b.type === undefined ? "vars" : stateOf(b) || "node" }));

const stateOf = (b: Box) => b.freed ? "freed" : b.lost ? "unreachable" : "";

function marker(id: string, cls: string, size: number): SVGMarkerElement {
  return s("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: size, markerHeight: size, orient: "auto" }, s("path", { class: cls, d: "M0 0L8 4L0 8z" }));
}

/** astray says of a pointer that leads to nothing that has a name where it leads. */
function astray(c: Cell): string {
  return c.value === "wild" ? "no live block, variable or function" : c.value === "stack" ? "the stack, where no variable is" : c.value;
}

/** saidOf is how an entity is read out. */
export function saidOf(c: Cell): string {
  const what = c.kind === "node" ? `points to ${c.value}` : c.kind === "null" ? "is null" : c.kind === "unknown" ? "was never written" : c.kind === "wild" && c.shown.startsWith("→") ? `points to ${astray(c)}` : `is ${c.value}`;
  return `${c.key} ${what}${c.changed ? ", changed" : ""}`;
}

