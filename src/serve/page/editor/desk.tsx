// A definition that is open: its text, what is wrong with it, and beside them what it is as a game.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Diagnostic, Meaning } from "../api";
import { useSay } from "../parts/say";
import { Tabs } from "../parts/tabs";
import { link } from "../route";
import { useCheck, useTests } from "./check";
import { CodeField } from "./code";
import type { Code } from "./codemirror";
import { CopyDialog } from "./copy";
import { Described } from "./described";
import { useDocument, type Opened } from "./document";
import { fileOf, isFile } from "./names";
import { Notices } from "./notices";
import { Problems } from "./problems";
import { Tests } from "./tests";
import { Trial } from "./trial";

const none: Diagnostic[] = [];

/** How many mistakes there are, in words. */
function verdict(found: Diagnostic[], playable: boolean): string {
  const count = (severity: Diagnostic["severity"], word: string) => {
    const n = found.filter((one) => one.severity === severity).length;
    return n === 0 ? [] : [`${n} ${word}${n === 1 ? "" : "s"}`];
  };
  const parts = [...count("error", "error"), ...count("warning", "warning"), ...count("note", "note")];
  if (parts.length === 0) return playable ? "No mistakes" : "It cannot be played";
  return parts.join(", ");
}

export function Desk({ opened, readOnly }: { opened: Opened; readOnly: boolean }) {
  const [Region, say] = useSay();
  const doc = useDocument(opened, say);
  const file = fileOf(opened.name);
  const check = useCheck(file, doc.text);
  const testing = useTests(file, doc.text);
  const [copying, setCopying] = useState(false);
  const [meaning, setMeaning] = useState<Meaning | null>(null);
  const code = useRef<Code | null>(null);
  const found = check.checked?.diagnostics ?? none;
  const playable = check.checked?.playable ?? false;
  const playing = isFile(opened.name) ? check.variant : opened.name;
  const mayWrite = opened.writable && !readOnly;
  const says = verdict(found, playable);
  const tests = testing.of === doc.text ? testing.found?.tests : undefined;
  // Tests that fail are marked in the text too, as long as it is the text that was tested.
  const marked = useMemo(() => [...found, ...(tests ?? []).flatMap((test) => test.failures)], [found, tests]);

  useEffect(() => {
    if (!check.checked) return;
    const first = found[0];
    say(first ? `${says}. ${first.message}, line ${first.line}` : says);
  }, [check.checked]);

  const saving = useRef(() => {});
  saving.current = () => {
    if (mayWrite) doc.save();
    else if (!readOnly) setCopying(true);
    else say("This server writes no files.");
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      saving.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const go = (one: Diagnostic) => code.current?.go(one);
  const goLine = (line: number) => code.current?.line(line);
  const status = doc.saving ? "Saving …" : doc.dirty ? (opened.saved === null ? "New" : "Not saved") : "Saved";
  const behind = !check.busy && !playable;
  const failed = testing.found?.tests.filter((test) => !test.ok && !test.skipped).length ?? 0;
  return (
    <div class="desk">
      <Region />
      <div class="desk-bar">
        <h1 class="desk-name">{opened.name.replace(/^\.\//, "")}</h1>
        <span class={doc.dirty ? "desk-status dirty" : "desk-status"}>
          <span aria-hidden="true">{doc.dirty ? "●" : "✓"}</span> {mayWrite || doc.dirty ? status : "Unchanged"}
        </span>
        <div class="desk-buttons">
          {mayWrite && (
            <button type="button" class="primary" disabled={!doc.dirty || doc.saving} onClick={doc.save} title="Ctrl-S">
              Save
            </button>
          )}
          {!readOnly && (
            <button type="button" onClick={() => setCopying(true)}>
              Save a copy as …
            </button>
          )}
          {readOnly && <Download file={file} text={doc.text} />}
          {opened.saved !== null && (
            <>
              <a class="button" href={link("compare", { a: playing })}>
                Compare
              </a>
              <a class="button" href={link("play", { v: playing })}>
                {!doc.dirty ? "Play" : isFile(opened.name) ? "Play the saved file" : "Play the original"}
              </a>
            </>
          )}
        </div>
      </div>
      <Notices opened={opened} doc={doc} readOnly={readOnly} />
      <div class="desk-panes">
        <section class="desk-text" aria-label="Text of the definition">
          <CodeField
            file={file}
            text={doc.text}
            version={doc.version}
            found={marked}
            changed={doc.type}
            explained={(meaning) => {
              setMeaning(meaning);
              say(meaning ? `${meaning.label}, ${meaning.kind}: ${meaning.says} ${meaning.detail}` : "Nothing is known of this word.");
            }}
            given={(given) => (code.current = given)}
          />
          {meaning && (
            <div class="meaning">
              <p>
                <b>{meaning.label}</b> <span class="meaning-kind">{meaning.kind}</span> {meaning.says}
                {meaning.detail && <code>{meaning.detail.trim()}</code>}
              </p>
              <button type="button" class="quiet" onClick={() => setMeaning(null)}>
                Close
              </button>
            </div>
          )}
          <section class="desk-problems" aria-label="Mistakes">
            <p class={`desk-verdict ${found.some((one) => one.severity === "error") ? "bad" : "good"}`} aria-busy={check.busy}>
              <span aria-hidden="true">{!check.checked ? "…" : found.length > 0 ? "✕" : "✓"}</span>{" "}
              {check.error ?? (check.checked ? says : "Reading the definition …")}
              <span class="desk-keys">
                <kbd>Ctrl</kbd> <kbd>Space</kbd> words that fit · <kbd>F1</kbd> what a word means
              </span>
            </p>
            {found.length > 0 && <Problems found={found} file={file} go={go} />}
          </section>
        </section>
        <section class="desk-side" aria-label="The game">
          <Tabs
            label="What is shown of the game"
            tabs={[
              { name: "Board", show: () => <BoardPane file={file} variant={check.variant} text={check.playable} behind={behind} say={say} /> },
              {
                name: "Tests",
                badge: failed > 0 ? `✕ ${failed}` : undefined,
                show: () => <Tests testing={testing} file={file} text={doc.text} playable={playable} go={go} goLine={goLine} say={say} />,
              },
              { name: "What it means", show: () => <Described found={check.described} behind={behind} /> },
            ]}
          />
        </section>
      </div>
      {copying && <CopyDialog name={opened.name} doc={doc} close={() => setCopying(false)} />}
    </div>
  );
}

function BoardPane(props: { file: string; variant: string; text: string | null; behind: boolean; say: (text: string) => void }) {
  const { text, behind } = props;
  if (text !== null) return <Trial {...props} text={text} />;
  return <p class="hint">{behind ? "The board comes as soon as the text has no mistakes." : "Reading the definition …"}</p>;
}

function Download({ file, text }: { file: string; text: string }) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = file.replace(/^.*\//, "");
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  return (
    <button type="button" onClick={save}>
      Download
    </button>
  );
}
