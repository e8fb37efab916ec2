// The time line of the run: every state that the session has come through, to be looked at again.

import * as api from "./api";
import { byId, h } from "./dom";
import type { Moment, View } from "./types";

export interface Back {
  past(m: Moment, v: View): void; // an earlier state is to be shown
  now(): void;                    // the present one, again
  command(line: string): void;
  say(text: string): void;
}

/** what a state is called. */
const told = (m: Moment) => m.line ? `${m.function}, line ${m.line}` : m.state === "ready" ? "before the start" : m.state;

/** TimeLine is the slider with a mark for every state, and the line that says that the user looks back. */
export class TimeLine {
  private list: Moment[] = [];
  private at = -1; // the state that is looked back at; negative for none
  private places: number[] = []; // where they are on the slider: those inside a command stand closer
  private readonly kept = new Map<number, View>(); // of this list
  private readonly slider = byId<HTMLInputElement>("moment");

  constructor(private readonly host: Back) {
    this.slider.addEventListener("input", () => this.slid(Number(this.slider.value)));
    this.slider.addEventListener("keydown", (e) => {
      const d = e.key === "ArrowLeft" || e.key === "ArrowDown" ? -1 : e.key === "ArrowRight" || e.key === "ArrowUp" ? 1 : 0;
      if (d !== 0) { e.preventDefault(); this.step(d); }
    });
    byId("earlier").addEventListener("click", () => this.step(-1));
    byId("later").addEventListener("click", () => this.step(1));
    byId("tonow").addEventListener("click", () => this.leave());
    byId("tohere").addEventListener("click", () => this.goBack());
  }

  /** back reports whether an earlier state is shown. */
  get back(): boolean { return this.at >= 0; }

  /** show takes the states as they are after a command; whoever looked back is in the present again. */
  show(list: Moment[]): void {
    this.list = list;
    this.at = -1;
    this.kept.clear(); // nodes may stand elsewhere
    byId("trail").hidden = list.length < 2;
    let place = 0;
    this.places = list.map((m, i) => i === 0 ? 0 : place += m.inside ? 1 : 4);
    this.slider.max = String(place);
    byId("ticks").replaceChildren(...list.map((m, i) => {
      const e = h("span", { class: `tick ${m.inside ? "inside" : m.gap ? "gap" : ""} ${m.kind ?? ""}`.replace(/ +/g, " ").trim() });
      e.style.left = `${list.length < 2 ? 0 : this.places[i]! / place * 100}%`;
      return e;
    }));
    this.mark();
    const m = this.list.find((x) => x.id === this.aim);
    if (m && m.undo > 0) this.host.command(Array<string>(m.undo).fill("undo").join("; ")); // after a crash the first undo leads to before it
    this.aim = 0;
  }

  private aim = 0; // the state that undo is to lead to

  private mark(): void {
    const i = this.at < 0 ? this.list.length - 1 : this.at, m = this.list[i];
    this.slider.value = String(this.places[i] ?? 0);
    const text = m ? `${i + 1} of ${this.list.length}: ${told(m)}` : "";
    this.slider.setAttribute("aria-valuetext", text + (m ? `, after ${m.command}` : ""));
    byId("step").textContent = text;
    byId<HTMLButtonElement>("earlier").disabled = i <= 0;
    byId<HTMLButtonElement>("later").disabled = i >= this.list.length - 1;
    byId("lookback").hidden = this.at < 0;
    document.body.classList.toggle("past", this.at >= 0);
    if (this.at < 0 || !m) return;
    const command = m.command.slice(0, 40), next = this.list[i + 1];
    byId("lookedat").textContent = `Looking back at state ${i + 1} of ${this.list.length} (${m.inside ? `inside ${command}: ${m.inside}${m.of ? ` of ${m.of}` : ""} statements executed` : `after ${command}`}). Nothing can be changed here.`
      + (next?.gap && !next.inside ? ` What ${next.command.slice(0, 40)} ran next is not ${m.inside ? "all " : ""}on the time line.` : "");
    byId<HTMLButtonElement>("tohere").disabled = m.undo < 1;
    byId("tohere").title = m.inside ? "inside a command, where undo does not lead; a breakpoint does" : m.undo < 1 ? "too long ago: undo does not lead there any more" : `take back the last ${m.undo === 1 ? "command" : `${m.undo} commands`} (undo)`;
  }

  step(d: number): void {
    const i = (this.at < 0 ? this.list.length - 1 : this.at) + d;
    if (i >= 0 && i < this.list.length) this.to(i);
  }

  /** slid goes to the state that is nearest on the slider. */
  private slid(value: number): void {
    let i = 0;
    this.places.forEach((p, k) => { if (Math.abs(p - value) <= Math.abs(this.places[i]! - value)) i = k; });
    if (i === (this.at < 0 ? this.list.length - 1 : this.at)) this.mark();
    else this.to(i);
  }

  /** leave returns to the present. */
  leave(): void {
    if (this.at < 0) return;
    this.at = -1;
    this.mark();
    this.host.now();
  }

  private to(i: number): void {
    if (i >= this.list.length - 1) { this.leave(); return; }
    this.at = i;
    this.mark();
    const m = this.list[i]!, v = this.kept.get(m.id), list = this.list;
    if (v) { this.host.past(m, v); return; }
    api.moment(m.id).then((x) => {
      if (list !== this.list) return;
      this.kept.set(m.id, x);
      if (this.list[this.at]?.id === m.id) this.host.past(m, x);
    }, (e: Error) => { this.host.say(e.message); this.leave(); });
  }

  private goBack(): void {
    const m = this.list[this.at];
    if (!m || m.undo < 1) return;
    this.aim = m.id;
    this.leave();
    this.host.command(Array<string>(m.undo).fill("undo").join("; "));
  }
}
