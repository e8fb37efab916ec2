// The adapter, gulo dap, under the client that VS Code's own adapters are tested with. GULO
// names the program.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, afterEach, before, beforeEach, describe, test } = require("node:test");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const gulo = process.env.GULO ?? path.resolve(__dirname, "../../../bin/gulo");
const list = path.resolve(__dirname, "../../../examples/reverse.c");

const text = `#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *push(struct node *l, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = l;
    return n;
}
int main(void)
{
    struct node *l = NULL;
    for (int i = 0; i < 3; i++)
        l = push(l, i);
    printf("%d\\n", l->v);
    return 3;
}
`;

for (const engine of ["machine", "gdb"]) {
  describe(`gulo dap, ${engine}`, { timeout: 300_000 }, () => {
    let dc, dir, file;
    before(() => { dir = fs.mkdtempSync(path.join(os.tmpdir(), "gulo-")); file = path.join(dir, "list.c"); fs.writeFileSync(file, text); });
    after(() => fs.rmSync(dir, { recursive: true }));
    beforeEach(async () => { dc = new DebugClient(gulo, "dap", "gulo"); dc.defaultTimeout = 120_000; await dc.start(); });
    afterEach(() => dc.stop());
    const launch = (more = {}) => ({ program: file, engine, ...more });

    test("initialize answers with what the adapter can", async () => {
      const r = await dc.initializeRequest();
      assert.equal(r.body.supportsConfigurationDoneRequest, true);
      assert.equal(r.body.supportsStepBack, true);
    });

    test("an unknown request is an error", async () => {
      await assert.rejects(dc.send("illegal_request"));
    });

    test("a launch configuration without a program is an error", async () => {
      await dc.initializeRequest();
      await assert.rejects(dc.launchRequest({ engine }));
    });

    test("runs to the end, with output and exit code", async () => {
      const code = dc.waitForEvent("exited").then((e) => e.body.exitCode);
      await Promise.all([dc.configurationSequence(), dc.launch(launch()), dc.assertOutput("stdout", "2\n"), dc.waitForEvent("terminated")]);
      assert.equal(await code, 3);
    });

    test("stops on entry", async () => {
      await Promise.all([dc.configurationSequence(), dc.launch(launch({ stopOnEntry: true })), dc.assertStoppedLocation("entry", { line: 13 })]);
    });

    test("stops at a line's breakpoint", () => dc.hitBreakpoint(launch(), { path: file, line: 8 }));

    test("stops at a breakpoint with a condition", async () => {
      await Promise.all([
        dc.waitForEvent("initialized").then(() => dc.setBreakpointsRequest({ source: { path: file }, breakpoints: [{ line: 8, condition: "v == 2" }] })).then((r) => {
          assert.equal(r.body.breakpoints[0].verified, true);
          return dc.configurationDoneRequest();
        }),
        dc.launch(launch()), dc.assertStoppedLocation("breakpoint", { line: 8 })]);
      assert.equal((await dc.evaluateRequest({ expression: "v", context: "watch" })).body.result, "2");
    });

    test("stops at a function's breakpoint", async () => {
      await Promise.all([
        dc.waitForEvent("initialized").then(() => dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: "push" }] })).then(() => dc.configurationDoneRequest()),
        dc.launch(launch()), dc.assertStoppedLocation("breakpoint", { line: 6 })]);
    });

    test("steps over, in, out and back; reads and sets variables", async () => {
      await Promise.all([dc.configurationSequence(), dc.launch(launch({ stopOnEntry: true })), dc.waitForEvent("stopped")]);
      const go = async (what, line) => {
        await Promise.all([dc[what]({ threadId: 1 }), dc.assertStoppedLocation("step", { line })]);
      };
      await go("nextRequest", 14);
      await go("nextRequest", 14);
      await go("nextRequest", 15);
      await go("stepInRequest", 6);
      await go("stepBackRequest", 15);
      await go("stepInRequest", 6);
      await go("nextRequest", 7);
      const frames = (await dc.stackTraceRequest({ threadId: 1 })).body.stackFrames;
      assert.deepEqual(frames.map((f) => f.name), ["push", "main"]);
      const scopes = (await dc.scopesRequest({ frameId: frames[0].id })).body.scopes;
      const locals = (await dc.variablesRequest({ variablesReference: scopes[0].variablesReference })).body.variables;
      assert.equal(locals.find((v) => v.name === "n")?.value, "n1");
      const set = await dc.setVariableRequest({ variablesReference: scopes[0].variablesReference, name: "v", value: "41" });
      assert.equal(set.body.value, "41");
      await go("nextRequest", 8);
      await go("stepOutRequest", 14);
      assert.equal((await dc.evaluateRequest({ expression: "l->v", context: "watch" })).body.result, "41");
    });
  });
}

describe("gulo's own requests", { timeout: 300_000 }, () => {
  test("a picture is asserted and a repair found", async () => {
    const dc = new DebugClient(gulo, "dap", "gulo");
    dc.defaultTimeout = 120_000;
    await dc.start();
    await Promise.all([dc.configurationSequence(), dc.launch({ program: list, engine: "machine", stopOnEntry: true }), dc.waitForEvent("stopped")]);
    const run = async (line) => (await dc.customRequest("gulo/command", { line })).body;
    for (const line of ["next 4", "step", "next 3", "spec", "enter", "next 5", "change current n3", "change n4->prev n3", "spec", "enter", "next 5", "change current n2", "change n3->prev n2", "spec"]) await run(line);
    const r = (await dc.customRequest("gulo/repair")).body;
    assert.match(r.view.repairs[0].diff, /temp2 = current->next;/);
    await dc.stop();
  });
});
