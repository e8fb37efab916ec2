// The extension as a user has it: code-server, a folder with a C file, F5. scripts/vscode installs the editor and names
// it in EDITOR_DIR; GULO and VSIX are what is tried. SHOTS is a folder for pictures of the editor.

const assert = require("node:assert/strict");
const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const { after, afterEach, before, beforeEach, test } = require("node:test");

const { GULO: gulo, VSIX: vsix, EDITOR_DIR: dir, SHOTS: shots } = process.env;
const { chromium } = createRequire(path.join(dir, "package.json"))("playwright-core");
const example = path.resolve(__dirname, "../../../examples/first/append.c");
const entry = path.join(dir, "node_modules/code-server/out/node/entry.js");
const limit = Number(process.env.LIMIT ?? 120) * 1000;

const freePort = () => new Promise((done) => {
  const s = net.createServer().listen(0, "127.0.0.1", () => { const { port } = s.address(); s.close(() => done(port)); });
});

/** until waits for what is outside the editor, for ten seconds. */
async function until(is) {
  for (let i = 0; i < 100 && !is(); i++) await new Promise((f) => setTimeout(f, 100));
}

/** Editor is a code-server of its own, with its own settings, and a page in the browser that shows a folder. */
class Editor {
  constructor(browser) { this.browser = browser; }

  async start(userSettings) {
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), "gulo-editor-"));
    this.folder = path.join(this.home, "work");
    this.file = path.join(this.folder, "append.c");
    const data = path.join(this.home, "data"), extensions = path.join(this.home, "extensions");
    fs.mkdirSync(path.join(data, "User"), { recursive: true });
    fs.mkdirSync(this.folder);
    fs.copyFileSync(example, this.file);
    fs.writeFileSync(path.join(data, "User/settings.json"), JSON.stringify({ "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off", ...userSettings }));
    const args = [entry, "--auth", "none", "--disable-telemetry", "--disable-update-check", "--config", path.join(this.home, "config.yaml"), "--user-data-dir", data, "--extensions-dir", extensions];
    const env = { ...process.env, HOME: this.home, XDG_DATA_HOME: this.home, XDG_CONFIG_HOME: this.home };
    execFileSync(process.execPath, [...args, "--install-extension", vsix], { env, stdio: "pipe" });
    const port = await freePort();
    this.said = "";
    this.server = spawn(process.execPath, [...args, "--bind-addr", `127.0.0.1:${port}`], { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const s of [this.server.stdout, this.server.stderr]) s.on("data", (d) => { this.said += d; });
    const until = Date.now() + limit;
    while (!this.said.includes("HTTP server listening")) {
      if (Date.now() > until || this.server.exitCode !== null) throw new Error(`code-server does not start: ${this.said}`);
      await new Promise((f) => setTimeout(f, 100));
    }
    this.page = await this.browser.newPage({ viewport: { width: 1400, height: 900 } });
    this.page.setDefaultTimeout(limit);
    await this.page.goto(`http://127.0.0.1:${port}/?folder=${this.folder}`);
  }

  async stop() {
    await this.page?.close();
    if (this.server && this.server.exitCode === null) {
      const gone = new Promise((f) => this.server.once("exit", f));
      this.server.kill();
      await gone;
    }
    if (this.home) fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** open answers the question of trust, opens the C file and waits until the editor knows its debuggers. */
  async open(trust) {
    await this.page.getByRole("button", { name: trust ? /^Yes, I trust/ : /^No, I don't trust/ }).click();
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: path.basename(this.file) }).dblclick();
    await this.page.locator(".view-lines .view-line").first().click();
    await this.page.locator(".editor-actions").getByRole("button", { name: "Debug This File" }).waitFor();
  }

  /** picture is the document of the webview. */
  picture() { return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame"); }

  /** at waits until the picture says where the program is. */
  async at(place) { await this.picture().locator("#place", { hasText: place }).waitFor(); }

  /** key presses a key. The editor takes one that steps only when its own buttons can be used, which may be after the picture has changed. */
  async key(key, place) {
    if (/F1[01]$/.test(key)) await this.page.locator(".debug-toolbar .codicon-debug-step-out:not(.disabled)").first().waitFor();
    await this.page.keyboard.press(key);
    if (place) await this.at(place);
  }

  /** f5 presses F5. An editor that has not loaded its debuggers yet shows the view of debugging instead, and it is pressed once more. */
  async f5(expected) {
    for (let tries = 0; ; tries++) {
      await this.page.locator(".view-lines .view-line").first().click();
      await this.page.keyboard.press("F5");
      try { await expected.waitFor({ timeout: limit / 5 }); return; } catch (err) { if (tries === 4) throw err; }
    }
  }

  /** command chooses a command by its name, as a user does. */
  async command(name) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").fill(`>${name}`);
    await this.page.locator(".quick-input-widget .monaco-list-row", { hasText: name }).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** drag takes the head of an arrow to a node. */
  async drag(key, node) {
    const p = this.picture();
    const spot = async (sel) => {
      const l = p.locator(sel).first();
      await l.waitFor();
      let b = await l.boundingBox();
      for (let was = null; JSON.stringify(was) !== JSON.stringify(b);) { // nodes that move
        was = b;
        await this.page.waitForTimeout(150);
        b = await l.boundingBox();
      }
      return [b.x + b.width / 2, b.y + b.height / 2];
    };
    const [x1, y1] = await spot(`[data-grip="${key}"]`), [x2, y2] = await spot(`[data-node="${node}"] .title`);
    await this.page.mouse.move(x1, y1);
    await this.page.mouse.down();
    await this.page.mouse.move(x2, y2, { steps: 8 });
    await this.page.mouse.up();
    await p.locator(`[data-key="${key}"] title`, { hasText: `${key} = ${node}` }).waitFor({ state: "attached" });
  }

  /** errors lists the errors that the editor shows as notifications. */
  async errors() { return this.page.locator(".notifications-toasts .notification-list-item:has(.codicon-error) .notification-list-item-message").allTextContents(); }

  async shoot(name) {
    if (!shots) return;
    fs.mkdirSync(shots, { recursive: true });
    await this.page.screenshot({ path: path.join(shots, `${name}.png`) });
  }
}

let browser, e;
before(async () => { browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] }); });
after(() => browser?.close());
beforeEach(() => { e = new Editor(browser); });
afterEach(async (t) => {
  if (t.passed !== true) await e.shoot(`failed-${t.name.replace(/\W+/g, "-")}`).catch(() => undefined);
  await e.stop();
});

test("F5 in a folder that is not trusted yet, a picture drawn right, a repair in the file", { timeout: 10 * limit }, async () => {
  await e.start({ "gulo.path": gulo });
  await e.open(false);
  const trust = e.page.getByRole("button", { name: /Trust Folder & Continue/ });
  await e.f5(trust);
  await trust.click();
  await e.at("main, line 24");
  assert.ok(!fs.existsSync(path.join(e.folder, ".vscode")), "a launch.json was written");
  const code = await e.page.locator(".editor-instance .view-lines").first().boundingBox();
  const picture = await e.page.locator("iframe.webview.ready").boundingBox();
  assert.ok(picture.x >= code.x + 100 && picture.width > 300 && Math.abs(picture.y - code.y) < 200, `the picture at ${JSON.stringify(picture)} is not beside the source at ${JSON.stringify(code)}`);
  await e.page.locator(".debug-top-stack-frame-line").first().waitFor();
  for (const line of [25, 26, 27]) await e.key("F10", `main, line ${line}`);
  await e.key("F11", "append, line 11");
  await e.key("Shift+F11", "main, line 28");
  await e.picture().locator("[data-node=n2]", { hasText: "unreachable" }).waitFor();
  await e.shoot("wrong");
  await e.drag("n1->next", "n2");
  await e.drag("n2->next", "n3");
  await e.shoot("drawn");
  await e.picture().getByRole("button", { name: "Assert" }).click();
  await e.picture().locator("#said", { hasText: "checkpoint 0" }).waitFor();
  await e.picture().getByRole("button", { name: "Repair" }).click();
  await e.picture().locator("#edits", { hasText: "last->next = n" }).waitFor();
  await e.shoot("repair");
  await e.picture().getByRole("button", { name: "Apply to the source" }).click();
  await e.page.locator(".view-line", { hasText: "last->next = n;" }).waitFor();
  await e.page.locator(".view-line", { hasText: "int main(void)" }).click();
  await e.page.keyboard.press("Control+S");
  const wanted = fs.readFileSync(example, "utf8").replace("list->next = n;", "last->next = n;");
  await until(() => fs.readFileSync(e.file, "utf8") === wanted);
  assert.equal(fs.readFileSync(e.file, "utf8"), wanted);
  execFileSync("gcc", ["-o", path.join(e.folder, "append"), e.file]);
  assert.equal(execFileSync(path.join(e.folder, "append"), { encoding: "utf8" }), "1 2 3 \n");
  assert.deepEqual(await e.errors(), []);
  await e.shoot("applied");
  await e.key("Shift+F5", "the session has ended");
});

test("a gulo that is not there is named, and is used once it is chosen", { timeout: 10 * limit }, async () => {
  await e.start({ "gulo.path": "/nowhere/gulo", "gulo.openPicture": false });
  await e.open(true);
  const message = e.page.locator(".notifications-toasts", { hasText: "gulo cannot be started" });
  await e.f5(message);
  assert.match(await message.textContent(), /\/nowhere\/gulo/);
  await message.getByRole("button", { name: "Choose the Program" }).click();
  const box = e.page.locator(".quick-input-widget input[type=text]");
  for (let is = ""; is !== gulo; is = await box.inputValue()) { // the dialog puts the folder in, at its time
    await box.fill(gulo);
    await e.page.waitForTimeout(1000);
  }
  await e.page.locator(".quick-input-widget").getByRole("button", { name: "Choose" }).click();
  const settings = path.join(e.home, "data/User/settings.json");
  await until(() => fs.readFileSync(settings, "utf8").includes(gulo));
  await e.f5(e.page.locator(".debug-top-stack-frame-line").first());
  assert.equal(await e.page.locator("iframe.webview").count(), 0, "the picture was opened though a setting says no");
  await e.command("gulo: Show the Heap");
  await e.at("main, line 24");
  await e.page.locator(".view-line", { hasText: "list = append(list, 2);" }).click();
  await e.command("Debug: Jump to Cursor");
  await e.at("main, line 26");
  assert.deepEqual(await e.errors(), []);
});

const waits = `#include <stdlib.h>
#include <unistd.h>
struct node { int value; struct node *next; };
static struct node *list;
int main(void)
{
    for (int i = 1;; i++) {
        if (i < 4) {
            struct node *n = malloc(sizeof *n);
            n->value = i;
            n->next = list;
            list = n;
        }
        usleep(20000);
    }
}
`;

test("a running program is chosen, looked at, and left running", { timeout: 10 * limit }, async () => {
  await e.start({ "gulo.path": gulo });
  const file = path.join(e.folder, "waits.c"), exe = path.join(e.folder, "waits");
  fs.writeFileSync(file, waits);
  execFileSync("gcc", ["-g", "-O0", "-o", exe, file]);
  fs.mkdirSync(path.join(e.folder, ".vscode"));
  fs.writeFileSync(path.join(e.folder, ".vscode/launch.json"), JSON.stringify({ configurations: [{ type: "gulo", request: "attach", name: "a process", processId: "${command:pickProcess}" }] }));
  const child = spawn(exe, { stdio: "ignore" });
  try {
    await e.page.waitForTimeout(500); // three nodes
    e.file = file;
    await e.open(true);
    await e.f5(e.page.locator(".quick-input-widget .monaco-list-row").first());
    await e.page.locator(".quick-input-widget input[type=text]").fill(String(child.pid));
    await e.page.locator(".quick-input-widget .monaco-list-row", { hasText: /^waits/ }).first().click();
    await e.at("main, line ");
    await e.picture().locator("[data-node]").nth(2).waitFor();
    await e.shoot("attached");
    await e.key("Shift+F5", "the session has ended");
    await until(() => state(child.pid) !== "t");
    assert.match(state(child.pid), /[RS]/, "the process does not run any more");
    assert.deepEqual(await e.errors(), []);
  } finally {
    child.kill("SIGKILL");
  }
});

/** state is that of a process: R or S while it runs, t while a debugger holds it. */
const state = (pid) => fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1][0];
