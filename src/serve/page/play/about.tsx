// The pieces, the position as a text, and where the game comes from.

import type { Seen } from "../api";
import { link } from "../route";
import { Copy } from "./copy";
import { base } from "./variant";

export function About({ seen }: { seen: Seen }) {
  const isLink = seen.source && /^https?:\/\//.test(seen.source);
  return (
    <div class="about">
      {seen.summary && <p>{seen.summary}</p>}
      <p class="row">
        <a class="button" href={link("edit", { f: base(seen.variant) })}>
          Edit the definition
        </a>
        <a class="button" href={link("compare", { a: base(seen.variant), b: seen.variant })}>
          Compare
        </a>
      </p>
      <dl>
        {seen.legend && (
          <>
            <dt>Pieces</dt>
            <dd>{seen.legend}</dd>
          </>
        )}
        {!seen.over && (
          <>
            <dt>Legal moves</dt>
            <dd>{seen.legal.toLocaleString("en")}</dd>
          </>
        )}
        {seen.author && (
          <>
            <dt>Author</dt>
            <dd>{seen.author}</dd>
          </>
        )}
        {seen.source && (
          <>
            <dt>Source</dt>
            <dd>{isLink ? <a href={seen.source} rel="noreferrer" target="_blank">{seen.source}</a> : seen.source}</dd>
          </>
        )}
        <dt>Keys</dt>
        <dd>
          Arrow keys go from site to site, Enter or Space chooses, Escape takes a choice back. Page up and Page down step
          through the plies, with Shift to the start and the end; Ctrl+Z and Ctrl+Y step through the turns.
        </dd>
        <dt>Position</dt>
        <dd>
          <code class="position" tabIndex={0}>
            {seen.position}
          </code>
          <Copy text={seen.position} name="Copy the position" />
        </dd>
      </dl>
    </div>
  );
}
