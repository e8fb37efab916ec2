// What stands beside the picture: history, checkpoints, repairs, the program's output.

import { button, byId, element, h, keyed } from "./dom";
import type { Child } from "./dom";
import type { Checkpoint, DiffRow, Entry, Picture, Repair, Scene, View } from "./types";

/** entry shows a command and its answer; the answer folds. */
export function entry(e: Entry): HTMLElement {
  const out = h("li", { class: e.error ? (e.negative ? "no" : "bad") : "" }, h("code", { class: "cmd" }, e.line));
  const text = (e.text + (e.error ? `error: ${e.error}\n` : "")).replace(/\n$/, "");
  if (e.error) out.append(h("p", { class: "error" }, e.error));
  if (text) out.append(h("details", { open: e.line === "check" ? "" : undefined }, h("summary", {}, "answer"), h("pre", { tabindex: "0" }, text)));
  return out;
}

/** checkpoints draws the graph of checkpoints; a click resumes one. */
export function checkpoints(list: Checkpoint[], command: (line: string) => void): HTMLElement {
  if (list.length === 0) return h("p", { class: "none" }, ...keyed("Nothing is asserted yet. Assert (a) says that the picture shown is right."));
  const under = (id: number): HTMLElement => h("ul", {}, ...list.filter((c) => c.parent === id).map((c) => h("li", {},
    button(`${c.id}`, { class: "cp" + (c.current ? " current" : ""), "aria-label": `resume checkpoint ${c.id}`, "aria-current": c.current ? "true" : undefined }, () => command(`resume ${c.id}`)),
    h("span", {}, ` line ${c.place.line}: `, h("code", {}, c.place.text), c.edits ? ` (${c.edits} ${c.edits === 1 ? "edit" : "edits"})` : "", c.same >= 0 ? ` = ${c.same}` : ""),
    list.some((d) => d.parent === c.id) ? under(c.id) : null)));
  return h("div", { class: "checkpoints" }, under(-1));
}

/** diff shows a patch side by side. */
export function diff(rows: DiffRow[]): HTMLElement {
  const table = h("table", { class: "diff" }, h("caption", { class: "quiet" }, "as written and repaired, side by side"),
    h("thead", {}, h("tr", {}, h("th", { colspan: "2", scope: "col" }, "as written"), h("th", { colspan: "2", scope: "col" }, "repaired"))));
  table.insertBefore(h("colgroup", {}, h("col", { class: "n" }), h("col", {}), h("col", { class: "n" }), h("col", {})), table.children[1]!);
  const body = h("tbody", {});
  const indent = Math.min(...rows.flatMap((r) => [r.old, r.new]).filter((t) => t.trim() !== "").map((t) => t.length - t.trimStart().length));
  for (const r of rows) {
    if (r.file !== undefined) { body.append(h("tr", { class: "file" }, h("td", { colspan: "4", title: r.file }, r.file.replace(/^.*\//, "")))); continue; }
    const changed = r.left === 0 || r.right === 0 || r.old !== r.new;
    // Where there is no room for two sides the style sheet puts one below the other.
    const cell = (n: number, text: string, sign: string, cls: string, side: string) => [
      h("td", { class: `num ${side}` }, n ? String(n) : ""),
      h("td", { class: changed && n ? `${cls} ${side}` : side }, h("code", {}, changed && n ? sign : "  ", ...unbroken(text.slice(indent))))];
    body.append(h("tr", { class: !changed ? "same" : r.left === 0 ? "added" : r.right === 0 ? "gone" : "edited" },
      ...cell(r.left, r.old, "− ", "old", "one"), ...cell(r.right, r.new, "+ ", "new", "two")));
  }
  table.append(body);
  return table;
}

/** unbroken is a line of code that is broken between words only, and not inside a->b. */
function unbroken(text: string): Child[] {
  return text.split(/( +)/).map((w) => w.includes("-") ? h("span", { class: "word" }, w) : w);
}

/** enlarge shows a diff over the whole page. */
function enlarge(r: Repair): void {
  wide(diff(r.rows), r.evidence ? h("p", {}, r.evidence) : null, r.scene ? scenes(r.scene) : null);
}

function wide(...content: (Node | null)[]): void {
  byId("widediff").replaceChildren(...content.filter((e) => e !== null));
  byId<HTMLDialogElement>("wide").showModal();
}

/** scenes draws a call: what it begins with and what two programs make of it. */
function scenes(x: Scene): HTMLElement {
  return h("div", { class: "scenes" }, ...x.pictures.map((p) => h("figure", { tabindex: "0" }, h("figcaption", {}, p.title), element(p.svg))));
}

/** apart asks which of two repairs is right. */
function apart(x: Scene, command: (line: string) => void): HTMLElement {
  const [a, b] = x.repairs;
  return h("section", { class: "repair apart", "aria-label": "which is right?" },
    h("h2", {}, `Repairs ${a} and ${b} do not do the same`, button("enlarge", { class: "small", "aria-label": "enlarge the pictures" }, () => wide(scenes(x)))),
    scenes(x),
    h("p", {}, "Which is right? ", button(`repair ${a}`, { class: "small" }, () => command(`choose ${a}`)), " ", button(`repair ${b}`, { class: "small" }, () => command(`choose ${b}`))));
}

function repair(r: Repair, i: number, command: (line: string) => void): HTMLElement {
  const out = h("section", { class: "repair" + (r.inForce ? " force" : ""), "aria-label": `repair ${i + 1}` },
    h("h2", {}, i < 0 ? "In use" : `Repair ${i + 1}`, r.inForce && i >= 0 ? h("span", { class: "tag" }, "in use") : null,
      i >= 0 && !r.inForce ? button("use this", { class: "small" }, () => command(`choose ${i + 1}`)) : null,
      r.rows.length > 0 ? button("enlarge", { class: "small" }, () => enlarge(r)) : null),
    r.error ? h("p", { class: "error" }, r.error) : diff(r.rows));
  if (r.evidence) out.append(h("p", { class: "evidence" }, r.evidence));
  if (r.scene) out.append(h("details", { open: r.inForce ? "" : undefined }, h("summary", {}, "before and after, drawn"), scenes(r.scene)));
  for (const x of r.examples) {
    out.append(h("dl", { class: "example" }, h("dt", {}, "on"), h("dd", {}, x.input), h("dt", {}, "as written"), h("dd", {}, x.before), h("dt", {}, "repaired"), h("dd", {}, x.after)));
  }
  return out;
}

/** repairs shows what the last search found, best first, and what is in use. */
export function repairs(v: View, command: (line: string) => void): HTMLElement {
  const out = h("div", { class: "repairs" });
  if (v.patch && !v.repairs.some((r) => r.inForce)) out.append(repair(v.patch, -1, command));
  v.repairs.forEach((r, i) => {
    out.append(repair(r, i, command));
    if (i === 0 && v.apart) out.append(apart(v.apart, command));
  });
  if (!out.hasChildNodes()) out.append(h("p", { class: "none" }, ...keyed("No repairs yet. Correct the picture, assert it (a), then repair (r).")));
  return out;
}

const some = (what: string, names: string[]) => names.length > 0 ? `${what}: ${names.slice(0, 5).join(", ")}${names.length > 5 ? " …" : ""}` : "";

/** left is what the picture has no boxes for: how many nodes are folded, which nothing leads to, which hold nobody knows what. */
export function left(p: Picture | null): string {
  return p ? [some("unreachable", p.unreachable), folded(p)].filter(Boolean).join("; ") : "";
}

/** folded is the same without what nothing leads to. */
export function folded(p: Picture): string {
  return [p.rest ?? "", some("not drawn", p.untyped ?? [])].filter(Boolean).join("; ");
}

/** mostLost is how many lost nodes are named. */
const mostLost = 12;

/** lost names the nodes that nothing leads to, what was lost since the picture before first; a click shows one that is drawn. */
export function lost(p: Picture | null, before: Picture | null, show: (name: string) => void): HTMLElement[] {
  const was = new Set((before?.lost ?? []).map((l) => l.name)), drawn = new Set((p?.nodes ?? []).map((b) => b.name));
  const all = [...(p?.lost ?? [])].sort((a, b) => Number(was.has(a.name)) - Number(was.has(b.name)));
  if (all.length === 0) return [];
  const rest = all.slice(mostLost).length + (p?.behind ?? 0);
  return [h("span", {}, "unreachable:"), ...all.slice(0, mostLost).map((l) => {
    const text = `${l.name} (${l.text})`, cls = `small${was.has(l.name) ? "" : " fresh"}`;
    return drawn.has(l.name) ? button(text, { class: cls, title: "show it" }, () => show(l.name)) : h("span", { class: cls }, text);
  }), ...(rest > 0 ? [h("span", {}, `and ${rest} more`)] : [])];
}

/** says is the place and what changed, as a screen reader tells it. */
export function says(v: View): string {
  const parts: string[] = [];
  if (v.message) parts.push(v.message);
  else if (v.state === "waiting") parts.push("the program waits for input");
  else if (v.state === "interrupted") parts.push("interrupted");
  if (v.place && v.state !== "ended") parts.push(`line ${v.place.line}: ${v.place.kind === "end" ? `end of ${v.place.function}` : v.place.text}` + (v.place.says === undefined ? "" : `, which is ${v.place.says}`));
  const all = [...(v.picture?.vars ?? []), ...(v.picture?.nodes ?? [])].flatMap((b) => b.cells);
  const changed = all.filter((c) => c.changed);
  for (const c of changed.slice(0, 4)) parts.push(`${c.key} is now ${c.value}`);
  if (changed.length > 4) parts.push(`${changed.length - 4} more changed`);
  return parts.join("; ");
}
