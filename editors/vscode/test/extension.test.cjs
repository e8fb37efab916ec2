// The extension in an editor that records what it is told. GULO names the program.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");

const gulo = process.env.GULO ?? path.resolve(__dirname, "../../../bin/gulo");

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
  constructor(a, b, c, d) { this.start = new Position(a, b); this.end = new Position(c, d); }
  intersection(r) { return this.start.line <= r.end.line && r.start.line <= this.end.line ? r : undefined; }
}
const uri = (fsPath) => ({ fsPath, toString: () => `file://${fsPath}` });
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "gulo-"));
const file = path.join(dir, "prog.c");

const told = { path: gulo, commands: {}, messages: [], decorations: [], problems: new Map(), applied: [], posted: [], providers: [] };
const document = { languageId: "c", fileName: file, uri: uri(file), save: async () => true, getText: () => fs.readFileSync(file, "utf8") };
const nothing = { dispose() {} };
const editor = { document, setDecorations: (_t, list) => { told.decorations = list; } };
const vscode = {
  env: {},
  Range, Position,
  Uri: { file: uri, joinPath: (u, ...p) => uri(path.join(u.fsPath, ...p)) },
  ThemeColor: class {}, OverviewRulerLane: { Right: 4 }, ViewColumn: { Beside: -2 }, ProgressLocation: { Window: 10, Notification: 15 },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2 },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  DiagnosticRelatedInformation: class { constructor(location, message) { Object.assign(this, { location, message }); } },
  Location: class { constructor(u, range) { Object.assign(this, { uri: u, range }); } },
  CodeActionKind: { QuickFix: "quickfix" },
  CodeAction: class { constructor(title, kind) { Object.assign(this, { title, kind }); } },
  WorkspaceEdit: class { constructor() { this.list = []; } replace(u, range, text) { this.list.push({ file: u.fsPath, range, text }); } },
  DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, { command, args }); } },
  workspace: {
    getConfiguration: () => ({ get: (name) => name === "path" ? told.path : undefined }), workspaceFolders: undefined, isTrusted: true,
    openTextDocument: async () => document, applyEdit: async (e) => { told.applied.push(e.list); return true; },
  },
  window: {
    activeTextEditor: editor, visibleTextEditors: [editor],
    createTextEditorDecorationType: () => nothing, onDidChangeVisibleTextEditors: () => nothing,
    showInformationMessage: async (m) => { told.messages.push(m); }, showWarningMessage: async (m) => { told.messages.push(m); }, showErrorMessage: async (m) => { told.messages.push(m); }, setStatusBarMessage: (m) => { told.messages.push(m); },
    withProgress: (_o, f) => f({ report() {} }, { isCancellationRequested: false, onCancellationRequested: () => nothing }),
    createWebviewPanel: () => ({
      onDidDispose: () => nothing, reveal() {},
      webview: { cspSource: "https://webview", asWebviewUri: (u) => u, onDidReceiveMessage: (f) => { told.fromPicture = f; return nothing; }, postMessage: async (m) => { told.posted.push(m); }, set html(t) { told.html = t; } },
    }),
  },
  commands: { registerCommand: (name, f) => { told.commands[name] = f; return nothing; }, executeCommand: async () => undefined },
  languages: {
    createDiagnosticCollection: () => ({ clear: () => told.problems.clear(), set: (u, list) => told.problems.set(u.fsPath, list), dispose() {} }),
    registerCodeActionsProvider: (_l, p) => { told.providers.push(p); return nothing; },
  },
  debug: {
    registerDebugAdapterDescriptorFactory: (_t, f) => { told.factory = f; return nothing; },
    registerDebugConfigurationProvider: (_t, p) => { told.configurations = p; return nothing; },
    registerDebugAdapterTrackerFactory: (_t, f) => { told.trackers = f; return nothing; },
    onDidStartDebugSession: (f) => { told.started = f; return nothing; },
    onDidTerminateDebugSession: (f) => { told.terminate = f; return nothing; },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : load(name, ...rest);
require("../media/extension.js").activate({ subscriptions: [], extensionUri: uri(path.resolve(__dirname, "..")) });

const actions = (line) => told.providers.flatMap((p) => p.provideCodeActions(document, new Range(line - 1, 0, line - 1, 1)));

test("the adapter is gulo dap, and a file is debugged without a configuration", () => {
  const e = told.factory.createDebugAdapterDescriptor();
  assert.deepEqual([e.command, e.args], [gulo, ["dap"]]);
  vscode.window.activeTextEditor = undefined; // an extension that has just been started does not know it yet
  const c = told.configurations.resolveDebugConfiguration(undefined, {});
  vscode.window.activeTextEditor = editor;
  assert.deepEqual([c.type, c.request, c.program], ["gulo", "launch", "${file}"]);
  assert.equal(told.configurations.resolveDebugConfiguration(undefined, { type: "gulo", request: "launch" }).program, "${file}");
  assert.equal(told.configurations.resolveDebugConfiguration(undefined, { type: "gulo", request: "attach", processId: 1 }).program, undefined);
});

test("gulo is found where it is installed, when the editor's path does not have it", () => {
  const was = process.env.PATH;
  const bin = path.join(dir, "go/bin"), there = path.join(bin, "gulo");
  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(there, "#!/bin/sh\n", { mode: 0o755 });
  Object.assign(process.env, { PATH: path.join(dir, "none"), GOBIN: "", GOPATH: path.join(dir, "go") });
  told.path = "gulo";
  try { assert.equal(told.factory.createDebugAdapterDescriptor().command, there); } finally { process.env.PATH = was; told.path = gulo; }
});

test("a program that cannot be started is said, and no session begins", async () => {
  const resolve = (c) => told.configurations.resolveDebugConfigurationWithSubstitutedVariables(undefined, c);
  const c = told.configurations.resolveDebugConfiguration(undefined, {});
  assert.equal(await resolve(c), c);
  told.path = path.join(dir, "no-such-gulo");
  assert.equal(await resolve(c), undefined);
  assert.match(told.messages.at(-1), /gulo cannot be started: .*no-such-gulo.*gulo\.path/);
  told.messages.length = 0;
  await told.commands["gulo.check"]();
  await resolve(c); // what check has to say comes a moment later
  assert.match(told.messages.at(-1), /gulo cannot be started/);
  told.path = gulo;
});

test("check puts memory errors among the problems, with their chain", async () => {
  fs.writeFileSync(file, "#include <stdlib.h>\nint main(void)\n{\n    int *p = malloc(4);\n    *p = 1;\n    free(p);\n    return *p;\n}\n");
  await told.commands["gulo.check"]();
  const list = told.problems.get(file);
  assert.equal(list?.length, 1, told.messages.join("; "));
  assert.equal(list[0].range.start.line, 6);
  assert.equal(list[0].code, "dangling_pointer_deref");
  assert.deepEqual(list[0].relatedInformation.map((r) => `${r.message} at ${r.location.range.start.line + 1}`), ["stored: p = malloc(4) at 4", "made: p = malloc(4) at 4", "freed: free(p); at 6"]);
});

test("fix puts repairs among the problems, as quick fixes that can be applied", async () => {
  fs.writeFileSync(file, "#include <assert.h>\nint max(int a, int b)\n{\n    int m = a;\n    if (b < a)\n        m = b;\n    assert(m >= a && m >= b);\n    return m;\n}\nint main(void) { return max(1, 2); }\n");
  await told.commands["gulo.fix"]();
  assert.equal(told.problems.get(file)?.[0].range.start.line, 4, told.messages.join("; "));
  const [a] = actions(5);
  const { range, text } = a.edit.list[0];
  const line = fs.readFileSync(file, "utf8").split("\n")[4];
  assert.match(line.slice(0, range.start.character) + text + line.slice(range.end.character), /if \(b >=? a\)/);
  assert.equal(actions(2).length, 0);
});

test("the picture, suspects and repairs follow the session", async () => {
  const place = { file, line: 5, column: 9, endLine: 5, endColumn: 14 };
  const diff = `--- a${file}\n+++ b${file}\n@@ -4,3 +4,3 @@\n     int m = a;\n-    if (b < a)\n+    if (b > a)\n         m = b;\n`;
  const view = { picture: null, suspects: [{ place, score: 1, reason: "leaves m = 1" }], repairs: [{ edits: ["b < a => b > a"], diff, inForce: false }] };
  const asked = [];
  const session = { customRequest: async (name, args) => { asked.push([name, args]); return { text: "", view }; } };
  const tracker = told.trackers.createDebugAdapterTracker(session);
  await told.commands["gulo.picture"]();
  assert.match(told.html, /script-src https:\/\/webview/);
  assert.doesNotMatch(told.html, /\{\{/);
  tracker.onDidSendMessage({ type: "event", event: "stopped" });
  await new Promise((f) => setTimeout(f, 20));
  assert.deepEqual(asked, [["gulo/graph", undefined]]);
  assert.equal(told.posted.at(-1).kind, "view");
  assert.equal(told.decorations.length, 1);
  assert.match(told.decorations[0].hoverMessage, /leaves m = 1/);
  told.fromPicture({ kind: "command", line: "change n4->prev n3" });
  assert.deepEqual(asked.at(-1), ["gulo/command", { line: "change n4->prev n3" }]);
  const repair = actions(5).find((a) => a.isPreferred);
  assert.deepEqual(repair.edit.list[0].text, "    if (b > a)\n");
  assert.deepEqual([repair.edit.list[0].range.start.line, repair.edit.list[0].range.end.line], [4, 5]);
  told.fromPicture({ kind: "open", node: "n12" });
  assert.deepEqual(asked.at(-1), ["gulo/graph", { focus: 12 }]);
  told.fromPicture({ kind: "apply", n: 0 });
  await new Promise((f) => setTimeout(f, 20));
  assert.deepEqual(told.applied.map((l) => [l[0].file, l[0].text]), [[file, "    if (b > a)\n"]]);
  const source = fs.readFileSync(file, "utf8");
  fs.writeFileSync(file, "// a line more\n" + source);
  told.fromPicture({ kind: "apply", n: 0 });
  await new Promise((f) => setTimeout(f, 20));
  assert.equal(told.applied.length, 1, "a repair was put into other lines than it is of");
  assert.match(told.messages.at(-1), /not applied: .* has other lines now/);
  assert.equal(actions(6).length, 0);
  fs.writeFileSync(file, source);
  told.terminate(session);
  assert.equal(told.decorations.length, 0);
});

test.after(() => fs.rmSync(dir, { recursive: true }));
