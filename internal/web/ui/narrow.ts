// The picture on a narrow canvas, such as a phone's. The server lays a list out in one row; here the boxes of
// variables stand above the nodes, and a row that is too long is continued below, back and forth, so that the
// arrow from its last box leads straight down. Trees and tables keep their shape.

import type { Box, Picture } from "./types";

const column = 180, node = 124, side = 30, gap = 40, margin = 14, line = 20;

/** columns is how many nodes stand beside each other on a canvas of a width in pixels; 0 for one that is wide enough for the server's layout. */
export const columns = (width: number) => width <= 0 || width >= 560 ? 0 : Math.max(1, Math.floor((width / 0.95 - 2 * side + column - node) / column));

/** narrow lays a picture out for so many columns. */
export function narrow(p: Picture, count: number): Picture {
  const width = 2 * side + (count - 1) * column + node;
  const to = new Map<Box, [number, number]>();
  const rows = rowsOf(p.nodes);
  let y = shelves(p.vars, width, to);
  if (keeps(p, rows)) {
    const left = Math.min(...p.nodes.map((b) => b.x)), right = Math.max(...p.nodes.map((b) => b.x + b.w)), top = rows[0]![0]!.y;
    const x = Math.max(side, (width - (right - left)) / 2);
    for (const b of p.nodes) to.set(b, [b.x - left + x, b.y - top + y]);
    const root = p.nodes.find((b) => p.arrows.some((a) => a.to === b.name && p.vars.some((v) => v.cells.some((c) => c.key === a.from))));
    const by = root ? Math.max(0, to.get(root)![0] + root.w / 2 - width / 2) : 0; // the variables stand above what they lead to
    for (const b of p.vars) to.set(b, [to.get(b)![0] + by, to.get(b)![1]]);
  } else {
    for (const row of rows) {
      for (let i = 0, back = false; i < row.length; i += count, back = !back) {
        const part = row.slice(i, i + count);
        part.forEach((b, k) => to.set(b, [side + (back ? count - 1 - k : k) * column, y]));
        y += Math.max(...part.map((b) => b.h)) + gap;
      }
    }
  }
  const moved = (b: Box): Box => {
    const [x, top] = to.get(b)!;
    return { ...b, x, y: top, cells: b.cells.map((c) => ({ ...c, y: c.y - b.y + top })) };
  };
  const out = { ...p, nodes: p.nodes.map(moved), vars: p.vars.map(moved) };
  out.arrows = routed(p, out);
  out.view = frame(out, width);
  return out;
}

/** shelves puts boxes beside each other as far as there is room, and returns where what comes below begins. */
function shelves(boxes: Box[], width: number, to: Map<Box, [number, number]>): number {
  let x = side, y = margin, high = 0;
  for (const b of boxes) {
    if (x > side && x + b.w > width - margin) { x = side; y += high + gap / 2; high = 0; }
    to.set(b, [x, y]);
    x += b.w + gap;
    high = Math.max(high, b.h);
  }
  return high > 0 ? y + high + gap : y;
}

function rowsOf(nodes: Box[]): Box[][] {
  const by = new Map<number, Box[]>();
  for (const b of nodes) by.set(b.y, [...by.get(b.y) ?? [], b]);
  return [...by].sort((a, b) => a[0] - b[0]).map(([, row]) => row.sort((a, b) => a.x - b.x));
}

/** keeps reports whether the shape of a picture says something: most arrows between nodes lead to another row. */
function keeps(p: Picture, rows: Box[][]): boolean {
  const row = new Map(rows.flatMap((r, i) => r.map((b) => [b.name, i] as const)));
  const home = new Map(p.nodes.flatMap((b) => b.cells.map((c) => [c.key, b.name] as const)));
  let same = 0, other = 0;
  for (const a of p.arrows) {
    const from = row.get(home.get(a.from) ?? "");
    if (from !== undefined) row.get(a.to) === from ? same++ : other++;
  }
  return other > same;
}

type Path = number[];

/** routed are the arrows of a picture that has been laid out anew. What the server drew is kept where both its boxes moved alike and nothing is in the way. */
function routed(was: Picture, now: Picture): Picture["arrows"] {
  const from = new Map<string, { box: Box; y: number; was: Box }>(), named = new Map<string, { box: Box; was: Box }>();
  for (const [old, boxes] of [[was.vars, now.vars], [was.nodes, now.nodes]] as const) {
    boxes.forEach((box, i) => { for (const c of box.cells) from.set(c.key, { box, y: c.y + line / 2, was: old[i]! }); });
  }
  now.nodes.forEach((box, i) => named.set(box.name, { box, was: was.nodes[i]! }));
  const all = [...now.vars, ...now.nodes], inlets = new Map<string, number>(), outs = new Set<string>();
  const variable = new Set(was.vars.flatMap((b) => b.cells.map((c) => c.key)));
  const last = [...was.arrows].sort((a, b) => Number(variable.has(a.from)) - Number(variable.has(b.from))); // those between nodes choose first
  return last.map((a) => {
    const f = from.get(a.from), t = named.get(a.to);
    if (!f || !t) return a;
    const [dx, dy] = [f.box.x - f.was.x, f.box.y - f.was.y];
    const alike = t.box.x - t.was.x === dx && t.box.y - t.was.y === dy;
    return { ...a, path: best(alike ? a.path.map((v, i) => v + (i % 2 === 0 ? dx : dy)) : null, f.box, f.y, t.box, all, inlets, outs) };
  });
}

/** best is the way from a line of a box to another box that is least hidden, and short. */
function best(kept: Path | null, b: Box, y: number, to: Box, all: Box[], inlets: Map<string, number>, outs: Set<string>): Path {
  const around: [number, number, number, number] = [Math.min(b.x, to.x) - 130, Math.min(b.y, to.y) - 130, Math.max(b.x + b.w, to.x + to.w) + 130, Math.max(b.y + b.h, to.y + to.h) + 130];
  const near = all.filter((x) => x.x < around[2] && x.x + x.w > around[0] && x.y < around[3] && x.y + x.h > around[1]);
  let least = Infinity, path: Path = kept ?? [], into = "", side = "";
  const attempt = (p: Path, key: string, tax: number, from = "") => {
    const c = cost(p, near) + tax;
    if (c < least) [least, path, into, side] = [c, p, key, from];
  };
  if (kept) attempt(kept, "", -60);
  for (const out of [1, -1]) {
    const x = out > 0 ? b.x + b.w : b.x;
    for (const s of ["l", "r", "t", "b"]) {
      const key = s + to.name, n = inlets.get(key) ?? 0;
      const [ix, iy, nx, ny] = s === "l" || s === "r"
        ? [s === "l" ? to.x : to.x + to.w, to.y + 6 + n * 9 % Math.max(to.h - 8, 9), s === "l" ? -1 : 1, 0]
        : [to.x + to.w / 2 + [0, 14, -14, 28, -28][n % 5]!, s === "t" ? to.y : to.y + to.h, 0, s === "t" ? -1 : 1];
      const along = s === "t" ? b.y + b.h <= to.y : s === "b" ? b.y >= to.y + to.h : Math.abs(b.y - to.y) < 40 || Math.abs(b.x - to.x) < 40 && (s === "r") === (out > 0); // it comes from there
      const from = [b.name, to.name].sort().join(" ") + out; // two nodes that lead to each other do so on different sides
      const tax = 25 * n + (along ? 0 : 40) + (ny !== 0 && Math.abs(b.x - to.x) < 40 ? 60 : 0) + (outs.has(from) ? 80 : 0);
      for (const at of ny === 0 ? [0] : [0, to.w / 3, -to.w / 3]) for (const k1 of [20, 40, 80]) for (const k2 of [24, 40, 80]) {
        attempt([x, y, x + out * k1, y, ix! + at + nx! * k2, iy! + ny! * k2, ix! + at, iy!], key, tax + Math.abs(at) / 8, from);
      }
    }
  }
  if (into !== "") inlets.set(into, (inlets.get(into) ?? 0) + 1);
  if (side !== "" && Math.abs(b.x - to.x) < 40) outs.add(side);
  return path.map(Math.round);
}

/** cost is how long a curve is, and how much of it runs through boxes or along their edges. */
function cost(p: Path, boxes: Box[]): number {
  let sum = 0, [x0, y0] = [p[0]!, p[1]!];
  for (let i = 1; i <= 24; i++) {
    const t = i / 24, s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    const x = a * p[0]! + b * p[2]! + c * p[4]! + d * p[6]!, y = a * p[1]! + b * p[3]! + c * p[5]! + d * p[7]!;
    sum += Math.hypot(x - x0, y - y0) + (x < 0 ? 1000 : 0);
    [x0, y0] = [x, y];
    if (i === 24) break;
    for (const r of boxes) {
      if (x > r.x + 1.5 && x < r.x + r.w - 1.5 && y > r.y + 1.5 && y < r.y + r.h - 1.5) sum += 1000;
      else if (i > 2 && i < 22 && x > r.x - 5 && x < r.x + r.w + 5 && y > r.y - 5 && y < r.y + r.h + 5) sum += 25;
    }
  }
  return sum;
}

/** frame is what a picture covers, at least so wide. */
function frame(p: Picture, width: number): number[] {
  let [left, right, bottom] = [0, width, 0];
  for (const b of [...p.vars, ...p.nodes]) [right, bottom] = [Math.max(right, b.x + b.w + margin), Math.max(bottom, b.y + b.h + margin)];
  for (const a of p.arrows) {
    const x = [a.path[0]!, a.path[6]!, (a.path[0]! + 3 * a.path[2]! + 3 * a.path[4]! + a.path[6]!) / 8], y = (a.path[1]! + 3 * a.path[3]! + 3 * a.path[5]! + a.path[7]!) / 8;
    [left, right, bottom] = [Math.min(left, ...x.map((v) => v - 6)), Math.max(right, ...x.map((v) => v + 6)), Math.max(bottom, y + 6)];
  }
  return [left, 0, right - left, bottom];
}
