// The field in which an entity's value is typed or chosen.

import { h } from "./dom";
import type { HeapView } from "./heap";
import type { Cell } from "./types";

export class Chooser {
  private readonly box: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly list: HTMLElement;
  private key = "";
  private all: string[] = [];
  private at = -1;

  constructor(root: HTMLElement, private readonly view: HeapView) {
    this.input = h("input", { type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "choices", autocomplete: "off", spellcheck: "false", "aria-label": "value" }) as HTMLInputElement;
    this.list = h("ul", { id: "choices", role: "listbox", "aria-label": "values that fit" });
    this.box = h("div", { class: "chooser", hidden: "" }, this.input, this.list);
    root.append(this.box);
    this.input.addEventListener("input", () => { this.at = -1; this.fill(); });
    this.input.addEventListener("keydown", (e) => this.keyed(e));
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      const v = (e.target as HTMLElement).dataset.value;
      if (v) this.take(v);
    });
  }

  /** open asks for a cell's value at a place of the screen; choices are what it may point to. */
  open(c: Cell, choices: string[], x: number, y: number): void {
    this.key = c.key;
    this.all = choices;
    this.at = -1;
    this.box.hidden = false;
    const r = this.box.parentElement!.getBoundingClientRect();
    this.box.style.left = `${Math.max(4, Math.min(x - r.left, r.width - 190))}px`;
    this.box.style.top = `${Math.max(4, Math.min(y - r.top, r.height - 60))}px`;
    this.input.setAttribute("aria-label", `${c.key} should be`);
    this.input.value = choices.length > 0 ? "" : c.kind === "unknown" ? "" : c.value;
    this.input.placeholder = choices.length > 0 ? `${c.key}: node, null or new` : c.type;
    this.fill();
    this.input.focus();
    this.input.select();
  }

  close(): void {
    if (this.box.hidden) return;
    this.box.hidden = true;
    this.view.aim(null, "");
  }

  private shown(): string[] {
    const t = this.input.value.trim();
    return this.all.filter((v) => v.startsWith(t)).slice(0, 200);
  }

  private fill(): void {
    const list = this.shown();
    this.list.replaceChildren(...list.map((v, i) => h("li", { role: "option", id: `choice${i}`, "data-value": v, "aria-selected": String(i === this.at) }, v)));
    this.list.hidden = list.length === 0;
    if (this.at >= 0) {
      this.input.setAttribute("aria-activedescendant", `choice${this.at}`);
      this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
    } else {
      this.input.removeAttribute("aria-activedescendant");
    }
    if (this.all.length > 0) this.view.aim(new Set(this.all), list[this.at] ?? this.input.value.trim());
  }

  private keyed(e: KeyboardEvent): void {
    e.stopPropagation();
    const n = this.shown().length;
    switch (e.key) {
      case "ArrowDown": case "ArrowUp":
        if (n > 0) this.at = (this.at + (e.key === "ArrowDown" ? 1 : this.at < 0 ? 0 : -1) + n) % n;
        this.fill();
        break;
      case "Enter": {
        const list = this.shown();
        const v = this.at >= 0 ? list[this.at] : list.length === 1 && !this.all.includes(this.input.value.trim()) ? list[0] : this.input.value.trim();
        if (v) this.take(v);
        break;
      }
      case "Escape":
        this.close();
        this.view.focus(this.key);
        break;
      default: return;
    }
    e.preventDefault();
  }

  private take(v: string): void {
    this.close();
    this.view.focus(this.key);
    this.view.host.command(`change ${this.key} ${v}`);
  }
}
