// The file that share writes: a time line through its states, and colours of the source. Without it the file still
// shows the source, the last picture, and a link to every other one.

import { colours, paint } from "./colour";
import { byId } from "./dom";

const moments = [...document.querySelectorAll<HTMLElement>(".moment")];
const links = [...document.querySelectorAll<HTMLElement>("#rest ol li")];
const slider = byId<HTMLInputElement>("at");

for (const source of document.querySelectorAll(".source")) {
  const codes = [...source.querySelectorAll("code")], runs = colours(codes.map((c) => c.textContent ?? ""));
  codes.forEach((c, i) => c.replaceChildren(...paint(c.textContent ?? "", runs[i]!).filter((x) => x instanceof Node || typeof x === "string")));
}

function show(i: number): void {
  const k = Math.max(0, Math.min(moments.length - 1, i)), m = moments[k]!;
  moments.forEach((x) => x.classList.toggle("on", x === m));
  links.forEach((x, n) => x.classList.toggle("on", n === k));
  slider.value = String(k + 1);
  const says = m.querySelector("h2")?.textContent ?? "";
  slider.setAttribute("aria-valuetext", says);
  byId("says").textContent = `${k + 1} of ${moments.length}`;
  byId<HTMLButtonElement>("earlier").disabled = k === 0;
  byId<HTMLButtonElement>("later").disabled = k === moments.length - 1;
  for (const e of document.querySelectorAll(".line.here")) e.classList.remove("here");
  const [file, line] = (m.dataset.at ?? "").split(":").map(Number);
  const here = document.querySelector<HTMLElement>(`.line[data-at="${file}:${(line ?? 0) - 1}"]`);
  here?.classList.add("here");
  const pre = here?.parentElement;
  if (here && pre) pre.scrollTop += here.getBoundingClientRect().top - pre.getBoundingClientRect().top - pre.clientHeight / 2;
}

if (moments.length > 0) {
  byId("pictures").classList.add("script");
  byId("time").hidden = moments.length < 2;
  slider.max = String(moments.length);
  const from = () => moments.findIndex((m) => "#" + m.id === location.hash);
  slider.addEventListener("input", () => show(Number(slider.value) - 1));
  byId("earlier").addEventListener("click", () => show(Number(slider.value) - 2));
  byId("later").addEventListener("click", () => show(Number(slider.value)));
  window.addEventListener("hashchange", () => { if (from() >= 0) show(from()); });
  document.addEventListener("keydown", (e) => {
    if (document.activeElement === slider || e.ctrlKey || e.altKey || e.metaKey) return;
    if (e.key === "[" || e.key === "ArrowLeft") show(Number(slider.value) - 2);
    else if (e.key === "]" || e.key === "ArrowRight") show(Number(slider.value));
  });
  show(from() >= 0 ? from() : moments.length - 1);
}
