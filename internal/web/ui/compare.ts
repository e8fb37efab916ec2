// After a repair: a call as your program leaves it and as the repaired one does, on the large canvas.

import { button, byId, element, h } from "./dom";
import { Overview } from "./overview";
import type { Scene, View } from "./types";

/** Compare chooses what the canvas shows: the memory now, or one of the pictures of a call. */
export class Compare {
  private scene: Scene | null = null;
  private shown = 0; // 0 for the memory now, else a picture of the scene

  private readonly overview = new Overview("the call, drawn", (x, y) => this.to(x, y));
  private picture: SVGSVGElement | null = null;

  /** closes is told when a picture of a call takes the canvas: what stands below it makes room. */
  constructor(private readonly closes: () => void) {
    byId("scene").after(this.overview.svg);
    this.turn(0);
    new ResizeObserver(() => this.center()).observe(byId("scene"));
    byId("scene").addEventListener("scroll", () => this.look());
  }

  show(v: View): void {
    const scene = v.patch?.scene ?? v.repairs.find((r) => r.inForce)?.scene ?? null;
    const same = JSON.stringify(scene) === JSON.stringify(this.scene);
    this.scene = scene;
    if (!same) {
      const names = ["memory now", "before the call", "your program", "repaired"];
      byId("compare").replaceChildren(...(scene ? names : []).map((name, i) => button(name, { "aria-pressed": "false" }, () => { if (i > 0) this.closes(); this.turn(i); })));
      byId("compare").hidden = scene === null;
    }
    this.turn(same ? this.shown : 0);
  }

  /** turn shows the memory, or a picture. */
  private turn(i: number): void {
    const p = this.scene?.pictures[i - 1];
    this.shown = p ? i : 0;
    for (const [k, b] of [...byId("compare").children].entries()) b.setAttribute("aria-pressed", String(k === this.shown));
    const out = byId("scene");
    byId("canvas").classList.toggle("compares", p !== undefined);
    out.hidden = !p;
    this.picture = null;
    this.overview.show(false);
    if (!p) return;
    const title = i > 1 && p.title.endsWith(" leaves") ? `What ${this.scene!.function} leaves ${i === 2 ? "as written" : "repaired"}` : p.title;
    const picture = this.picture = element(p.svg) as SVGSVGElement;
    picture.style.setProperty("--wide", picture.getAttribute("width")); // on a narrow screen it is not made smaller than can be read
    out.replaceChildren(h("p", {}, h("b", {}, title), i > 1 ? "; what the other program leaves otherwise is marked ✱" : ""), picture);
    const v = picture.viewBox.baseVal;
    this.overview.draw([v.x, v.y, v.width, v.height], [...picture.querySelectorAll<SVGRectElement>("rect.frame")].map((f) => {
      const { x, y, width, height } = f.getBBox(), box = f.closest(".box");
      return { x, y, w: width, h: height, kind: box?.querySelector(".changed") ? "changed" : box?.classList.contains("vars") ? "vars" : "node" };
    }), [...picture.querySelectorAll("path.arrow")].map((a) => a.getAttribute("d")!));
    this.center();
  }

  /** center moves a picture that is wider than its place to what differs. */
  private center(): void {
    const out = byId("scene"), o = out.getBoundingClientRect();
    const marked = [...out.querySelectorAll(".cell.changed, .arrow.changed, .unreachable")].map((e) => e.getBoundingClientRect());
    if (marked.length > 0) {
      const whole = { left: Math.min(...marked.map((r) => r.left)), right: Math.max(...marked.map((r) => r.right)), top: Math.min(...marked.map((r) => r.top)), bottom: Math.max(...marked.map((r) => r.bottom)) };
      const r = whole.right - whole.left < o.width && whole.bottom - whole.top < o.height ? whole : marked[0]!; // there is room for the first of them
      out.scrollBy((r.left + r.right) / 2 - (o.left + o.right) / 2, (r.top + r.bottom) / 2 - (o.top + o.bottom) / 2);
    }
    this.look();
  }

  /** look frames what is seen of a picture that is larger than its place. */
  private look(): void {
    const p = this.picture, out = byId("scene");
    if (!p) return;
    const r = p.getBoundingClientRect(), o = out.getBoundingClientRect(), v = p.viewBox.baseVal, z = r.width / v.width;
    const part = r.width > o.width + 1;
    this.overview.show(part);
    if (part) this.overview.look([v.x, v.y, v.width, v.height], v.x + (o.left - r.left) / z, v.y + (o.top - r.top) / z, o.width / z, o.height / z);
  }

  /** to scrolls a place of the picture to the middle. */
  private to(x: number, y: number): void {
    const p = this.picture, out = byId("scene");
    if (!p) return;
    const r = p.getBoundingClientRect(), o = out.getBoundingClientRect(), v = p.viewBox.baseVal, z = r.width / v.width;
    out.scrollBy(r.left + (x - v.x) * z - o.left - o.width / 2, r.top + (y - v.y) * z - o.top - o.height / 2);
  }
}
