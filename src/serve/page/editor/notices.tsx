// What there is to tell about the file: drafts, changes by other programs, what could not be saved.

import type { ComponentChildren } from "preact";
import type { Document, Opened } from "./document";
import { isFile } from "./names";

interface Props {
  opened: Opened;
  doc: Document;
  readOnly: boolean;
}

const when = (time: number) => {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  const clock = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return today ? clock : `${date.toLocaleDateString()}, ${clock}`;
};

function Notice({ warn = false, children }: { warn?: boolean; children: ComponentChildren }) {
  return (
    <div class={warn ? "notice warn" : "notice"}>
      <span class="notice-sign" aria-hidden="true">
        {warn ? "▲" : "i"}
      </span>
      {children}
    </div>
  );
}

export function Notices({ opened, doc, readOnly }: Props) {
  const { conflict, failed, restored, unkept } = doc;
  return (
    <div class="notices">
      {readOnly && (
        <Notice>
          <p>This server writes no files. What you change stays in this browser; Download keeps it.</p>
        </Notice>
      )}
      {!readOnly && !opened.writable && !isFile(opened.name) && (
        <Notice>
          <p>
            <b>{opened.name}</b> comes with Farrier and stays as it is. Save a copy to keep what you change.
          </p>
        </Notice>
      )}
      {conflict && (
        <Notice warn>
          <p>
            {conflict.theirs
              ? "Another program has changed this file since you opened it. Nothing is saved until you choose."
              : "The file is gone: another program has deleted or moved it. Your text is still here."}
          </p>
          {conflict.theirs && (
            <button type="button" onClick={doc.takeTheirs}>
              Load theirs
            </button>
          )}
          <button type="button" onClick={doc.overwrite}>
            {conflict.theirs ? "Overwrite with mine" : "Save it again"}
          </button>
        </Notice>
      )}
      {restored !== null && !conflict && doc.dirty && (
        <Notice>
          <p>Your changes of {when(restored)} were not saved. They are here again.</p>
          {opened.saved !== null && (
            <button type="button" onClick={doc.discard}>
              Discard them
            </button>
          )}
          <button type="button" onClick={doc.dismiss}>
            Keep them
          </button>
        </Notice>
      )}
      {unkept && (
        <Notice warn>
          <p>This browser keeps no more drafts: what you change is lost when you leave the page, unless you save or download it.</p>
        </Notice>
      )}
      {failed && (
        <Notice warn>
          <p>Not saved: {failed}</p>
          <button type="button" onClick={doc.dismiss}>
            Close
          </button>
        </Notice>
      )}
    </div>
  );
}
