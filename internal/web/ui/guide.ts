// What to do next, for those who use the page for the first time; who knows it hides the line.

import { button, byId, keyed } from "./dom";
import type { View } from "./types";

/** hint says what comes next in a session; empty before its start, where the welcome says it. */
export function hint(v: View): string {
  switch (v.state) {
    case "ready": return "";
    case "waiting": return v.screen?.raw ? "The program reads keys: type them on its screen (t). Back (u) goes back to before them; breakpoints can be set meanwhile." : "Type what the program reads and press Enter. Back (u) goes back to before it; breakpoints can be set meanwhile.";
    case "ended": return "Back (u) goes back into the run; Restart (S) runs the program again.";
    case "crashed": return "Back (u) goes back before the crash. Stop earlier, correct the picture there and assert it (a).";
  }
  if (v.searching) return "This repair meets what is asserted. It is still held against other calls and inputs; the result is told here. Any step ends that.";
  const drawn = v.undo.slice(0, since(v.undo)).some((l) => l.startsWith("change"));
  if (drawn) return "You have corrected the picture. When all of it is as it should be, assert it (a).";
  if (v.undo[0] === "spec" && !v.undo.some((l) => l.startsWith("change"))) return "This state is asserted. Go on to where the picture is wrong and correct it.";
  if (v.patch) return "The program runs repaired. Go on (n, c) to see what it does; w saves the repaired source.";
  if (v.asserted > 0) return "Repair (r) looks for the smallest change of the program that leads to what you asserted.";
  return "Run to where the picture is wrong (n, s, c); drag arrows to where they belong.";
}

/** since counts the commands since the last assertion or start. */
function since(undo: string[]): number {
  const i = undo.findIndex((l) => /^(spec|start|resume)\b/.test(l));
  return i < 0 ? undo.length : i;
}

/** nothing says why there is no picture; empty when there is one. */
function nothing(v: View): string {
  if (v.state === "ended") return v.message;
  if (v.picture && v.picture.vars.length + v.picture.nodes.length === 0) return "There is nothing to draw here: no variables and no allocated memory.";
  return "";
}

/** Guide is the welcome before the start, the line below the picture, and what stands in its place. */
export class Guide {
  private on = localStorage.getItem("hints") !== "off";
  private text = "";

  constructor(start: () => void) {
    byId("begin").addEventListener("click", start);
    byId("hint").append(button("×", { class: "small", "aria-label": "hide what to do next", title: "hide (? brings it back)" }, () => this.turn(false)));
    const box = byId<HTMLInputElement>("hints-on");
    box.checked = this.on;
    box.addEventListener("change", () => this.turn(box.checked));
  }

  private turn(on: boolean): void {
    this.on = byId<HTMLInputElement>("hints-on").checked = on;
    localStorage.setItem("hints", on ? "on" : "off");
    this.line();
  }

  private line(): void {
    byId("next").replaceChildren(...keyed(this.text) as (Node | string)[]);
    byId("hint").hidden = !this.on || this.text === "";
  }

  show(v: View): void {
    byId("welcome").hidden = v.state !== "ready";
    byId("nothing").textContent = nothing(v);
    this.text = hint(v);
    this.line();
  }
}
