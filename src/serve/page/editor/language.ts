// How a definition is coloured: TOML, and the words of rules inside its strings.
import { HighlightStyle, LanguageSupport, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { Tag, tags } from "@lezer/highlight";

/** Keys whose strings are prose or names, not rules. */
const PROSE = new Set(["name", "author", "source", "summary", "title", "extends", "for", "letter", "type", "per", "default"]);

/** Words that rules reserve, and the verbs and words of a turn's course. */
const RESERVED = new Set(
  (
    "and or not in is no some every sum union count if then else otherwise after at by through over onto upto leaving " +
    "wins loses let for put move turn remove lift carry swap either try may repeat longest pass"
  ).split(" "),
);

const rule = Tag.define("rule", tags.string);

/** What the mode of TOML knows at a place, as far as we look at it. */
interface Inner {
  inString: boolean;
  /** Whether a key is due, not a value. */
  lhs: boolean;
  inArray: number;
}

interface State {
  inner: Inner;
  /** The key that was read last. */
  key: string;
  /** The quotes of the string of rules that is being read. */
  quotes: string | null;
}

/** A part of a string of rules. */
function inRule(stream: StringStream, state: State): string | null {
  if (stream.match(state.quotes!)) {
    state.quotes = null;
    return "punctuation";
  }
  if (state.quotes!.length === 1 && stream.peek() === "\\") {
    stream.next();
    stream.next();
    return "rule";
  }
  if (stream.match(/^#.*/)) return "comment";
  if (stream.eatSpace()) return null;
  const word = stream.match(/^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*/);
  if (word && word !== true) return RESERVED.has(word[0]) ? "keyword" : "rule";
  if (stream.match(/^\d+/)) return "number";
  if (stream.match(/^(->|\+=|-=|\|=|&=|<=|>=|!=|\.\.|[-+*/%&|=<>?~])/)) return "operator";
  stream.next();
  return "punctuation";
}

/** Which strings hold no rules: a `#` in them is no comment, and their words mean nothing. */
function isProse(state: State): boolean {
  const last = state.key.split(".").pop()!.trim();
  return PROSE.has(last) || (last === "text" && !state.key.includes("("));
}

const definition = StreamLanguage.define<State>({
  ...toml,
  name: "definition",
  tokenTable: { rule },
  startState: (unit) => ({ inner: toml.startState!(unit) as Inner, key: "", quotes: null }),
  copyState: (state) => ({ ...state, inner: { ...state.inner } }),
  token(stream, state) {
    const { inner } = state;
    if (state.quotes) {
      const token = inRule(stream, state);
      // A string of one line that is not closed ends with its line.
      if (stream.eol() && state.quotes?.length === 1) state.quotes = null;
      return token;
    }
    if (stream.sol() && !inner.inString && !inner.inArray) inner.lhs = true;
    if (!inner.inString && !inner.lhs) {
      const quotes = isProse(state) ? null : stream.match(/^("""|'''|"|')/);
      if (quotes && quotes !== true) {
        state.quotes = quotes[0];
        return "punctuation";
      }
      // The keys of a table in one line.
      const word = stream.match(/^[A-Za-z_][\w-]*/);
      if (word && word !== true) {
        if (stream.match(/^\s*=/, false)) {
          state.key = word[0];
          return "propertyName";
        }
        return /^(true|false)$/.test(word[0]) ? "bool" : null;
      }
    }
    const isKey = inner.lhs;
    const token = toml.token(stream, inner);
    if (isKey && token === "property") state.key = stream.current();
    if (token === "property") return "propertyName";
    return token === "atom" && isKey ? "heading" : token;
  },
});

/** Colours come from the page's style sheet, which knows whether it is dark. */
const colours = HighlightStyle.define([
  { tag: tags.heading, color: "var(--code-table)", fontWeight: "650" },
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.keyword, color: "var(--code-word)", fontWeight: "600" },
  { tag: rule, color: "var(--code-rule)" },
  { tag: tags.string, color: "var(--code-prose)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.bool, color: "var(--code-number)" },
  { tag: tags.operator, color: "var(--code-word)" },
  { tag: tags.punctuation, color: "var(--code-faint)" },
  { tag: tags.comment, color: "var(--code-faint)", fontStyle: "italic" },
]);

export const language = [new LanguageSupport(definition), syntaxHighlighting(colours)];
