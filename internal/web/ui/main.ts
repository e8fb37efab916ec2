// The page: puts the parts together and keeps them as the server says.

import * as api from "./api";
import { button, byId, h, typing } from "./dom";
import { Compare } from "./compare";
import { Guide } from "./guide";
import { HeapView } from "./heap";
import { checkpoints, entry, folded, lost, repairs, says } from "./panels";
import { SourceView } from "./source";
import { split } from "./split";
import { Terminal } from "./terminal";
import { TimeLine } from "./timeline";
import type { Marked, Moment, Place, State, View } from "./types";

interface Action { line: string; label: string; key: string; title: string; when: (v: View) => boolean }

const going = (v: View) => v.state === "stopped" || v.state === "interrupted" || v.state === "timeout";
const atCondition = (v: View) => going(v) && (v.place?.kind === "condition" || v.place?.kind === "loop");

/** groups are the buttons as they stand together. */
const groups: { name: string; actions: Action[] }[] = [
  { name: "run", actions: [
    { line: "next", label: "Next", key: "n", title: "execute the next statement", when: going },
    { line: "step", label: "Step into", key: "s", title: "execute the next statement, stopping inside functions it calls", when: going },
    { line: "finish", label: "Step out", key: "o", title: "run until the function returns", when: going },
    { line: "continue", label: "Continue", key: "c", title: "run to the next breakpoint", when: going },
  ] },
  { name: "force a condition", actions: [
    { line: "enter", label: "As if true", key: "e", title: "go into the loop or branch, whatever its condition says", when: atCondition },
    { line: "leave", label: "As if false", key: "l", title: "leave the loop or skip the branch, whatever its condition says", when: atCondition },
  ] },
  { name: "back", actions: [
    { line: "undo", label: "Back", key: "u", title: "take the last command back", when: (v) => v.undo.length > 0 },
  ] },
  { name: "correct", actions: [
    { line: "locate", label: "Suspects", key: "i", title: "rank the suspicious statements", when: (v) => v.asserted > 0 },
    { line: "spec", label: "Assert", key: "a", title: "assert that the picture shown is right", when: going },
    { line: "repair", label: "Repair", key: "r", title: "find the smallest patch that meets every assertion", when: (v) => v.asserted > 0 },
  ] },
  { name: "start", actions: [
    { line: "start", label: "Start", key: "S", title: "run the program from its start", when: () => true },
  ] },
];
const actions = groups.flatMap((g) => g.actions);

/** mostWaiting is how many commands may wait: more were pressed by mistake. */
const mostWaiting = 8;

class Page {
  private state: State | null = null;
  private connected = false;
  private readonly heap: HeapView;
  private readonly source: SourceView;
  private readonly guide: Guide;
  private readonly terminal: Terminal;
  private readonly timeline: TimeLine;
  private readonly compare = new Compare(() => { if (matchMedia("(max-width: 1499px)").matches) this.tab(""); });
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly typed: string[] = []; // command lines, the last one last
  private typedAt = 0;

  constructor() {
    this.heap = new HeapView(byId("canvas"), { command: (l) => this.gesture(l), open: (n) => this.open(n), announce: (t) => this.announce(t) });
    this.source = new SourceView(byId("files"), byId("source"), (l) => this.gesture(l));
    this.guide = new Guide(() => this.run("start"));
    this.terminal = new Terminal((l) => this.keys(l));
    this.timeline = new TimeLine({ past: (m, v) => this.past(m, v), now: () => this.now(), command: (l) => this.run(l), say: (t) => this.say(t) });
    split(document.querySelector("main")!);
    this.toolbar();
    this.commandLine();
    this.tabs();
    byId("rewrite").addEventListener("submit", (e) => { e.preventDefault(); this.run(`rewrite ${byId<HTMLInputElement>("file").value.trim()}`.trim()); });
    byId("input").addEventListener("submit", (e) => {
      e.preventDefault();
      const f = byId<HTMLInputElement>("text");
      this.run(`input ${f.value}`);
      f.value = "";
    });
    byId("text").addEventListener("keydown", (e) => { if (e.key === "Escape") byId("text").blur(); });
    byId("eof").addEventListener("click", () => this.run("input --end"));
    byId("cancel").addEventListener("click", () => this.stop());
    setInterval(() => { if (!byId<HTMLElement>("busy").hidden) this.clock(); }, 500);
    byId("search").addEventListener("submit", (e) => { e.preventDefault(); this.search(); });
    byId("fit").addEventListener("click", () => this.heap.fit(true));
    byId("tidy").addEventListener("click", () => this.run("tidy"));
    byId("zoomin").addEventListener("click", () => this.heap.zoomBy(1.25));
    byId("zoomout").addEventListener("click", () => this.heap.zoomBy(0.8));
    byId("help").addEventListener("click", () => byId<HTMLDialogElement>("keys").showModal());
    const single = byId<HTMLInputElement>("single");
    single.checked = localStorage.getItem("keys") !== "off";
    single.addEventListener("change", () => localStorage.setItem("keys", single.checked ? "on" : "off"));
    document.addEventListener("keydown", (e) => this.key(e));
    this.codeSize(0);
    byId("smaller").addEventListener("click", () => this.codeSize(-1));
    byId("larger").addEventListener("click", () => this.codeSize(1));
    void api.source().then((f) => this.source.load(f), (e: Error) => this.say(e.message));
    api.listen({
      hello: (s) => { this.connected = true; this.stranger = false; this.lost = s.lost ?? []; byId("log").replaceChildren(); this.remember(s); this.receive(s); },
      state: (s) => this.receive(s),
      busy: (line) => this.busy(line, ""),
      news: (text) => {
        if (this.state) { this.state.news = text; this.state.view.searching = false; this.guide.show(this.state.view); }
        this.notes();
        this.announce(text);
      },
      progress: (text) => this.busy(this.state?.busy ?? "", text),
      lost: () => { this.connected = false; this.status(); },
      refused: () => { this.stranger = true; this.status(); },
    });
  }

  /** note says what is more than a line: a crash, a server that is gone, a session that was cut off. */
  private note(text: string, ...answers: HTMLElement[]): void {
    const folder = this.state?.view.program.replace(/[^/]*$/, "");
    if (folder) text = text.replaceAll(folder, ""); // where the program is everybody knows
    if (byId("notes").textContent === text) return;
    byId("notes").textContent = text;
    byId("answer").replaceChildren(...answers);
    byId<HTMLElement>("answer").hidden = answers.length === 0;
    byId<HTMLElement>("note").hidden = text === "";
  }

  /** notes chooses what is to be said. */
  private notes(): void {
    const s = this.state, lost = this.lost;
    byId("note").className = s?.news ? "good" : "";
    if (!this.connected) {
      this.note(this.stranger
        ? "Another gulo answers at this address. Open the address that it has printed."
        : "gulo does not answer: it has ended, was killed, or is suspended. What is shown is its last state. Start gulo web again with the same files and open the address that it prints: it offers to play this session's commands again.");
    } else if (lost.length > 0) {
      this.note(`The last session of this program ended without quit, after ${lost.length} commands (the last one: ${lost.at(-1)!.slice(0, 60)}).`,
        button("play them again", {}, () => void this.replay(lost)), button("begin anew", {}, () => { this.lost = []; this.notes(); }));
    } else if (s?.news) {
      this.note(s.news, button("show it", { class: "primary", "data-news": "" }, () => this.run(/\blocate shows/.test(s.news ?? "") ? "locate" : "repair")));
    } else if (s?.view.state === "crashed") {
      this.note(s.view.message, ...origins(s.view, (p) => this.source.look(p.file, p.line)));
    } else if (s?.found?.[0] && !this.told) {
      this.found(s.found[0]);
    } else if (s?.view.freed) {
      this.note(`The next statement uses what was freed: ${s.view.freed.map((f) => f.text).join("; ")}`, ...origins(s.view, (p) => this.source.look(p.file, p.line)));
    } else {
      this.note("");
    }
  }

  /** replay executes command lines until one fails. */
  private async replay(lines: string[]): Promise<void> {
    this.lost = [];
    this.notes();
    for (const [i, line] of lines.entries()) {
      try {
        const e = await api.command(line.trim() === "repair" ? "repair --wait" : line); // what comes next is for its result
        if (e.error && !e.negative) { this.say(`command ${i + 1} of ${lines.length}, ${line}: ${e.error}`); return; }
      } catch (e) { this.say((e as Error).message); return; }
    }
    this.announce(`${lines.length} commands played again`);
  }

  /** found says over the picture which rule fired and where its pointer came from; the places lead to the source. */
  private found(m: Marked): void {
    const place = (c: Marked) => button(`${c.label}, line ${c.line}: ${c.text}`, { class: "small place" }, () => this.source.look(c.file, c.line));
    const chain = h("ol", { class: "chain", "aria-label": "where the pointer came from" }, ...m.chain.map((c) => h("li", {}, place(c))));
    this.note(`The rules find: ${m.label}. ${m.text}`, m.chain.length > 0 ? chain : h("span", {}), button("close", { class: "small" }, () => { this.told = true; this.notes(); }));
  }

  private told = false; // what was found was read
  private lost: string[] = []; // commands of a session that was cut off
  private stranger = false; // another gulo is where this page's was

  /** remember takes the command lines that were executed before the page was opened. */
  private remember(s: State): void {
    this.typed.splice(0, this.typed.length, ...s.past ?? [], ...s.log.map((e) => e.line));
    this.typedAt = this.typed.length;
  }

  private toolbar(): void {
    for (const g of groups) {
      const group = h("div", { class: "group", role: "group", "aria-label": g.name });
      for (const a of g.actions) {
        const b = button(a.label, { title: `${a.title} (${a.line}; key ${a.key})`, "data-line": a.line, "aria-keyshortcuts": a.key }, () => this.run(a.line));
        b.append(h("kbd", { "aria-hidden": "true" }, a.key));
        this.buttons.set(a.line, b);
        group.append(b);
      }
      byId("actions").append(group);
    }
    byId("keylist").append(...actions.map((a) => h("tr", {}, h("td", {}, h("kbd", {}, a.key)), h("td", {}, a.title), h("td", {}, h("code", {}, a.line)))));
  }

  /** codeSize makes the code larger or smaller; it stays so. */
  private codeSize(by: number): void {
    const px = Math.max(10, Math.min(24, (Number(localStorage.getItem("code")) || 13) + by));
    if (by !== 0) localStorage.setItem("code", String(px));
    byId("source").style.setProperty("--code", `${px}px`);
  }

  private commandLine(): void {
    const f = byId<HTMLInputElement>("line");
    byId("command").addEventListener("submit", (e) => {
      e.preventDefault();
      const line = f.value.trim() || (this.typed.at(-1) ?? "");
      f.value = "";
      if (line) this.run(line);
    });
    f.addEventListener("keydown", (e) => {
      if (e.key === "ArrowUp" || e.key === "ArrowDown") {
        e.preventDefault();
        this.typedAt = Math.max(0, Math.min(this.typed.length, this.typedAt + (e.key === "ArrowUp" ? -1 : 1)));
        f.value = this.typed[this.typedAt] ?? "";
      } else if (e.key === "Tab" && f.value && !e.shiftKey) {
        e.preventDefault();
        void api.complete(f.value).then((w) => {
          if (w.length === 1) f.value = w[0]! + " ";
          else if (w.length > 1) { f.value = common(w); this.announce(w.slice(0, 20).join(", ")); byId("hints").textContent = w.slice(0, 20).map((x) => x.slice(x.lastIndexOf(" ") + 1)).join("  "); }
        }, () => undefined);
      } else if (e.key === "Escape") f.blur();
    });
    f.addEventListener("input", () => { byId("hints").textContent = ""; });
  }

  private tabs(): void {
    const all = [...document.querySelectorAll<HTMLElement>("#tabs [role=tab]")];
    byId("closeside").addEventListener("click", () => this.tab(""));
    for (const [i, t] of all.entries()) {
      t.addEventListener("click", () => this.tab(t.dataset.panel!));
      t.addEventListener("keydown", (e) => {
        const d = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
        if (d === 0) return;
        const next = all[(i + d + all.length) % all.length]!;
        this.tab(next.dataset.panel!);
        next.focus();
        e.stopPropagation();
      });
    }
  }

  /** tab opens a panel; none closes them. */
  private tab(panel: string): void {
    const was = document.querySelector<HTMLElement>("#tabs [aria-selected=true]");
    for (const [i, t] of [...document.querySelectorAll<HTMLElement>("#tabs [role=tab]")].entries()) {
      const on = t.dataset.panel === panel;
      t.setAttribute("aria-selected", String(on));
      t.tabIndex = on || panel === "" && i === 0 ? 0 : -1;
      byId(t.dataset.panel!).hidden = !on;
    }
    byId("side").hidden = panel === "";
    if (panel === "") was?.focus();
    else if (panel === "output") byId("t-output").classList.remove("news");
  }

  /** counts says in the tabs how much is behind them, and marks output that nobody has seen. */
  private counts(v: View): void {
    const set = (panel: string, name: string, n: number) => { byId(`t-${panel}`).textContent = n > 0 ? `${name} ${n}` : name; };
    set("history", "History", byId("log").childElementCount);
    set("checkpoints", "Asserted", v.checkpoints.length);
    set("repairs", "Repairs", v.repairs.length || (v.patch ? 1 : 0));
    if (v.output !== "" && v.output !== this.wrote && byId("output").hidden) byId("t-output").classList.add("news");
    this.wrote = v.output;
  }

  private wrote = ""; // what the program had written at the last state

  /** gesture runs a command that was made on the picture shown. */
  private gesture(line: string): void { this.run(line, this.state?.seq); }

  /** run sends a command line. What is pressed while another is under way waits for it; a gesture
   * was made on the picture shown, and goes at once: the server refuses it when that is another. */
  private run(line: string, seq?: number): void {
    if (this.typed.at(-1) !== line) this.typed.push(line);
    this.typedAt = this.typed.length;
    if (seq === undefined && this.under !== "") {
      const last = this.waiting.at(-1) ?? this.under;
      if (this.waiting.length < mostWaiting && !(last === line && /^(locate|repair)$/.test(line))) this.waiting.push(line);
      return;
    }
    if (restarts(line) && this.state && loses(this.state.view) !== "") { this.sure(line); return; }
    this.send(line, seq);
  }

  /** sure asks before a command leaves out what the user has asserted. */
  private sure(line: string): void {
    this.waiting.length = 0;
    byId("lost").textContent = loses(this.state!.view);
    const d = byId<HTMLDialogElement>("again");
    d.returnValue = "";
    d.onclose = () => { if (d.returnValue === "yes") this.send(line); };
    d.showModal();
  }

  /** keys sends keys, or the size of the screen, once what is under way has come back. */
  private async keys(line: string): Promise<void> {
    try {
      while (this.under !== "" || this.state?.busy) await new Promise((r) => setTimeout(r, 20));
      const e = await api.command(line);
      if (e.error) this.say(e.error);
    } catch (e) { this.say((e as Error).message); }
  }

  private send(line: string, seq?: number): void {
    if (thin() && /^(next|step|finish|continue|until|enter|leave|start|undo)\b/.test(line)) this.tab(""); // a panel stands where the source does
    if (seq === undefined) this.under = line;
    api.command(line, seq).then((e) => {
      if (e.error) { this.waiting.length = 0; this.say(e.error); }
      else if (/^(repair|patches|choose|unpatch|diff)\b/.test(line)) this.tab("repairs");
      else if (/^(resume|checkpoints|compare)\b/.test(line)) this.tab("checkpoints");
      else if (/^(print|p|where|bt|list|locate|rules|keep|hint|compare|help|track|lock)\b/.test(line)) this.openLast();
    }, (e: Error) => { this.waiting.length = 0; this.say(e.message); }).finally(() => {
      if (seq !== undefined) return;
      this.under = "";
      const next = this.waiting.shift();
      if (next !== undefined) this.run(next);
    });
  }

  private under = ""; // the command line that was sent last and has not come back
  private readonly waiting: string[] = []; // those behind it

  /** openLast shows the answer of the last command. */
  private openLast(): void {
    this.tab("history");
    const d = byId("log").lastElementChild?.querySelector("details");
    if (d) d.open = true;
    byId("history").scrollTop = byId("history").scrollHeight;
  }

  private receive(s: State): void {
    const was = this.state?.view.state;
    if (was === "waiting" && s.view.undo.length > this.state!.view.undo.length) this.answered = this.state!.view.output;
    this.state = s;
    const v = s.view;
    if (s.news) v.searching = false;
    if (s.busy || s.log.length > 0) this.lost = [];
    for (const e of s.log) byId("log").append(entry(e));
    if (s.log.length > 0) byId("history").scrollTop = byId("history").scrollHeight;
    // What takes room comes first: the picture and the text are fitted into what is left.
    this.guide.show(v);
    byId("stack").hidden = v.frames.length === 0;
    byId("frames").replaceChildren(...v.frames.map((f) => h("li", {}, h("code", {}, f.function), f.place ? ` line ${f.place.line}` : "")));
    this.terminal.show(v, was !== undefined && !typing());
    this.reads(v);
    this.status();
    const p = v.picture, gone = lost(p, this.heap.picture, (name) => this.heap.reveal(name));
    byId("lostnodes").replaceChildren(...gone);
    byId("lostnodes").hidden = gone.length === 0;
    this.heap.fixed = false;
    this.heap.show(p);
    this.source.show(v, s.found?.[0]?.chain ?? []);
    this.timeline.show(s.trail);
    this.compare.show(v);
    byId("checkpoints").replaceChildren(checkpoints(v.checkpoints, (l) => this.run(l)));
    byId("repairs").replaceChildren(repairs(v, (l) => this.run(l)));
    byId("stdout").textContent = v.screen ? "what the program writes stands on its screen" : v.output;
    if (v.state === "waiting" && v.output.includes("\n") && !v.screen || v.state === "ended" && was !== undefined && was !== "ended" && v.output !== "" && !v.screen) this.tab("output");
    this.counts(v);
    byId("rewrite").hidden = v.patch === null;
    if (v.state === "waiting" && was !== "waiting" && was !== undefined && !v.screen?.raw && !typing()) byId("text").focus();
    byId("rest").textContent = p ? folded(p) : "";
    byId<HTMLElement>("more").hidden = !p || p.folded === 0;
    this.enable();
    const start = this.buttons.get("start")!;
    start.classList.toggle("primary", v.state === "ready");
    this.buttons.get("spec")!.classList.toggle("primary", going(v));
    this.buttons.get("repair")!.classList.toggle("primary", v.asserted > 0);
    start.firstChild!.textContent = v.state === "ready" ? "Start" : "Restart";
    this.busy(s.busy, "", s.ms);
    document.body.dataset.seq = String(s.seq);
    if (performance.getEntriesByName("drawn").length === 0) requestAnimationFrame(() => performance.mark("drawn"));
    this.announce(s.log.length === 1 && s.log[0]!.error ? s.log[0]!.error : says(v));
  }

  /** enable says which buttons can be pressed. */
  private enable(): void {
    const s = this.state!;
    for (const a of actions) this.buttons.get(a.line)!.disabled = !a.when(s.view) || s.over !== "" || this.timeline.back;
  }

  /** past shows an earlier state, which cannot be changed. */
  private past(m: Moment, v: View): void {
    const now = this.state!.view;
    this.heap.fixed = true;
    this.heap.show(v.picture);
    const { freed: _, ...rest } = now, place = v.place;
    byId("status").textContent = place ? `${place.function}, line ${place.line}` : v.state;
    byId("status").className = "";
    this.source.show({ ...rest, place: v.place, state: v.state, suspects: [], patch: null });
    this.enable();
    this.announce(`looking back, after ${m.command}: ${says({ ...v, message: v.message ?? "" })}`);
  }

  /** now shows the present state again. */
  private now(): void {
    const s = this.state!;
    this.heap.fixed = false;
    this.heap.show(s.view.picture);
    this.source.show(s.view, s.found?.[0]?.chain ?? []);
    this.enable();
    this.status();
    this.announce(says(s.view));
  }

  private answered = ""; // what the program had written when it was given the last input

  /** reads offers the field for input below the picture while the program waits for some. */
  private reads(v: View): void {
    const waits = v.state === "waiting" && !v.screen?.raw, form = byId("input"), home = byId(waits ? "waits" : "output");
    if (!v.output.startsWith(this.answered)) this.answered = ""; // it was taken back, or much was written since
    const from = v.output.lastIndexOf("\n") + 1, asked = v.output.slice(Math.max(this.answered.length, from)).trim() || v.output.slice(from).trim();
    byId<HTMLElement>("waits").hidden = !waits;
    byId("reads").textContent = "The program waits for input" + (v.place ? ` in line ${v.place.line}:` : ":");
    byId("prompt").textContent = waits && !v.screen && asked || "input";
    if (form.parentElement !== home) home.append(form);
    form.hidden = v.state === "ended" || v.state === "crashed" || v.state === "ready";
  }

  /** busy says what is being executed, for how many seconds, and what it is at. */
  private busy(line: string, progress: string, ms = 0): void {
    if (this.state) this.state.busy = line;
    const b = byId<HTMLElement>("busy"), stop = byId<HTMLButtonElement>("cancel");
    if (b.hidden) { this.since = performance.now() - ms; stop.disabled = false; stop.textContent = "Stop"; }
    b.hidden = line === "";
    this.doing = progress ? `${line}: ${progress}` : line;
    this.clock();
  }

  private since = 0; // when what is being executed began
  private doing = "";

  private clock(): void {
    const s = Math.floor((performance.now() - this.since) / 1000);
    byId("doing").textContent = this.doing + (s > 0 ? `, ${s} s` : "");
  }

  private stop(): void {
    this.waiting.length = 0;
    const b = byId<HTMLButtonElement>("cancel");
    b.disabled = true;
    b.textContent = "stopping";
    void api.cancel().catch((e: Error) => this.say(e.message));
  }

  private status(): void {
    const s = this.state;
    const v = s?.view;
    byId("program").textContent = v?.program.replace(/^.*\//, "") ?? "";
    byId("program").title = v?.program ?? "";
    const text = !this.connected ? "no connection to gulo" : s?.over ? s.over : !v ? "" :
      v.state === "ready" ? "not running: Start begins" : v.state === "crashed" ? `crashed${v.place ? ` in ${v.place.function}, line ${v.place.line}` : ""}` : v.message ? v.message.replace(/^the program /, "") :
      v.state === "waiting" ? `waits for input${v.place ? `, line ${v.place.line}` : ""}` : v.place ? `${v.place.function}, line ${v.place.line}` : v.state;
    const e = byId("status");
    e.textContent = e.title = text;
    this.notes();
    e.className = !this.connected || s?.over || v?.state === "crashed" ? "bad" : "";
  }

  private say(text: string): void {
    const e = byId<HTMLElement>("toast");
    e.textContent = text;
    e.hidden = false;
    this.announce(text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { e.hidden = true; }, 8000);
    e.onclick = () => { e.hidden = true; };
  }

  private timer = 0;

  private announce(text: string): void { byId("live").textContent = text; }

  /** search focuses a node or variable; one that is folded is asked for. */
  private search(): void {
    const f = byId<HTMLInputElement>("find");
    const name = f.value.trim();
    if (this.heap.reveal(name)) return;
    if (!/^n?\d+$/.test(name)) { this.say(`no node or variable ${name} in the picture`); return; }
    this.open("n" + name.replace(/^n/, ""));
  }

  /** open asks for a node that is folded, with what is near it. */
  open(node: string): void {
    if (this.heap.reveal(node)) return;
    void api.look(this.state?.look.nodes ?? 0, Number(node.slice(1))).then(() => {
      setTimeout(() => { if (!this.heap.reveal(node)) this.say(`no node ${node}`); }, 50);
    }, (e: Error) => this.say(e.message));
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.altKey || e.metaKey || typing() || document.querySelector("dialog[open]")) return;
    if (!byId<HTMLInputElement>("single").checked && e.key !== "?") return;
    const a = actions.find((x) => x.key === e.key);
    if (a) {
      if (!this.buttons.get(a.line)!.disabled) this.run(a.line);
      else this.announce(`${a.line} is not possible now`);
      e.preventDefault();
      return;
    }
    const more: Record<string, () => void> = {
      ":": () => byId("line").focus(), "/": () => byId("find").focus(), "?": () => byId<HTMLDialogElement>("keys").showModal(),
      "w": () => { if (byId("rewrite").hidden) this.announce("there is no repaired source to save yet"); else byId("file").focus(); }, "b": () => this.source.focus(), "m": () => this.heap.svg.querySelector<SVGElement>("[tabindex='0']")?.focus(),
      "+": () => this.heap.zoomBy(1.25), "-": () => this.heap.zoomBy(0.8), "0": () => this.heap.fit(true),
      "[": () => this.timeline.step(-1), "]": () => this.timeline.step(1), "Escape": () => this.timeline.leave(),
      ".": () => byId("cancel").click(), "t": () => this.terminal.focus(),
    };
    const f = more[e.key];
    if (f) { e.preventDefault(); f(); }
  }
}

/** thin reports whether the page is as narrow as a phone. */
const thin = () => matchMedia("(max-width: 640px)").matches;

/** restarts reports whether a command line begins the run anew; with other arguments what is asserted stays. */
const restarts = (line: string) => line.split(";").some((c) => /^\s*(start|run|r)\s*$/.test(c));

/** loses says what a run from the start throws away; empty for nothing. */
function loses(v: View): string {
  const n = v.asserted;
  const drawn = v.undo.some((l) => l.startsWith("change"));
  return n === 0 ? drawn ? "The corrected picture is not asserted, and is lost in the new run." : "" : n === 1 ? "The asserted state does not count in the new run; Back (u) makes it count again." : `The ${n} asserted states do not count in the new run; Back (u) makes them count again.`;
}

/** origins are buttons that lead to where freed blocks are used, were allocated and freed. */
function origins(v: View, go: (p: Place) => void): HTMLElement[] {
  return (v.freed ?? []).flatMap((f) => ([[f.again ? "freed again" : "used", v.place], ["allocated", f.made], ["freed", f.freed]] as const).flatMap(([what, p]) =>
    p ? [button(`${f.node} ${what}, line ${p.line}`, { class: "small place", title: p.text }, () => go(p))] : []));
}

function common(words: string[]): string {
  let p = words[0] ?? "";
  for (const w of words) while (!w.startsWith(p)) p = p.slice(0, -1);
  return p;
}

new Page();
