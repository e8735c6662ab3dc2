// Help while typing: words that fit, and what a word means. The server knows both.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { type Tooltip, type EditorView, hoverTooltip } from "@codemirror/view";
import * as api from "../api";

/** A part of the page, made without HTML text. */
export function made(tag: string, className: string, ...inside: (string | Node)[]): HTMLElement {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...inside);
  return element;
}

/** A sentence whose code stands between backticks. */
export const sentence = (text: string): (string | Node)[] =>
  text.split("`").map((part, at) => (at % 2 === 1 ? made("span", "code", part) : part));

function says(meaning: api.Meaning): HTMLElement {
  const head = made("div", "", made("b", "", meaning.label), made("span", "kind", meaning.kind));
  const out = made("div", "says", head);
  if (meaning.says) out.append(made("p", "", meaning.says));
  if (meaning.detail) out.append(made("code", "", meaning.detail.trim()));
  return out;
}

const ICONS: Record<string, string> = { key: "property", table: "namespace", "built-in": "function" };

/** The words that fit at a place. */
export function completing(file: string) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.matchBefore(/[A-Za-z][\w-]*/);
    if (!before && !context.explicit) return null;
    const text = context.state.doc.toString();
    const stop = new AbortController();
    context.addEventListener("abort", () => stop.abort());
    try {
      const found = await api.complete({ file, text }, context.pos, stop.signal);
      if (context.aborted || found.words.length === 0) return null;
      const options = found.words.map(
        (word): Completion => ({
          label: word.label,
          type: ICONS[word.kind] ?? "variable",
          detail: word.kind,
          info: () => says(word),
        }),
      );
      return { from: found.from, options, validFor: /^[\w-]*$/ };
    } catch {
      // No words are better than a message at each key.
      return null;
    }
  };
}

async function explained(file: string, view: EditorView, at: number): Promise<Tooltip | null> {
  const text = view.state.doc.toString();
  const word = view.state.wordAt(at);
  const meaning = await api.hover({ file, text }, at).catch(() => null);
  if (!meaning) return null;
  return { pos: word?.from ?? at, end: word?.to ?? at, above: true, create: () => ({ dom: says(meaning) }) };
}

/** What the word under the pointer means. */
export const explaining = (file: string) => hoverTooltip((view, at) => explained(file, view, at), { hoverTime: 250 });

/** What the word at the cursor means, for those who have no pointer. */
export async function atCursor(file: string, view: EditorView): Promise<api.Meaning | null> {
  const text = view.state.doc.toString();
  return api.hover({ file, text }, view.state.selection.main.head).catch(() => null);
}
