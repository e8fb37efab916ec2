// What the server sends; docs/json.md, "gulo web", describes it.

export interface Place {
  file: string; line: number; column: number; endLine: number; endColumn: number;
  function: string; text: string; kind: "statement" | "condition" | "loop" | "end";
  says?: boolean; macro?: boolean;
}

export interface Cell {
  key: string; label: string; value: string; shown: string; type: string; y: number;
  kind: "unknown" | "null" | "node" | "variable" | "function" | "number" | "wild" | "text";
  points?: string; changed?: boolean; untracked?: boolean;
}

export interface Box {
  name: string; type?: string; x: number; y: number; w: number; h: number;
  freed?: boolean; lost?: boolean; cells: Cell[]; blank?: string[]; more?: number;
}

export interface Arrow {
  from: string; to: string; path: number[]; changed?: boolean; untracked?: boolean;
}

export interface Picture {
  view: number[]; nodes: Box[]; vars: Box[]; arrows: Arrow[]; folded: number; rest?: string; unreachable: string[]; untyped?: string[];
  lost?: Loss[]; behind?: number;
}

/** Loss is a node that nothing leads to, with what it holds. */
export interface Loss { name: string; text: string }

export interface DiffRow { file?: string; left: number; old: string; right: number; new: string }
export interface Example { input: string; before: string; after: string }

export interface Scene { function: string; repairs: [number, number]; pictures: { title: string; svg: string }[] }

export interface Repair {
  edits: string[]; diff: string; rows: DiffRow[]; evidence: string; examples: Example[]; scene?: Scene; inForce: boolean; error?: string;
}

export interface Checkpoint { id: number; parent: number; place: Place; current: boolean; edits: number; same: number }

export interface Freed { node: string; text: string; made: Place | null; freed: Place | null; again?: boolean }

export interface View {
  program: string;
  state: "ready" | "stopped" | "waiting" | "interrupted" | "timeout" | "crashed" | "ended";
  message: string; place: Place | null; frames: { function: string; place: Place | null }[];
  picture: Picture | null; changed: string[]; breakpoints: Place[]; locked: Place[]; output: string;
  checkpoints: Checkpoint[]; suspects: { place: Place; score: number; reason: string }[];
  repairs: Repair[]; patch: Repair | null; apart?: Scene; undo: string[]; asserted: number; fresh: string[]; freed?: Freed[]; searching?: boolean; result?: string; screen?: Screen;
}

/** Screen is the program's screen, where it has a terminal of its own. */
export interface Screen {
  rows: number; columns: number; lines: { text: string; bold?: boolean; under?: boolean; reverse?: boolean; cursor?: boolean }[][];
  ignored?: number; raw?: boolean;
}

/** Moment is a state that the session has come through. */
export interface Moment { id: number; command: string; line: number; function?: string; state: View["state"]; kind?: "asserted" | "changed" | "repaired"; undo: number; inside?: number; of?: number; gap?: boolean }

export interface Entry { n: number; line: string; text: string; error?: string; negative?: boolean }

export interface Marked { file: string; line: number; label: string; text: string; note?: string; chain: Marked[] }

export interface State {
  seq: number; view: View; look: { nodes: number; focus: number }; log: Entry[]; busy: string; ms?: number; over: string; past?: string[]; lost?: string[]; news?: string; found?: Marked[]; trail: Moment[];
}

export interface SourceFile { name: string; lines: string[]; stops: Place[] }
