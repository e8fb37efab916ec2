// The webview: the page's picture, beside the source. What a gesture means goes to the
// extension as a command line; what comes of it comes back as the session's state.

import { HeapView } from "../../../internal/web/ui/heap";
import { byId } from "../../../internal/web/ui/dom";
import { left, says } from "../../../internal/web/ui/panels";
import { short } from "./problems";
import type { FromPicture, ToPicture } from "./protocol";

declare function acquireVsCodeApi(): { postMessage(m: FromPicture): void };

const host = acquireVsCodeApi();

function announce(text: string): void { byId("live").textContent = text; }

let wanted = ""; // a folded node that was asked for

const heap = new HeapView(byId("canvas"), { command: (line) => host.postMessage({ kind: "command", line }), open, announce });

/** open asks for a node that is folded, with what is near it. */
function open(node: string): void {
  if (heap.reveal(node)) return;
  wanted = node;
  host.postMessage({ kind: "open", node });
}

const actions: Record<string, () => void> = { zoomin: () => heap.zoomBy(1.25), zoomout: () => heap.zoomBy(0.8), fit: () => heap.fit(true) };
for (const [id, act] of Object.entries(actions)) byId(id).addEventListener("click", act);
for (const b of document.querySelectorAll<HTMLElement>("[data-line]")) b.addEventListener("click", () => host.postMessage({ kind: "command", line: b.dataset.line! }));
byId("search").addEventListener("submit", (e) => {
  e.preventDefault();
  const name = byId<HTMLInputElement>("find").value.trim();
  if (heap.reveal(name)) return;
  if (/^n?\d+$/.test(name)) open("n" + name.replace(/^n/, ""));
  else announce(`no node or variable ${name} in the picture`);
});
byId("apply").addEventListener("click", () => host.postMessage({ kind: "apply", n: 0 }));

window.addEventListener("message", (e: MessageEvent<ToPicture>) => {
  const m = e.data;
  switch (m.kind) {
    case "view": {
      const v = m.view;
      heap.show(v.picture);
      byId("place").textContent = v.message || (v.place ? `${v.place.function}, line ${v.place.line}` : v.state);
      byId("rest").textContent = left(v.picture);
      byId("found").hidden = v.repairs.length === 0;
      byId("edits").textContent = v.repairs[0]?.edits.map(short).join("; ") ?? "";
      document.body.dataset.undo = String(v.undo.length);
      announce(says(v));
      if (wanted && !heap.reveal(wanted)) announce(`no node ${wanted}`);
      wanted = "";
      break;
    }
    case "none":
      heap.show(null);
      byId("found").hidden = true;
      byId("place").textContent = m.why;
      break;
    case "say":
      byId("said").textContent = m.text;
      announce(m.text);
      break;
  }
});

host.postMessage({ kind: "ready" });
