// Lines and columns of the server as places of a text, and words for severities.
import type { Text } from "@codemirror/state";
import type { Diagnostic } from "../api";

/** Characters of a line, which the server counts, as units of UTF-16, which the browser counts. */
function units(line: string, characters: number): number {
  let at = 0;
  for (const character of line) {
    if (characters-- <= 0) break;
    at += character.length;
  }
  return at;
}

function place(doc: Text, line: number, column: number): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return found.from + units(found.text, column - 1);
}

/** What a diagnostic marks: at least one character, so that the mark is seen. */
export function range(doc: Text, found: Diagnostic): { from: number; to: number } {
  const from = place(doc, found.line ?? 1, found.column ?? 1);
  const end = found.end ? place(doc, found.end.line, found.end.column) : from;
  if (end > from) return { from, to: end };
  const line = doc.lineAt(from);
  return from < line.to ? { from, to: from + 1 } : { from: Math.max(line.from, from - 1), to: from };
}

/** Whether it is about the file itself, not about one that it builds on. */
export const isHere = (found: Diagnostic, file: string) => found.file === null || found.file === file;

/** Severities by sign and word. */
export const SIGNS = {
  error: { sign: "✕", word: "Error" },
  warning: { sign: "▲", word: "Warning" },
  note: { sign: "i", word: "Note" },
} as const;
