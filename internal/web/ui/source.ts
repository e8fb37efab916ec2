// The source: the next statement, suspects, breakpoints, conditions that can be clicked.

import { colours, paint, painted } from "./colour";
import type { Run } from "./colour";
import { h } from "./dom";
import type { Child } from "./dom";
import type { Marked, Place, SourceFile, View } from "./types";

export class SourceView {
  private files: SourceFile[] = [];
  private file = 0;
  private rows: HTMLElement[] = [];
  private runs: Run[][] = []; // the colours of the lines
  private view: View | null = null;
  private shown = ""; // the place that the text was scrolled to

  constructor(private readonly tabs: HTMLElement, private readonly root: HTMLElement, private readonly command: (line: string) => void) {
    root.addEventListener("click", (e) => this.click(e));
    // Where a breakpoint is set by mouse, a field that is being written in stays the one.
    root.addEventListener("mousedown", (e) => { if ((e.target as HTMLElement).closest(".gutter")) e.preventDefault(); });
    root.addEventListener("keydown", (e) => this.key(e));
    let height = 0;
    new ResizeObserver(() => {
      if (root.clientHeight === height) return;
      height = root.clientHeight;
      this.see(root.querySelector<HTMLElement>(".here"));
    }).observe(root);
  }

  load(files: SourceFile[]): void {
    this.files = files;
    this.build();
    if (this.view) this.show(this.view);
  }

  private build(): void {
    this.tabs.replaceChildren(...this.files.map((f, i) => {
      const b = h("button", { type: "button", role: "tab", "aria-selected": String(i === this.file) }, f.name.replace(/^.*\//, ""));
      b.title = f.name;
      b.addEventListener("click", () => { this.open(i); });
      return b;
    }));
    const f = this.files[this.file];
    this.runs = colours(f?.lines ?? []);
    this.rows = (f?.lines ?? []).map((text, i) => {
      const stops = f!.stops.some((p) => p.line === i + 1);
      return h("div", { class: "line", "data-line": String(i + 1) },
        h("button", { type: "button", class: "gutter", tabindex: "-1", disabled: stops ? undefined : "", "aria-label": `breakpoint at line ${i + 1}` }, String(i + 1)),
        h("span", { class: "mark", "aria-hidden": "true" }), h("code", {}, ...painted(text, this.runs[i]!)));
    });
    this.root.replaceChildren(...this.rows);
  }

  private open(i: number): void {
    this.file = i;
    this.build();
    if (this.view) this.show(this.view);
  }

  private chain: Marked[] = []; // where the pointer of an error came from

  /** look shows a line, of whichever file. */
  look(file: string, line: number): void {
    const i = this.files.findIndex((f) => f.name === file);
    if (i >= 0 && i !== this.file) this.open(i);
    const row = i >= 0 ? this.rows[line - 1] : undefined;
    for (const r of this.rows) r.classList.toggle("looked", r === row);
    this.see(row);
  }

  /** see scrolls a line into view, with some lines around it; the page itself stays where it is. */
  private see(row: HTMLElement | null | undefined): void {
    if (!row) return;
    const r = row.getBoundingClientRect(), room = this.root.clientHeight;
    const top = r.top - this.root.getBoundingClientRect().top, bottom = top + r.height, around = Math.min(3 * r.height, room / 4);
    if (top < 0 || bottom > room) this.root.scrollTop += (top + bottom - room) / 2;
    else if (top < around) this.root.scrollTop += top - around;
    else if (bottom > room - around) this.root.scrollTop += bottom + around - room;
  }

  show(v: View, chain: Marked[] = this.chain): void {
    this.view = v;
    this.chain = chain;
    const p = v.place;
    const want = p ? this.files.findIndex((f) => f.name === p.file) : -1;
    const place = p ? `${p.file}:${p.line}:${p.column}` : "";
    if (want >= 0 && want !== this.file && place !== this.shown) {
      this.file = want;
      this.build();
    }
    const f = this.files[this.file];
    if (!f) return;
    const on = (list: Place[], line: number) => list.some((q) => q.file === f.name && q.line === line);
    const edited = new Map<number, string>();
    let file = "";
    for (const r of v.patch?.rows ?? []) {
      if (r.file !== undefined) file = r.file;
      else if (file === f.name && (r.left === 0 || r.right === 0 || r.old !== r.new)) edited.set(r.left || this.before(v, r.right), r.new.trim() || "deleted");
    }
    this.rows.forEach((row, i) => {
      const n = i + 1;
      const rank = v.suspects.findIndex((x) => x.place.file === f.name && x.place.line === n);
      const passed = chain.filter((c) => c.file === f.name && c.line === n);
      const made = (v.freed ?? []).filter((x) => x.made?.file === f.name && x.made.line === n).map((x) => x.node);
      const freed = (v.freed ?? []).filter((x) => x.freed?.file === f.name && x.freed.line === n).map((x) => x.node);
      const here = p?.file === f.name && p.line === n && v.state !== "ended";
      row.className = "line" + (on(v.breakpoints, n) ? " break" : "") + (rank >= 0 ? " suspect" : "") + (here ? " here" : "") + (on(v.locked, n) ? " locked" : "") + (edited.has(n) ? " patched" : "") + (made.length > 0 ? " made" : "") + (freed.length > 0 ? " freed" : "");
      const g = row.firstElementChild as HTMLElement;
      g.setAttribute("aria-pressed", String(on(v.breakpoints, n)));
      const mark = row.children[1] as HTMLElement;
      mark.textContent = (here ? "▶" : "") + (rank >= 0 ? `?${rank + 1}` : "") + (edited.has(n) ? "✎" : "") + (on(v.locked, n) ? "⊘" : "") + (passed.length > 0 ? "·" : "") + (made.length > 0 ? "+" : "") + (freed.length > 0 ? "†" : "");
      mark.title = [made.length > 0 ? `${made.join(", ")} was allocated here` : "", freed.length > 0 ? `${freed.join(", ")} was freed here` : "", ...passed.map((c) => `the pointer was ${c.label} here`), rank >= 0 ? v.suspects[rank]!.reason : "", edited.has(n) ? `patched: ${edited.get(n)}` : ""].filter(Boolean).join("; ");
      this.tag(row, [here ? v.freed?.map((x) => `${x.node} ${x.again ? "freed again" : "used"}`) ?? [] : [], made.map((x) => `${x} allocated`), freed.map((x) => `${x} freed`)].flat());
      const code = row.children[2] as HTMLElement;
      const text = f.lines[i] ?? "";
      if (here && p && p.kind !== "end") this.mark(code, i, p, v);
      else if (code.querySelector(".now") !== null) code.replaceChildren(...nodes(painted(text, this.runs[i] ?? [])));
      row.setAttribute("aria-current", here ? "step" : "false");
    });
    if (place !== this.shown && p?.file === f.name) this.see(this.rows[p.line - 1]);
    this.shown = place;
  }

  /** tag says behind a line what happened to memory there. */
  private tag(row: HTMLElement, words: string[]): void {
    const text = [...new Set(words)].join(", ");
    if ((row.children[3]?.textContent ?? "") === text) return;
    row.children[3]?.remove();
    if (text) row.append(h("span", { class: "tagged" }, text));
  }

  /** before returns the line of the source that stands before an inserted one. */
  private before(v: View, right: number): number {
    const rows = v.patch!.rows;
    for (let i = rows.findIndex((r) => r.right === right); i >= 0; i--) if (rows[i]!.left > 0) return rows[i]!.left;
    return 0;
  }

  /** mark shows the next statement in its line; a condition is a button. */
  private mark(code: HTMLElement, i: number, p: Place, v: View): void {
    const text = this.files[this.file]!.lines[i] ?? "", runs = this.runs[i] ?? [];
    // Columns count bytes.
    const bytes = new TextEncoder().encode(text);
    const column = (n: number) => new TextDecoder().decode(bytes.slice(0, n)).length;
    const from = column(p.column - 1), to = column(p.endLine === p.line ? p.endColumn - 1 : bytes.length);
    const cond = (p.kind === "condition" || p.kind === "loop") && !p.macro && v.state !== "crashed" && v.state !== "waiting";
    const says = p.says === undefined ? "its value is not known" : `it is ${p.says}`;
    const now = paint(text, runs, from, to);
    const e = cond
      ? h("button", { type: "button", class: "now condition", "data-force": p.says ? "leave" : "enter", title: `${says}; click to go the other way` }, ...now)
      : h("span", { class: "now" }, ...now);
    const begin = Math.min(from, text.length - text.trimStart().length);
    code.replaceChildren(text.slice(0, begin), h("span", { class: "text" }, ...paint(text, runs, begin, from), e, ...paint(text, runs, to)));
  }

  private click(e: MouseEvent): void {
    const t = e.target as HTMLElement;
    const force = t.closest<HTMLElement>("[data-force]");
    if (force?.dataset.force) { this.command(force.dataset.force); return; }
    const row = t.closest<HTMLElement>(".gutter")?.parentElement;
    if (row) this.toggle(Number(row.dataset.line));
  }

  private toggle(line: number): void {
    const f = this.files[this.file]!;
    if (!f.stops.some((p) => p.line === line)) return;
    const set = this.view?.breakpoints.some((p) => p.file === f.name && p.line === line);
    const name = this.files.length > 1 ? `${f.name}:${line}` : String(line);
    this.command(`break ${set ? "-" : ""}${name}`);
  }

  private cursor = 0;

  /** focus puts the keyboard into the gutter. */
  focus(): void {
    this.cursor = this.view?.place?.line ?? 1;
    this.step(0);
  }

  private step(d: number): void {
    this.cursor = Math.max(1, Math.min(this.rows.length, this.cursor + d));
    (this.rows[this.cursor - 1]?.firstElementChild as HTMLElement | undefined)?.removeAttribute("disabled");
    (this.rows[this.cursor - 1]?.firstElementChild as HTMLElement | undefined)?.focus();
  }

  private key(e: KeyboardEvent): void {
    const row = (e.target as HTMLElement).closest<HTMLElement>(".line");
    if (!row || !(e.target as HTMLElement).classList.contains("gutter")) return;
    this.cursor = Number(row.dataset.line);
    if (e.key === "ArrowDown") this.step(1);
    else if (e.key === "ArrowUp") this.step(-1);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}

const nodes = (list: Child[]) => list.filter((x) => x instanceof Node || typeof x === "string");
