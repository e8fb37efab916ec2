// The server: events come in, command lines go out.

import type { Entry, SourceFile, State, View } from "./types";

export interface Listener {
  hello(s: State): void;
  state(s: State): void;
  busy(line: string): void;
  progress(text: string): void;
  news(text: string): void; // of a search that went on after its command had answered
  lost(): void;
  refused(): void; // another server is at this address
}

/** listen tells what happens, and connects again when the connection breaks. */
export function listen(l: Listener): void {
  const es = new EventSource("/api/events");
  const on = <T>(name: string, f: (data: T) => void) =>
    es.addEventListener(name, (e) => f(JSON.parse((e as MessageEvent<string>).data) as T));
  on<State>("hello", (d) => l.hello(d));
  on<State>("state", (d) => l.state(d));
  on<string>("busy", (d) => l.busy(d));
  on<string>("progress", (d) => l.progress(d));
  on<string>("news", (d) => l.news(d));
  es.onerror = () => {
    l.lost();
    if (es.readyState !== EventSource.CLOSED) return;
    void fetch("/api/source", { method: "HEAD" }).then((r) => { if (r.status === 403) l.refused(); }, () => undefined);
    setTimeout(() => listen(l), 2000);
  };
}

async function post<T>(path: string, body: object): Promise<T> {
  const r = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  if (!r.ok) throw new Error((await r.text()).trim());
  return await r.json() as T;
}

export const command = (line: string, seq?: number) => post<Entry>("/api/command", seq === undefined ? { line } : { line, seq });
export const cancel = () => post<object>("/api/cancel", {});
export const look = (nodes: number, focus: number) => post<object>("/api/look", { nodes, focus });
export const complete = (line: string) => post<string[]>("/api/complete", { line });

async function get<T>(path: string): Promise<T> {
  const r = await fetch(path);
  if (!r.ok) throw new Error((await r.text()).trim());
  return await r.json() as T;
}

export const source = () => get<SourceFile[]>("/api/source");
export const moment = (id: number) => get<View>(`/api/moment?id=${id}`);
