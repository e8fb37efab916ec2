// The lines between the columns: dragged, or moved with the arrow keys.

import { byId, h } from "./dom";

const least = 180;

/** split makes the columns left and right of the picture as wide as the user wants them. */
export function split(main: HTMLElement): void {
  for (const side of ["left", "side"] as const) {
    const column = byId(side);
    const bar = h("div", { class: `split ${side}`, role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": side === "left" ? "width of the source" : "width of the panels", "aria-controls": side, "aria-valuemin": String(least) });
    const sign = side === "left" ? 1 : -1;
    const most = () => Math.max(least, main.clientWidth * 0.6);
    const said = () => {
      const width = column.getBoundingClientRect().width;
      bar.setAttribute("aria-valuenow", String(Math.round(width)));
      bar.setAttribute("aria-valuemax", String(Math.round(Math.max(most(), width))));
    };
    const set = (w: number) => {
      const px = Math.round(Math.max(least, Math.min(w, most())));
      main.style.setProperty(`--${side}`, `${px}px`);
      localStorage.setItem(`width-${side}`, String(px));
      said();
    };
    const reset = () => {
      main.style.removeProperty(`--${side}`);
      localStorage.removeItem(`width-${side}`);
      said();
    };
    const kept = Number(localStorage.getItem(`width-${side}`));
    if (kept) set(kept);
    bar.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      bar.setPointerCapture(e.pointerId);
      const [x, w] = [e.clientX, column.getBoundingClientRect().width];
      const move = (m: PointerEvent) => { set(w + sign * (m.clientX - x)); };
      bar.addEventListener("pointermove", move);
      bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", move), { once: true });
    });
    bar.addEventListener("dblclick", reset);
    bar.addEventListener("keydown", (e) => {
      const d = e.key === "ArrowRight" ? 20 : e.key === "ArrowLeft" ? -20 : 0;
      if (d !== 0) set(column.getBoundingClientRect().width + sign * d);
      else if (e.key === "Home") reset();
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
    column.append(bar);
    new ResizeObserver(said).observe(column);
  }
}
