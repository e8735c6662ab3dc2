// A button that copies a text, and says so.

import { useState } from "preact/hooks";

export function Copy({ text, name }: { text: string | (() => string); name: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    const value = typeof text === "string" ? text : text();
    try {
      await navigator.clipboard.writeText(value);
      setSaid("Copied");
    } catch {
      // Pages of another machine may have no clipboard: the older way is to select and copy.
      const field = document.createElement("textarea");
      field.value = value;
      document.body.append(field);
      field.select();
      setSaid(document.execCommand("copy") ? "Copied" : "It could not be copied");
      field.remove();
    }
    setTimeout(() => setSaid(""), 2000);
  };
  return (
    <span class="copy">
      <button type="button" onClick={() => void copy()}>
        {name}
      </button>
      <span role="status" class="copied">
        {said}
      </span>
    </span>
  );
}
