// Small helpers over the document.

export type Child = Node | string | null | undefined | false;

/** h makes an HTML element; attributes whose value is undefined are left out. */
export function h(tag: string, attrs: Record<string, string | undefined>, ...children: Child[]): HTMLElement {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs)) if (v !== undefined) e.setAttribute(k, v);
  for (const c of children) if (c) e.append(c);
  return e;
}

/** keyed is text in which keys in parentheses are left out where there is no keyboard. */
export const keyed = (text: string): Child[] => text.split(/( \(\w(?:, \w)*\)|; w saves the repaired source)/).map((t, i) => i % 2 === 1 ? h("span", { class: "keys" }, t) : t);

/** s makes an SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attrs: Record<string, string | number>, ...children: Child[]): SVGElementTagNameMap[K] {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(e, attrs);
  for (const c of children) if (c) e.append(c);
  return e;
}

/** set writes those attributes that differ. */
export function set(e: Element, attrs: Record<string, string | number>): void {
  for (const [k, v] of Object.entries(attrs)) {
    const text = String(v);
    if (e.getAttribute(k) !== text) e.setAttribute(k, text);
  }
}

/** element makes an element of SVG text that the server has written. */
export function element(text: string): Element {
  const d = document.createElement("template");
  d.innerHTML = text;
  return d.content.firstElementChild!;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const e = document.getElementById(id);
  if (!e) throw new Error(`the page has no ${id}`);
  return e as T;
}

/** button makes a button that does something. */
export function button(text: string, attrs: Record<string, string | undefined>, act: () => void): HTMLButtonElement {
  const b = h("button", { type: "button", ...attrs }, text) as HTMLButtonElement;
  b.addEventListener("click", act);
  return b;
}

export function typing(): boolean {
  const e = document.activeElement;
  return e instanceof HTMLInputElement && e.type !== "checkbox" && e.type !== "range" || e instanceof HTMLTextAreaElement;
}
