// The extension: a thin client of gulo dap. It starts the adapter, draws the picture of
// the session in a webview, underlines suspects, and offers repairs as quick fixes. All
// that it does to a session is a command line of gulo's shell.

import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import type { View } from "../../../internal/web/ui/types";
import { fromDiff, oldLines, read, short, type Change, type Problem, type Spot } from "./problems";
import type { FromPicture, ToPicture } from "./protocol";

const settings = () => vscode.workspace.getConfiguration("gulo");

/** program is the gulo to start: the setting's, else the first in the path, else where go install and make install put it. An editor that
 * was not started in a shell often has a shorter path than the shell. */
function program(): string {
  const named = (settings().get<string>("path") || "gulo").replace(/^~(?=\/)/, homedir());
  if (named.includes("/")) return named;
  const places = [...(process.env.PATH ?? "").split(":"), process.env.GOBIN, ...(process.env.GOPATH ?? "").split(":").map((p) => p && path.join(p, "bin")), path.join(homedir(), "go/bin"), path.join(homedir(), ".local/bin"), "/usr/local/bin"];
  for (const p of places) {
    if (!p) continue;
    const file = path.join(p, named);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch { /* the next place */ }
  }
  return named;
}

/** Answer is what gulo's own requests return. */
interface Answer { text: string; view: View }

export function activate(context: vscode.ExtensionContext): void {
  const watcher = new Watcher(context);
  const problems = new Problems(context);
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("gulo", { createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(program(), ["dap"]) }),
    vscode.debug.registerDebugConfigurationProvider("gulo", { resolveDebugConfiguration: (_folder, c) => configured(c), resolveDebugConfigurationWithSubstitutedVariables: async (_folder, c) => await found() ? c : undefined }),
    vscode.debug.registerDebugAdapterTrackerFactory("gulo", { createDebugAdapterTracker: (s) => watcher.track(s) }),
    vscode.debug.onDidStartDebugSession((s) => { if (s.type === "gulo" && settings().get<boolean>("openPicture") !== false) void watcher.open(); }),
    vscode.debug.onDidTerminateDebugSession((s) => watcher.ended(s)),
    vscode.commands.registerCommand("gulo.debug", (file?: vscode.Uri) => debug(file)),
    vscode.commands.registerCommand("gulo.pickProcess", () => pickProcess()),
    vscode.commands.registerCommand("gulo.picture", () => watcher.open()),
    vscode.commands.registerCommand("gulo.spec", () => watcher.command("spec")),
    vscode.commands.registerCommand("gulo.locate", () => watcher.command("locate")),
    vscode.commands.registerCommand("gulo.repair", () => watcher.command("repair")),
    vscode.commands.registerCommand("gulo.command", (line: string) => watcher.command(line)),
    vscode.commands.registerCommand("gulo.check", () => problems.run("check")),
    vscode.commands.registerCommand("gulo.fix", () => problems.run("fix")),
    vscode.commands.registerCommand("gulo.results", () => problems.open()),
    vscode.languages.registerCodeActionsProvider("c", watcher, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    vscode.languages.registerCodeActionsProvider("c", problems, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }));
}

/** thisFile is what F5 does without a launch.json. The editor puts the file's name in: an extension that has just been started, as when a
 * folder has become trusted, does not know yet which file is edited. */
const thisFile = { type: "gulo", request: "launch", name: "gulo: this file", program: "${file}", stopOnEntry: true };

/** configured completes a configuration. */
function configured(c: vscode.DebugConfiguration): vscode.DebugConfiguration {
  if (!c.type && !c.request) return { ...thisFile, ...c, type: thisFile.type, request: thisFile.request, name: thisFile.name };
  if (c.request === "launch" && !c.program && !c.coreFile && !c.build) return { ...c, program: thisFile.program };
  return c;
}

/** debug starts the program of one file. */
async function debug(file?: vscode.Uri): Promise<void> {
  const at = file ?? vscode.window.activeTextEditor?.document.uri;
  if (!at) { void vscode.window.showInformationMessage("gulo: no C file is being edited."); return; }
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(at), { ...thisFile, program: at.fsPath });
}

/** pickProcess asks for a process to attach to, the youngest first; its number, as launch.json takes it. */
async function pickProcess(): Promise<string | undefined> {
  const list: (vscode.QuickPickItem & { pid: number })[] = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const exe = await readlink(`/proc/${pid}/exe`); // of another user's it cannot be read, nor can that be attached to
      const args = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0").join(" ").trim();
      list.push({ pid, label: path.basename(exe), description: String(pid), detail: args });
    } catch { /* a process of another user, or one that has ended */ }
  }
  list.sort((a, b) => b.pid - a.pid);
  const picked = await vscode.window.showQuickPick(list, { title: "The process to attach to", placeHolder: "a program that gcc has built with -g, without optimization", matchOnDescription: true, matchOnDetail: true });
  return picked && String(picked.pid);
}

/** found reports whether gulo can be started. The editor says nothing when an adapter cannot be: the session just does not begin. */
async function found(): Promise<boolean> {
  const why = await new Promise<string>((done) => {
    const child = execFile(program(), ["dap", "--help"], { timeout: 60_000 }, (err) => done(err ? err.message.trim() : ""));
    child.stdin?.end();
  });
  if (!why) return true;
  const place = vscode.env.remoteName === undefined ? "" : " on the machine that runs the program";
  void vscode.window.showErrorMessage(`gulo cannot be started: ${why}. The setting gulo.path says where it is${place}.`, "Choose the Program", "Open the Setting").then(async (x) => {
    if (x === "Open the Setting") return vscode.commands.executeCommand("workbench.action.openSettings", "gulo.path");
    if (x !== "Choose the Program") return;
    const picked = await vscode.window.showOpenDialog({ title: "The gulo program", openLabel: "Choose" });
    if (picked?.[0]) await vscode.workspace.getConfiguration("gulo").update("path", picked[0].fsPath, vscode.ConfigurationTarget.Global);
  });
  return false;
}

/** fileAt is the file that gulo means. Names may be relative to the workspace; a diff has absolute ones without their first slash. */
function fileAt(name: string, base?: string): vscode.Uri {
  if (path.isAbsolute(name)) return vscode.Uri.file(name);
  const near = path.join(base ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? process.cwd(), name);
  return vscode.Uri.file(!existsSync(near) && existsSync("/" + name) ? "/" + name : near);
}

function rangeOf(s: Spot): vscode.Range {
  return new vscode.Range(s.line - 1, s.column - 1, s.endLine - 1, Math.min(s.endColumn - 1, 1e6));
}

function editOf(changes: Change[], base?: string): vscode.WorkspaceEdit {
  const e = new vscode.WorkspaceEdit();
  for (const c of changes) e.replace(fileAt(c.spot.file, base), rangeOf(c.spot), c.text);
  return e;
}

/** apply puts a repair into the sources. The repair is of the sources as they were when the session began; if other lines stand there now nothing is changed. */
async function apply(diff: string, base?: string): Promise<void> {
  const changes = fromDiff(diff);
  try {
    for (const name of new Set(changes.map((c) => c.spot.file))) {
      const doc = await vscode.workspace.openTextDocument(fileAt(name, base));
      if (!fits(diff, doc, base)) throw new Error(`${path.basename(name)} has other lines now than when the session began; start the session again`);
    }
    if (!await vscode.workspace.applyEdit(editOf(changes, base))) throw new Error("the editor refuses the change");
  } catch (e) {
    void vscode.window.showWarningMessage(`gulo: the repair was not applied: ${(e as Error).message}.`);
  }
}

/** fits reports whether a document still has the lines that a diff changes, and those around them. */
function fits(diff: string, doc: vscode.TextDocument, base?: string): boolean {
  const lines = doc.getText().split(/\r?\n/);
  return oldLines(diff).every((o) => fileAt(o.file, base).fsPath !== doc.uri.fsPath || lines[o.line - 1] === o.text);
}

/** Watcher follows the session being debugged: picture, suspects, repairs. */
class Watcher implements vscode.CodeActionProvider {
  private session: vscode.DebugSession | null = null;
  private view: View | null = null;
  private panel: vscode.WebviewPanel | null = null;
  private asking = false;
  private again = false;
  private readonly suspect: vscode.TextEditorDecorationType;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.suspect = vscode.window.createTextEditorDecorationType({
      textDecoration: "underline wavy", overviewRulerColor: new vscode.ThemeColor("editorWarning.foreground"), overviewRulerLane: vscode.OverviewRulerLane.Right,
      after: { margin: "0 0 0 2em", color: new vscode.ThemeColor("editorCodeLens.foreground") },
    });
    context.subscriptions.push(this.suspect, vscode.window.onDidChangeVisibleTextEditors(() => this.decorate()));
  }

  /** track asks for the state whenever the program has stopped, or something was changed. */
  track(s: vscode.DebugSession): vscode.DebugAdapterTracker {
    this.session = s;
    return {
      onDidSendMessage: (m: { type?: string; event?: string }) => {
        if (m.type === "event" && (m.event === "stopped" || m.event === "invalidated" || m.event === "exited")) void this.refresh(s);
      },
    };
  }

  /** focus shows a node that the picture has folded. */
  private async focus(node: string): Promise<void> {
    if (!this.session) return;
    try {
      this.show((await this.session.customRequest("gulo/graph", { focus: Number(node.replace(/^n/, "")) }) as Answer).view);
    } catch (e) {
      this.post({ kind: "say", text: (e as Error).message });
    }
  }

  private async refresh(s: vscode.DebugSession): Promise<void> {
    if (this.asking) { this.again = true; return; }
    this.asking = true;
    try {
      do {
        this.again = false;
        this.show((await s.customRequest("gulo/graph") as Answer).view);
      } while (this.again);
    } catch (e) {
      this.post({ kind: "none", why: (e as Error).message });
    } finally {
      this.asking = false;
    }
  }

  ended(s: vscode.DebugSession): void {
    if (s !== this.session) return;
    this.session = this.view = null;
    this.post({ kind: "none", why: "the session has ended" });
    this.decorate();
  }

  /** command executes a command line of gulo's shell. */
  async command(line: string): Promise<void> {
    const s = this.session;
    if (!s) { void vscode.window.showInformationMessage("gulo: no program is being debugged."); return; }
    try {
      const a = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: `gulo: ${line}` }, () => s.customRequest("gulo/command", { line })) as Answer;
      this.show(a.view);
      this.tell(line, a);
    } catch (e) {
      const text = (e as Error).message;
      this.post({ kind: "say", text });
      void vscode.window.showWarningMessage(`gulo: ${text}`);
    }
  }

  /** tell says what a command has answered; what moves or changes the program is seen. With a repair it is what supports the repair. */
  private tell(line: string, a: Answer): void {
    const answers = /^(spec|locate|repair|choose)\b/.test(line), best = /^repair\b/.test(line) ? a.view.repairs[0] : undefined;
    const text = best ? best.evidence.trim() : answers ? a.text.trim().split("\n")[0] ?? "" : "";
    this.post({ kind: "say", text });
    if (best && !this.panel?.visible) {
      void vscode.window.showInformationMessage(`gulo: ${best.edits.map(short).join("; ")}`, "Apply to the Source").then((x) => x && apply(best.diff, this.base()));
    } else if (text && !this.panel?.visible) void vscode.window.showInformationMessage(`gulo: ${text}`);
  }

  private base(): string | undefined { return this.session?.workspaceFolder?.uri.fsPath; }

  private show(v: View): void {
    this.view = v;
    this.post({ kind: "view", view: v });
    this.decorate();
  }

  /** decorate underlines the suspicious statements. */
  private decorate(): void {
    for (const e of vscode.window.visibleTextEditors) {
      const list = (this.view?.suspects ?? []).map((x, i) => ({ x, i })).filter(({ x }) => fileAt(x.place.file, this.base()).fsPath === e.document.uri.fsPath);
      e.setDecorations(this.suspect, list.map(({ x, i }) => ({
        range: rangeOf(x.place), hoverMessage: `suspicious, number ${i + 1}: ${x.reason}`, renderOptions: { after: { contentText: `suspicious: ${i + 1}` } },
      })));
    }
  }

  /** provideCodeActions offers the repairs at the lines that they change. */
  provideCodeActions(doc: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const out: vscode.CodeAction[] = [];
    (this.view?.repairs ?? []).forEach((r, i) => {
      const changes = fromDiff(r.diff);
      if (!fits(r.diff, doc, this.base())) return;
      if (!changes.some((c) => fileAt(c.spot.file, this.base()).fsPath === doc.uri.fsPath && new vscode.Range(c.spot.line - 1, 0, Math.max(c.spot.endLine - 1, c.spot.line - 1), 1e6).intersection(range))) return;
      const a = new vscode.CodeAction(`gulo: ${r.edits.map(short).join("; ")}`, vscode.CodeActionKind.QuickFix);
      a.edit = editOf(changes, this.base());
      a.isPreferred = i === 0;
      out.push(a);
      if (!r.inForce) {
        const b = new vscode.CodeAction(`gulo: go on with repair ${i + 1} in the running program`, vscode.CodeActionKind.QuickFix);
        b.command = { command: "gulo.command", title: b.title, arguments: [`choose ${i + 1}`] };
        out.push(b);
      }
    });
    return out;
  }

  /** open shows the picture beside the source. */
  async open(): Promise<void> {
    if (this.panel) { this.panel.reveal(undefined, true); return; }
    const media = vscode.Uri.joinPath(this.context.extensionUri, "media");
    const p = vscode.window.createWebviewPanel("gulo.picture", "gulo: the heap", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, localResourceRoots: [media], retainContextWhenHidden: true });
    this.panel = p;
    p.onDidDispose(() => { this.panel = null; });
    p.webview.onDidReceiveMessage((m: FromPicture) => {
      if (m.kind === "command") void this.command(m.line);
      else if (m.kind === "open") void this.focus(m.node);
      else if (m.kind === "apply") { const r = this.view?.repairs[m.n]; if (r) void apply(r.diff, this.base()); }
      else if (this.view) this.post({ kind: "view", view: this.view });
      else this.post({ kind: "none", why: "no program is being debugged" });
    });
    const text = await readFile(vscode.Uri.joinPath(media, "picture.html").fsPath, "utf8");
    p.webview.html = text.replaceAll("{{source}}", p.webview.cspSource).replaceAll("{{base}}", p.webview.asWebviewUri(media).toString()).replaceAll("{{theme}}", "");
  }

  private post(m: ToPicture): void { void this.panel?.webview.postMessage(m); }
}

/** Problems shows what gulo's commands, or any tool that writes SARIF, found. */
class Problems implements vscode.CodeActionProvider {
  private readonly list = vscode.languages.createDiagnosticCollection("gulo");
  private readonly fixes = new Map<string, { problem: Problem; base: string }[]>();

  constructor(context: vscode.ExtensionContext) { context.subscriptions.push(this.list); }

  /** run asks gulo about the file that is edited. */
  async run(what: "check" | "fix"): Promise<void> {
    const doc = vscode.window.activeTextEditor?.document;
    if (!doc || doc.languageId !== "c") { void vscode.window.showInformationMessage("gulo: no C file is being edited."); return; }
    if (!vscode.workspace.isTrusted) { // the editor asks before it debugs, and not before a command
      void vscode.window.showWarningMessage(`gulo ${what} runs the program, and this folder is not trusted.`, "Manage Trust").then((x) => x && vscode.commands.executeCommand("workbench.trust.manage"));
      return;
    }
    await doc.save();
    const args = what === "check" ? ["check", "--format", "json", "--engine", "machine", doc.fileName] : ["fix", "--assert", "--format", "sarif", doc.fileName];
    const cwd = path.dirname(doc.fileName);
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: `gulo ${what}`, cancellable: true }, (_p, cancel) => new Promise<void>((done) => {
      const child = execFile(program(), args, { cwd, maxBuffer: 64 << 20 }, (err, stdout, stderr) => {
        done();
        if (err && typeof (err as { code?: unknown }).code === "string") void found(); // it was not started
        else if (!cancel.isCancellationRequested) this.answer(what, stdout, stderr, cwd);
      });
      child.stdin?.end();
      cancel.onCancellationRequested(() => child.kill());
    }));
  }

  private answer(what: string, stdout: string, stderr: string, base: string): void {
    let found: Problem[];
    try {
      const text = what === "check" ? stderr : stdout; // standard output is the checked program's
      const from = text.search(/^\{/m);
      found = read(from < 0 ? text : text.slice(from));
    } catch {
      void vscode.window.showWarningMessage(`gulo ${what}: ${(stderr || stdout).trim().split("\n").slice(-3).join(" ") || "no answer"}`);
      return;
    }
    this.show(found, base);
    void vscode.window.setStatusBarMessage(`gulo ${what}: ${found.length === 0 ? "nothing found" : `${found.length} found`}`, 8000);
  }

  /** open reads a file of results. */
  async open(): Promise<void> {
    const picked = await vscode.window.showOpenDialog({ filters: { "results": ["sarif", "json"] } });
    if (!picked?.[0]) return;
    try {
      this.show(read(await readFile(picked[0].fsPath, "utf8")), vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? path.dirname(picked[0].fsPath));
    } catch (e) {
      void vscode.window.showWarningMessage(`gulo: ${picked[0].fsPath}: ${(e as Error).message}`);
    }
  }

  private show(found: Problem[], base: string): void {
    this.list.clear();
    this.fixes.clear();
    const by = new Map<string, vscode.Diagnostic[]>();
    const severity = { error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning, note: vscode.DiagnosticSeverity.Information };
    for (const p of found) {
      const file = fileAt(p.spot.file, base).fsPath;
      const d = new vscode.Diagnostic(rangeOf(p.spot), p.message, severity[p.severity]);
      d.source = "gulo";
      d.code = p.code;
      d.relatedInformation = p.related.map((r) => new vscode.DiagnosticRelatedInformation(new vscode.Location(fileAt(r.spot.file, base), rangeOf(r.spot)), r.message));
      by.set(file, [...(by.get(file) ?? []), d]);
      this.fixes.set(file, [...(this.fixes.get(file) ?? []), { problem: p, base }]);
    }
    for (const [file, list] of by) this.list.set(vscode.Uri.file(file), list);
    if (found.length > 0) void vscode.commands.executeCommand("workbench.actions.view.problems");
  }

  provideCodeActions(doc: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const out: vscode.CodeAction[] = [];
    for (const { problem, base } of this.fixes.get(doc.uri.fsPath) ?? []) {
      if (!rangeOf(problem.spot).intersection(range)) continue;
      for (const f of problem.fixes) {
        const a = new vscode.CodeAction(`gulo: ${problem.message} (${f.title})`, vscode.CodeActionKind.QuickFix);
        a.edit = editOf(f.changes, base);
        out.push(a);
      }
    }
    return out;
  }
}
