// Where an arrow may lead.

import type { Cell, Picture } from "./types";

/** targets lists what a pointer may be set to: null, a new node, nodes of its type. */
export function targets(p: Picture, c: Cell): string[] {
  const out = ["null"];
  if (c.points !== "void") out.push("new");
  for (const n of p.nodes) if (fits(c, n.type)) out.push(n.name);
  return out;
}

/** fits tells whether a pointer may lead to nodes of a type. */
export function fits(c: Cell, type: string | undefined): boolean {
  return c.points !== undefined && (c.points === "void" || c.points === type);
}
