// What gulo's commands found, as problems of files: SARIF, the documents of check and of
// fix. Nothing here knows the editor; lines and columns count from 1.

export interface Spot { file: string; line: number; column: number; endLine: number; endColumn: number }

export interface Change { spot: Spot; text: string }

export interface Fix { title: string; changes: Change[] }

export interface Problem {
  spot: Spot; message: string; code: string; severity: "error" | "warning" | "note";
  related: { spot: Spot; message: string }[];
  fixes: Fix[];
}

/** whole is a line from its first to its last column. */
const whole = (file: string, line: number): Spot => ({ file, line, column: 1, endLine: line, endColumn: Number.MAX_SAFE_INTEGER });

interface Region { startLine?: number; startColumn?: number; endLine?: number; endColumn?: number }
interface Physical { artifactLocation?: { uri?: string }; region?: Region }
interface Located { physicalLocation?: Physical; message?: { text?: string } }
interface Result {
  ruleId?: string; level?: string; message?: { text?: string }; locations?: Located[]; relatedLocations?: Located[];
  codeFlows?: { threadFlows?: { locations?: { location?: Located }[] }[] }[];
  fixes?: { description?: { text?: string }; artifactChanges?: { artifactLocation?: { uri?: string }; replacements?: { deletedRegion?: Region; insertedContent?: { text?: string } }[] }[] }[];
}

function spot(file: string, r: Region | undefined): Spot {
  const line = r?.startLine ?? 1;
  if (r?.startColumn === undefined) return { ...whole(file, line), endLine: r?.endLine ?? line };
  const endLine = r.endLine ?? line;
  return { file, line, column: r.startColumn, endLine, endColumn: r.endColumn ?? Number.MAX_SAFE_INTEGER };
}

function fileOf(p: Physical | undefined): string {
  const uri = p?.artifactLocation?.uri ?? "";
  return uri.startsWith("file://") ? decodeURIComponent(uri.slice("file://".length)) : decodeURIComponent(uri);
}

/** fromSarif reads the results of a SARIF log of any tool. */
export function fromSarif(log: unknown): Problem[] {
  const out: Problem[] = [];
  for (const run of (log as { runs?: { results?: Result[] }[] }).runs ?? []) {
    for (const r of run.results ?? []) {
      const at = r.locations?.[0]?.physicalLocation;
      if (!at) continue;
      const places = [...(r.relatedLocations ?? []), ...(r.codeFlows?.[0]?.threadFlows?.[0]?.locations ?? []).flatMap((l) => l.location ? [l.location] : [])];
      out.push({
        spot: spot(fileOf(at), at.region), message: r.message?.text ?? r.ruleId ?? "", code: r.ruleId ?? "",
        severity: r.level === "error" ? "error" : r.level === "note" || r.level === "none" ? "note" : "warning",
        related: places.filter((l) => l.physicalLocation).map((l) => ({ spot: spot(fileOf(l.physicalLocation), l.physicalLocation?.region), message: l.message?.text ?? "" })),
        fixes: (r.fixes ?? []).map((f) => ({
          title: f.description?.text ?? "apply the repair",
          changes: (f.artifactChanges ?? []).flatMap((a) => (a.replacements ?? []).map((x) => ({ spot: replaced(fileOf(a), x.deletedRegion), text: x.insertedContent?.text ?? "" }))),
        })),
      });
    }
  }
  return out;
}

/** replaced is a region that is taken out; one without an end is an insertion. */
function replaced(file: string, r: Region | undefined): Spot {
  const line = r?.startLine ?? 1, column = r?.startColumn ?? 1;
  return { file, line, column, endLine: r?.endLine ?? line, endColumn: r?.endColumn ?? column };
}

interface Link { file: string; line: number; text: string; what?: string }

interface Finding {
  rule: string; file: string; line: number; column?: number; message: string; text?: string;
  chain?: Link[]; made?: Link; ended?: Link;
}

/** fromCheck reads the document of gulo check --format json; the chain leads back from the error, then come the places where the block was
 * made and freed. */
export function fromCheck(doc: unknown): Problem[] {
  return ((doc as { findings?: Finding[] }).findings ?? []).map((f) => ({
    spot: { ...whole(f.file, f.line), column: f.column ?? 1 },
    message: f.message, code: f.rule, severity: "error" as const,
    related: [...(f.chain ?? []), ...[f.made, f.ended].flatMap((l) => l ?? [])].map((c) => ({ spot: whole(c.file, c.line), message: `${c.what ?? "through"}: ${c.text}` })),
    fixes: [],
  }));
}

interface FixDocument { repairs?: { diff?: string; edits?: { file: string; line: number; before?: string; after?: string }[] }[] }

/** fromFix reads the document of gulo fix --format json. */
export function fromFix(doc: unknown): Problem[] {
  const out: Problem[] = [];
  ((doc as FixDocument).repairs ?? []).slice(0, 1).forEach((r) => {
    for (const e of r.edits ?? []) {
      out.push({ spot: whole(e.file, e.line), message: e.before ? `${e.before} => ${e.after || "(nothing)"}` : `missing: ${e.after ?? ""}`, code: "repair", severity: "error", related: [], fixes: r.diff ? [{ title: "apply the repair", changes: fromDiff(r.diff) }] : [] });
    }
  });
  return out;
}

/** read takes whatever document gulo, or another tool in SARIF, has written. */
export function read(text: string): Problem[] {
  const doc = JSON.parse(text) as object;
  if ("runs" in doc) return fromSarif(doc);
  if ("findings" in doc) return fromCheck(doc);
  if ("repairs" in doc) return fromFix(doc);
  throw new Error("this is no document of gulo check or gulo fix, and no SARIF");
}

/** fromDiff makes changes of whole lines of a unified diff. */
export function fromDiff(diff: string): Change[] {
  const out: Change[] = [];
  let file = "", line = 0;
  let from = 0, old = 0, added: string[] = [];
  const flush = () => {
    if (old > 0 || added.length > 0) out.push({ spot: { file, line: from, column: 1, endLine: from + old, endColumn: 1 }, text: added.map((t) => t + "\n").join("") });
    old = 0;
    added = [];
  };
  for (const t of diff.replace(/\n$/, "").split("\n")) {
    const head = /^@@ -(\d+)(?:,(\d+))? /.exec(t);
    if (t.startsWith("--- ")) { flush(); file = t.slice(4).replace(/^a\//, "").replace(/\t.*$/, ""); continue; }
    if (t.startsWith("+++ ") || t.startsWith("\\")) continue;
    if (head) { flush(); line = Number(head[1]) + (head[2] === "0" ? 1 : 0); continue; }
    if (t.startsWith("-")) { if (old === 0 && added.length === 0) from = line; old++; line++; continue; }
    if (t.startsWith("+")) { if (old === 0 && added.length === 0) from = line; added.push(t.slice(1)); continue; }
    flush();
    line++;
  }
  flush();
  return out;
}

/** oldLines lists the lines that a unified diff expects: those that it removes and those around them. */
export function oldLines(diff: string): { file: string; line: number; text: string }[] {
  const out: { file: string; line: number; text: string }[] = [];
  let file = "", line = 0;
  for (const t of diff.replace(/\n$/, "").split("\n")) {
    const head = /^@@ -(\d+)(?:,(\d+))? /.exec(t);
    if (t.startsWith("--- ")) { file = t.slice(4).replace(/^a\//, "").replace(/\t.*$/, ""); line = 0; continue; }
    if (head) { line = Number(head[1]); continue; }
    if (line > 0 && (t.startsWith(" ") || t.startsWith("-"))) out.push({ file, line: line++, text: t.slice(1) });
  }
  return out;
}

/** short is an edit with the file's name alone, without its folder. */
export const short = (edit: string) => edit.replace(/^\/\S*\/(?=[^/\s]+:\d+: )/, "");
