// Colours of C: comments, strings, words of the language, types, numbers, the preprocessor.

import { h } from "./dom";
import type { Child } from "./dom";

/** Run is a part of a line that has a colour: where it begins and ends, and its class. */
export type Run = [number, number, string];

const words = new Set("break case continue default do else for goto if return sizeof switch while typedef static extern register inline _Alignof _Generic alignof".split(" "));
const types = new Set("auto bool char const double enum float int long restrict short signed struct union unsigned void volatile _Bool FILE size_t ssize_t ptrdiff_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t uintptr_t intptr_t va_list".split(" "));

const token = /\/\/.*|\/\*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\b(?:0[xX][\da-fA-F]+|\d[\d.]*(?:[eE][-+]?\d+)?)[uUlLfF]*|[A-Za-z_]\w*/g;

/** colours are the runs of every line; a comment may go over several. */
export function colours(lines: string[]): Run[][] {
  let comment = false, directive = false;
  return lines.map((text) => {
    const out: Run[] = [];
    let at = 0;
    if (comment) {
      const end = text.indexOf("*/");
      at = end < 0 ? text.length : end + 2;
      comment = end < 0;
      out.push([0, at, "c"]);
    }
    directive = !comment && (directive || /^\s*#/.test(text));
    const include = directive && /^\s*#\s*include\b/.exec(text);
    if (directive) {
      const name = /^\s*#\s*\w+/.exec(text.slice(at));
      if (name) { out.push([at, at + name[0].length, "p"]); at += name[0].length; }
    }
    if (include) { out.push([at, text.length, "s"]); at = text.length; }
    token.lastIndex = at;
    for (let m = token.exec(text); m; m = token.exec(text)) {
      const word = m[0], from = m.index;
      let to = from + word.length;
      if (word === "/*") {
        const end = text.indexOf("*/", to);
        to = end < 0 ? text.length : end + 2;
        comment = end < 0;
        token.lastIndex = to;
        out.push([from, to, "c"]);
      } else if (word.startsWith("//")) out.push([from, to, "c"]);
      else if (/^["']/.test(word)) out.push([from, to, "s"]);
      else if (/^\d/.test(word)) out.push([from, to, "n"]);
      else if (words.has(word)) out.push([from, to, "k"]);
      else if (types.has(word)) out.push([from, to, "t"]);
      else if (/^\s*\(/.test(text.slice(to))) out.push([from, to, "f"]);
    }
    directive = directive && text.endsWith("\\");
    return out;
  });
}

/** paint makes the part of a line from one column to another, coloured. */
export function paint(text: string, runs: Run[], from = 0, to = text.length): Child[] {
  const out: Child[] = [];
  let at = from;
  for (const [a, b, c] of runs) {
    const begin = Math.max(a, at), end = Math.min(b, to);
    if (begin >= end) continue;
    if (begin > at) out.push(text.slice(at, begin));
    out.push(h("span", { class: "c-" + c }, text.slice(begin, end)));
    at = end;
  }
  if (at < to) out.push(text.slice(at, to));
  return out;
}

/** painted is a line with what stands before it apart, so that only the text is underlined. */
export function painted(text: string, runs: Run[]): Child[] {
  const begin = text.length - text.trimStart().length;
  return [text.slice(0, begin), h("span", { class: "text" }, ...(text.trim() === "" ? [" "] : paint(text, runs, begin)))];
}
