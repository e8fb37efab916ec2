// Dragging the head of an arrow to what it should point to.

import type { HeapView } from "./heap";
import { targets } from "./targets";

/** under returns the node or the place in the dock that the pointer is over. */
function under(x: number, y: number): string {
  for (const e of document.elementsFromPoint(x, y)) {
    const t = e.closest<HTMLElement | SVGElement>("[data-drop], [data-node]");
    if (t) return t.dataset.drop ?? t.dataset.node ?? "";
  }
  return "";
}

/** beginDrag follows the pointer until it is released; nothing happens where no arrow can lead. tap is done where the pointer has not moved. What is returned ends the gesture. */
export function beginDrag(view: HeapView, key: string, e: PointerEvent, tap?: () => void): (() => void) | null {
  const c = view.cellOf(key);
  if (!c || !view.picture) return null;
  const least = e.pointerType === "touch" ? 8 : 4; // a finger that does not move is not quite still
  const fitting = new Set(targets(view.picture, c.cell));
  const [x0, y0] = [e.clientX, e.clientY];
  let moved = false;
  const svg = view.svg;
  svg.setPointerCapture(e.pointerId);
  const aimed = (m: PointerEvent) => {
    const t = under(m.clientX, m.clientY);
    return fitting.has(t) ? t : "";
  };
  const move = (m: PointerEvent) => {
    if (!moved && Math.hypot(m.clientX - x0, m.clientY - y0) < least) return;
    if (!moved) {
      moved = true;
      view.host.announce(`dragging ${key}`);
    }
    view.aim(fitting, aimed(m));
    view.trace(key, m.clientX, m.clientY);
  };
  const end = () => {
    view.aim(null, "");
    view.trace(null);
    svg.removeEventListener("pointermove", move);
    svg.removeEventListener("pointerup", up);
    svg.removeEventListener("pointercancel", end);
    document.removeEventListener("keydown", escape, true);
  };
  const up = (m: PointerEvent) => {
    const t = aimed(m);
    end();
    if (!moved) { tap?.(); return; }
    if (t === "") {
      view.host.announce(`${key} is as before: it cannot point there`);
      return;
    }
    view.host.command(`change ${key} ${t}`);
  };
  const escape = (k: KeyboardEvent) => {
    if (k.key === "Escape") { k.preventDefault(); k.stopPropagation(); end(); }
  };
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", end);
  document.addEventListener("keydown", escape, true);
  return end;
}
