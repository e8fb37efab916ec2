// On a narrow canvas: all of a picture in small, below or beside the part of it for which there is room.

import { s, set } from "./dom";

/** Spot is a box as it is seen from afar. */
export interface Spot { x: number; y: number; w: number; h: number; kind: string }

export class Overview {
  readonly svg: SVGSVGElement;
  private readonly frame = s("rect", { class: "seen" });

  /** go moves the view so that its middle is at a place of the picture. */
  constructor(what: string, private readonly go: (x: number, y: number) => void) {
    this.svg = s("svg", { class: "overview", role: "img", "aria-label": `all of ${what}; the part that is seen is framed` });
    this.svg.addEventListener("pointerdown", (e) => this.move(e));
    this.svg.addEventListener("pointermove", (e) => { if (e.buttons > 0) this.move(e); });
    this.show(false);
  }

  show(on: boolean): void { this.svg.style.display = on ? "" : "none"; }

  /** draw draws the boxes of a picture that covers view (left, top, width and height), and its arrows. */
  draw(view: number[], spots: Spot[], arrows: string[]): void {
    const pad = Math.max(view[2]!, view[3]!) / 60;
    set(this.svg, { viewBox: [view[0]! - pad, view[1]! - pad, view[2]! + 2 * pad, view[3]! + 2 * pad].join(" ") });
    this.svg.replaceChildren(s("path", { d: arrows.join("") }), ...spots.map((b) => s("rect", { class: b.kind, x: b.x, y: b.y, width: b.w, height: b.h, rx: 4 })), this.frame);
  }

  /** look frames what is seen, cut off where the picture ends. */
  look(view: number[], x: number, y: number, w: number, hgt: number): void {
    const [left, top] = [Math.max(x, view[0]!), Math.max(y, view[1]!)];
    set(this.frame, { x: left, y: top, width: Math.max(1, Math.min(x + w, view[0]! + view[2]!) - left), height: Math.max(1, Math.min(y + hgt, view[1]! + view[3]!) - top) });
  }

  private move(e: PointerEvent): void {
    const at = this.svg.getScreenCTM();
    if (!at) return;
    e.preventDefault();
    if (e.type === "pointerdown") this.svg.setPointerCapture(e.pointerId);
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(at.inverse());
    this.go(p.x, p.y);
  }
}
