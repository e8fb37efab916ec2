// The program's screen: what it draws, and the keys that go to it.

import { byId, h } from "./dom";
import type { View } from "./types";

/** names are keys as the command keys has them. */
const names: Record<string, string> = {
  Enter: "Enter", Escape: "Esc", Tab: "Tab", Backspace: "BS", Delete: "Del", Insert: "Insert", Home: "Home", End: "End",
  ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right", PageUp: "PageUp", PageDown: "PageDown", " ": "Space",
};

/** named is a key of the keyboard as the command keys has it; empty for one that a terminal does not send. */
export function named(e: { key: string; ctrlKey: boolean; altKey: boolean; shiftKey: boolean }): string {
  const c = [...e.key].length === 1, name = names[e.key] ?? (/^F([1-9]|1[0-2])$/.test(e.key) ? e.key : "");
  if (!c && !name) return "";
  const mods = (e.ctrlKey ? "C-" : "") + (e.altKey ? "M-" : "") + (e.shiftKey && !c ? "S-" : "");
  if (mods) return `<${mods}${name || (e.ctrlKey ? e.key.toLowerCase() : e.key)}>`;
  return name ? `<${name}>` : written(e.key);
}

/** written is text as the command keys has it, on one line and with nothing in it that a command line reads otherwise. */
export function written(text: string): string {
  return [...text.replace(/\r\n?/g, "\n")].map((c) => c === "\n" ? "<Enter>" : c === " " ? "<Space>" : /[\p{L}\p{N}.,:!?()[\]{}=+*/_@$%&|~]/u.test(c) ? c : `<Char-${c.codePointAt(0)}>`).join("");
}

/** Terminal shows the screen and sends keys: those that are typed while a command is under way go with the next one. */
export class Terminal {
  private readonly screen = byId("screen");
  private typed = "";
  private under = false;
  private was = ""; // the state of the program before

  constructor(private readonly send: (line: string) => Promise<unknown>) {
    this.screen.addEventListener("keydown", (e) => {
      if (e.key === "Tab" && e.shiftKey || e.metaKey || e.isComposing) return; // the way out
      e.stopPropagation();
      const k = named(e);
      if (k === "" || e.ctrlKey && e.key === "v") return;
      e.preventDefault();
      this.type(k);
    });
    this.screen.addEventListener("paste", (e) => { e.preventDefault(); this.type(written(e.clipboardData?.getData("text") ?? "")); });
    byId("size").addEventListener("submit", (e) => { e.preventDefault(); void this.send(`screen ${byId<HTMLInputElement>("rowscols").value.trim()}`); });
  }

  focus(): void { if (!byId("terminal").hidden) this.screen.focus(); }

  private type(keys: string): void {
    this.typed += keys;
    if (this.under || this.typed === "") return;
    const line = `keys ${this.typed}`;
    this.typed = "";
    this.under = true;
    void this.send(line).finally(() => { this.under = false; this.type(""); });
  }

  /** show draws the screen; free is whether nothing is typed elsewhere, so that keys may go to a program that waits. */
  show(v: View, free: boolean): void {
    const s = v.screen, was = this.was;
    byId("terminal").hidden = !s;
    this.was = v.state;
    if (!s) return;
    const rows = s.lines.map((runs) => h("div", {}, ...runs.map((r) =>
      h("span", { class: [r.bold && "b", r.under && "u", r.reverse && "r", r.cursor && "cursor"].filter(Boolean).join(" ") || undefined }, r.text)), runs.length === 0 && " "));
    this.screen.replaceChildren(...rows);
    const size = byId<HTMLInputElement>("rowscols");
    if (document.activeElement !== size) size.value = `${s.rows}x${s.columns}`;
    byId("keysto").textContent = (v.state === "waiting" ? "Keys go to the program while its screen is marked, also Escape and Tab" : "The program does not wait: keys that are typed here are read when it goes on")
      + "; Shift+Tab leaves." + (s.ignored ? ` Control sequences not understood: ${s.ignored}.` : "");
    if (v.state === "waiting" && s.raw && free && document.activeElement !== this.screen) this.screen.focus();
    if (was === "waiting" && v.state !== "waiting" && document.activeElement === this.screen) this.screen.blur(); // keys are commands again
  }
}
