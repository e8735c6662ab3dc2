// What the server is asked, and what it says: see `src/cli/serve`.

/** A part of a move. */
export type Word = { site: string } | { kind: string } | { player: string } | { direction: string } | { number: number } | "none";

export interface Unsaved {
  file: string;
  text: string;
}

/** A game in progress: all that there is to keep of it. */
export interface Table {
  variant: string;
  setup?: string | null;
  /** Digits: some seeds are larger than numbers are exact here. */
  seed: string;
  moves: string[];
  /** The player who has resigned: a side, whoever plays it. */
  resigned?: number | null;
  /** Whether that player did not resign but had no time left. */
  late?: boolean;
  chosen?: Word[];
  typed?: string | null;
  unsaved?: Unsaved | null;
}

export interface Option {
  name: string;
  summary: string;
  values: (boolean | string | number)[] | { from: number; to: number };
  default: boolean | string | number;
  value: boolean | string | number;
  requires: string[];
  conflicts: string[];
  extension: string | null;
}

export interface Site {
  name: string;
  x: number;
  y: number;
  says: string;
  owner: number | null;
  last: boolean;
  threatened: boolean;
}

/** An entry of a variable of the state. */
export interface Variable {
  name: string;
  /** Whose entry it is. */
  player: number | null;
  /** What else the entry is for. */
  of: string;
  value: string;
}

export interface Ply {
  text: string;
  /** How it is written right behind the ply before it in the turn; nothing where its text stands there, behind a blank. */
  joined?: string | null;
  /** The player who made it, and the number of the person who decided; chance is no person. */
  by: string;
  person?: number | null;
  turn: boolean;
}

/** All that is seen of a table. */
export interface Seen {
  variant: string;
  title: string;
  summary: string | null;
  author: string | null;
  source: string | null;
  fingerprint: string;
  players: string[];
  options: Option[];
  setups: string[];
  deals: boolean;
  plies: Ply[];
  svg: string;
  sites: Site[];
  state: Variable[];
  legend: string | null;
  position: string;
  scores: number[];
  /** The player who is to move: a side. */
  mover: number | null;
  /** The person who decides. Seats belong to persons. */
  person: number | null;
  /** The person who plays for each player: another one after sides were swapped. */
  persons: number[];
  chance: string | null;
  over: { result: string; why: string | null; winner: number | null } | null;
  prompt: string;
  chosen: Word[];
  targets: string[];
  entries: { text: string; part: Word | null }[];
  legal: number;
  illegal: { ply: number; text: string; why: string } | null;
  mistyped: string | null;
}

export interface Game {
  name: string;
  title: string;
  author: string | null;
  summary: string | null;
  players: string[];
  options: number;
  shipped: boolean;
  wrong: string | null;
}

export interface About {
  version: string;
  read_only: boolean;
  agents: [string, string][];
}

export interface Found {
  rank: number;
  depth: number;
  nodes: number;
  value: number;
  proved: number | null;
  line: string[];
}

export interface Diagnostic {
  severity: "error" | "warning" | "note";
  code: string;
  message: string;
  file: string | null;
  line: number | null;
  column: number | null;
  end: { line: number; column: number } | null;
  label: string | null;
  help: string | null;
}

export interface TestVerdict {
  test: string;
  line: number;
  ok: boolean;
  skipped: string | null;
  failures: Diagnostic[];
}

export interface RuleRow {
  key: string;
  rule: string;
  /** The options and files that changed it. */
  by: string[];
}

/** What a definition means. */
export interface Described {
  /** What has a name that rules use: pieces, relations, definitions, effects. */
  named: { name: string; rows: RuleRow[] }[];
  decisions: { name: string; chance: boolean; rules: RuleRow[] }[];
  turn: RuleRow[];
  listing: string;
}

export interface Checked {
  playable: boolean;
  /** What is played with the text: itself, or the game that an extension is for, with the extension. */
  variant: string;
  diagnostics: Diagnostic[];
  notes: Diagnostic[];
  tests: TestVerdict[];
  seen: string | null;
  described: Described | null;
}

export interface FileText {
  text: string;
  seal: string;
  writable: boolean;
}

export interface Meaning {
  label: string;
  kind: string;
  detail: string;
  says: string;
}

export interface Compared {
  report: number;
  verdict: string[];
  rows: {
    name: string;
    unit: string;
    definition: string;
    values: [Figure, Figure];
    /** Whether they differ, and how that is said. */
    test: { p: string; differs: boolean; says: string } | null;
  }[];
  notes: string[];
}

/** What a figure is in words, and where it lies with the ends of its interval. A lower bound has no interval. */
export interface Figure {
  figure: string;
  interval: string | null;
  at: [number, number, number];
}

export interface Differs {
  rules: { section: string; sentence: string; left: string | null; right: string | null }[];
  same_program: boolean;
  line: string[] | null;
  says: string;
}

/** An answer that says why there is none. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

async function answered(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const text = await answer.text();
  let said = text;
  try {
    said = JSON.parse(text).error ?? text;
  } catch {
    // It is no JSON: the text itself says why.
  }
  if (answer.status === 408) said ||= "This takes too long: the server has stopped it.";
  throw new Refused(said || `the server answered ${answer.status}`, answer.status);
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await answered(await fetch(path, { signal }))).json();
}

async function send(path: string, body: unknown, method = "POST", signal?: AbortSignal): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return answered(await fetch(path, { method, headers, body: JSON.stringify(body), signal }));
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await send(path, body, "POST", signal)).json();
}

/** The lines of an answer as they come. Whoever stops listening stops the work. */
async function* lines<T>(answer: Response): AsyncGenerator<T> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += value ?? "";
    const whole = rest.split("\n");
    rest = whole.pop()!;
    for (const line of whole) if (line) yield JSON.parse(line) as T;
    if (done) return;
  }
}

export const about = () => get<About>("/api/about");
export const games = () => get<Game[]>("/api/games");
export const picture = (variant: string) => `/api/picture?v=${encodeURIComponent(variant)}`;
export const see = (table: Table, signal?: AbortSignal) => post<Seen>("/api/table", table, signal);

export type ThinkLine = { found: Found } | { move: string } | { error: string };
export async function* think(table: Table, agent: string, count: number, signal: AbortSignal) {
  yield* lines<ThinkLine>(await send("/api/think", { ...table, agent, lines: count }, "POST", signal));
}

export const read = (name: string) => get<FileText>(`/api/file?name=${encodeURIComponent(name)}`);
export const write = async (name: string, text: string, seal: string | null): Promise<FileText> =>
  (await send("/api/file", { name, text, seal }, "PUT")).json();
export const check = (draft: Unsaved, deep: boolean, signal?: AbortSignal) =>
  post<Checked>("/api/check", { ...draft, deep }, signal);
export const complete = (draft: Unsaved, at: number, signal?: AbortSignal) =>
  post<{ from: number; words: Meaning[] }>("/api/complete", { ...draft, at }, signal);
export const hover = (draft: Unsaved, at: number) => post<Meaning | null>("/api/hover", { ...draft, at });
export async function* watch(signal: AbortSignal) {
  yield* lines<{ changed: string }>(await answered(await fetch("/api/watch", { signal })));
}

export type CompareLine = { progress: { done: number; of: number } } | { done: Compared } | { error: string };
export async function* compare(variants: [string, string], games: number, level_games: number, signal: AbortSignal) {
  yield* lines<CompareLine>(await send("/api/compare", { variants, games, level_games }, "POST", signal));
}
export const differ = (variants: [string, string], signal?: AbortSignal) => post<Differs>("/api/differ", { variants }, signal);

export const record = async (table: Table): Promise<string> => (await send("/api/record", table)).text();
export const readRecord = (text: string) => post<Table>("/api/record/read", { record: text });
