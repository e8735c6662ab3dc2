// Saves a text under another name.

import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { why } from "../play/table";
import { link } from "../route";
import type { Document } from "./document";
import { copyOf, typed } from "./names";

interface Props {
  name: string;
  doc: Document;
  close: () => void;
}

export function CopyDialog({ name, doc, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [value, setValue] = useState(() => copyOf(name).replace(/^\.\//, ""));
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current!.showModal(), []);
  const save = async (event: Event) => {
    event.preventDefault();
    const to = typed(value);
    if ("wrong" in to) return setWrong(to.wrong);
    // A new definition under the name that it has is saved, not copied.
    if (to.file === name) {
      doc.save();
      return close();
    }
    setBusy(true);
    try {
      await api.write(to.file, doc.text, null);
      // The changes are in the copy now: the file that they began with has none.
      doc.forget();
      close();
      location.hash = link("edit", { f: to.file });
    } catch (error) {
      const taken = error instanceof api.Refused && error.status === 409;
      setWrong(taken ? `There is a file ${to.file} already. Choose another name.` : why(error));
      setBusy(false);
    }
  };
  return (
    <dialog class="copy-dialog" ref={dialog} onClose={close} aria-labelledby="copy-title">
      <form onSubmit={save}>
        <h2 id="copy-title">Save a copy</h2>
        <label for="copy-name">Name of the new file</label>
        <input
          id="copy-name"
          type="text"
          value={value}
          autocomplete="off"
          spellcheck={false}
          aria-describedby="copy-says"
          aria-invalid={wrong !== null}
          onInput={(event) => {
            setValue(event.currentTarget.value);
            setWrong(null);
          }}
        />
        <p id="copy-says" class={wrong ? "wrong" : "hint"} role={wrong ? "alert" : undefined}>
          {wrong ?? "It is written into the folder that Farrier serves."}
        </p>
        <div class="row">
          <button type="submit" class="primary" disabled={busy}>
            Save the copy
          </button>
          <button type="button" onClick={() => dialog.current!.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
