// The text editor. It is loaded only where somebody edits: it is by far the largest part of the page.
//
// Pages may hold no style elements, so the editor stands in a shadow tree, whose styles are adopted by script.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic as Mark, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  dropCursor,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Diagnostic, Meaning } from "../api";
import { atCursor, completing, explaining, made, sentence } from "./assist";
import { language } from "./language";
import { SIGNS, isHere, range } from "./places";
import { theme } from "./theme";

/** What the page does with the editor. */
export interface Code {
  /** Takes another text, with the cursor where it was as far as can be. */
  replace(text: string): void;
  /** Marks what is wrong. */
  mark(found: Diagnostic[]): void;
  /** Shows a place, with the cursor on it. */
  go(found: Diagnostic): void;
  /** Shows a line, with the cursor at its beginning. */
  line(number: number): void;
  destroy(): void;
}

export interface Asked {
  host: HTMLElement;
  file: string;
  text: string;
  /** An id of the page that describes the editor cannot reach into its tree, so its name is a text. */
  label: string;
  changed: (text: string) => void;
  explained: (meaning: Meaning | null) => void;
}

/** Marks changes that come from the page, so that it is not told of them. */
const ours = Annotation.define<boolean>();

function mark(view: EditorView, found: Diagnostic): Mark {
  const { sign, word } = SIGNS[found.severity];
  const renderMessage = () => {
    const out = made("div", "says", made("b", "", `${sign} ${word}: `), ...sentence(found.message));
    if (found.label) out.append(made("p", "", found.label));
    if (found.help) out.append(made("p", "help", ...sentence(`Help: ${found.help}`)));
    return out;
  };
  const severity = found.severity === "note" ? "info" : found.severity;
  return { ...range(view.state.doc, found), severity, message: `${word}: ${found.message}`, renderMessage };
}

/** The smallest change that makes one text another: marks and the cursor outside of it stay. */
function change(before: string, after: string) {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from++;
  let [to, end] = [before.length, after.length];
  while (to > from && end > from && before[to - 1] === after[end - 1]) [to, end] = [to - 1, end - 1];
  return { from, to, insert: after.slice(from, end) };
}

export function open(asked: Asked): Code {
  const { host, file } = asked;
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const narrow = matchMedia("(max-width: 899px)");
  const wrapping = new Compartment();
  const wrap = () => (narrow.matches ? EditorView.lineWrapping : []);
  const view: EditorView = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: asked.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightSpecialChars(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        history(),
        drawSelection({ cursorBlinkRate: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1200 }),
        dropCursor(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        search({ top: true }),
        autocompletion({ override: [completing(file)], icons: false, maxRenderedOptions: 60 }),
        explaining(file),
        language,
        theme,
        wrapping.of(wrap()),
        EditorView.contentAttributes.of({
          "aria-label": asked.label,
          tabindex: "0",
          spellcheck: "false",
          autocapitalize: "off",
        }),
        keymap.of([
          {
            key: "F1",
            run: (view) => {
              void atCursor(file, view).then(asked.explained);
              return true;
            },
          },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...completionKeymap,
          ...lintKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          const own = update.transactions.some((transaction) => transaction.annotation(ours));
          if (update.docChanged && !own) asked.changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  const rewrap = () => view.dispatch({ effects: wrapping.reconfigure(wrap()) });
  narrow.addEventListener("change", rewrap);
  return {
    replace(text) {
      const now = view.state.doc.toString();
      if (now !== text) view.dispatch({ changes: change(now, text), annotations: ours.of(true) });
    },
    mark(found) {
      const marks = found.filter((one) => isHere(one, file) && one.line !== null).map((one) => mark(view, one));
      marks.sort((a, b) => a.from - b.from);
      view.dispatch(setDiagnostics(view.state, marks));
    },
    go(found) {
      const { from, to } = range(view.state.doc, found);
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    line(number) {
      const { from } = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    destroy() {
      narrow.removeEventListener("change", rewrap);
      view.destroy();
    },
  };
}
