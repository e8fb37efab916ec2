// A report of fix, locate, check or campaign: places over the source, chains, repairs.

import { colours, painted } from "./colour";
import { button, byId, element, h } from "./dom";
import { diff } from "./panels";
import type { DiffRow, Marked } from "./types";

interface Report {
  heads: string;
  title: string; facts: [string, string][]; marks: Marked[]; parts: Report[];
  pictures: { title: string; svg: string }[];
  repairs: { title: string; rows: DiffRow[]; evidence: string; hints: string[] }[]; files: { name: string; lines: string[] }[];
}

/** count says how much a report without a result has. */
function count(r: Report): string {
  const n = r.parts.length || r.marks.length;
  return `${n} ${r.parts.length ? "program" : "place"}${n === 1 ? "" : "s"}`;
}

class Page {
  private shown = "";

  constructor(private readonly r: Report) {
    byId("program").textContent = r.title;
    byId("status").textContent = r.facts.find(([k]) => k === "result")?.[1] ?? count(r);
    document.body.prepend(element(r.heads));
    byId("answers").replaceChildren(...this.answers(r));
    byId("files").replaceChildren(...r.files.map((f) => button(f.name, { role: "tab", "data-file": f.name, "aria-selected": "false" }, () => this.file(f.name))));
    byId<HTMLElement>("left").hidden = r.files.length === 0;
    document.body.classList.toggle("nosource", r.files.length === 0);
    if (r.files[0]) this.file((r.files.find((f) => f.name === r.marks[0]?.file) ?? r.files[0]).name);
    document.body.dataset.ready = "yes";
  }

  /** answers is everything that the report says. */
  private answers(r: Report): HTMLElement[] {
    const out: HTMLElement[] = [];
    if (r.facts.length > 0) out.push(h("dl", { class: "facts" }, ...r.facts.flatMap(([k, v]) => [h("dt", {}, k), h("dd", {}, v)])));
    if (r.pictures.length > 0) out.push(h("div", { class: "scenes" }, ...r.pictures.map((p) => h("figure", {}, h("figcaption", {}, p.title), element(p.svg)))));
    if (r.marks.length > 0) out.push(h("ol", { class: "marks" }, ...r.marks.map((m) => h("li", {}, this.place(m), m.chain.length === 0 ? null : h("ol", { class: "chain" }, ...m.chain.map((c) => h("li", {}, this.place(c))))))));
    for (const x of r.repairs) {
      out.push(h("section", { class: "repair", "aria-label": x.title }, h("h2", {}, x.title), diff(x.rows),
        x.evidence ? h("p", { class: "evidence" }, x.evidence) : null, x.hints.length > 0 ? h("ul", {}, ...x.hints.map((t) => h("li", {}, t))) : null));
    }
    for (const p of r.parts) out.push(h("details", { class: "part" }, h("summary", {}, p.title), ...this.answers(p)));
    return out;
  }

  /** place leads to a line of the source. */
  private place(m: Marked): HTMLElement {
    const known = this.r.files.some((f) => f.name === m.file);
    const text = [h("b", {}, m.label), ` ${m.file}:${m.line} `, h("code", {}, m.text), m.note ? ` (${m.note})` : ""];
    if (!known) return h("span", {}, ...text);
    const b = button("", { class: "place" }, () => this.go(m));
    b.append(...text);
    return b;
  }

  private go(m: Marked): void {
    this.file(m.file);
    const line = byId("source").querySelector<HTMLElement>(`[data-line="${m.line}"]`);
    for (const e of byId("source").querySelectorAll(".here")) e.classList.remove("here");
    line?.classList.add("here");
    line?.scrollIntoView({ block: "center" });
  }

  private file(name: string): void {
    if (this.shown === name) return;
    this.shown = name;
    for (const t of byId("files").children) t.setAttribute("aria-selected", String((t as HTMLElement).dataset.file === name));
    const marks = new Map<number, string[]>(), chain = new Set<number>();
    for (const m of this.r.marks) {
      if (m.file === name) marks.set(m.line, [...marks.get(m.line) ?? [], m.label]);
      for (const c of m.chain) if (c.file === name) chain.add(c.line);
    }
    const lines = this.r.files.find((f) => f.name === name)?.lines ?? [], runs = colours(lines);
    byId("source").replaceChildren(...lines.map((text, i) => {
      const label = marks.get(i + 1);
      return h("div", { class: "line" + (label ? " suspect" : ""), "data-line": String(i + 1) },
        h("span", { class: "gutter" }, String(i + 1)), h("span", { class: "mark", title: label?.join(", ") }, label ? (label[0]!.length < 4 ? label[0] : "✗") : chain.has(i + 1) ? "·" : ""), h("code", {}, ...painted(text, runs[i]!)));
    }));
  }
}

async function main(): Promise<void> {
  const r = await fetch("/api/report");
  if (!r.ok) throw new Error((await r.text()).trim());
  new Page(await r.json() as Report);
}

main().catch((e: Error) => { byId("status").textContent = e.message; byId("status").className = "bad"; });
