// A board on which moves are chosen: by clicks, by dragging, by touch and by keys.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Seen, Word } from "../api";
import { draggable } from "./drag";
import { beside, draw, mark, type Drawing, type Place } from "./drawing";
import { Entries, placeOf as entriesAt, sitesOf } from "../parts/entries";
import { glide } from "./glide";

export interface BoardProps {
  seen: Seen;
  flipped?: boolean;
  /** All that is chosen so far of the next move. What is `held` is dragged: it is not played yet. */
  onChoose?: (words: Word[], held?: boolean) => void;
  /** A whole move is chosen that is no site: a pass. */
  onType?: (text: string) => void;
  /** What the board is called. */
  label?: string;
  readonly?: boolean;
  /** Sites that a hint names. */
  hints?: string[];
  /** Whether threatened pieces are marked. */
  threats?: boolean;
}

/** Where buttons stand on the board, in pixels: at a side of a site, and so far to the right of it as there is room. */
interface Spot {
  left: number;
  top: number;
  /** Where their own width has this point, from 0 to 1. */
  share: number;
  above: boolean;
}

const NOTHING: string[] = [];

export function Board(props: BoardProps) {
  const { seen, flipped = false, onChoose, onType, label, readonly = false, hints = NOTHING, threats = false } = props;
  const [spot, setSpot] = useState<Spot | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  /** The site that keys are at. */
  const cursor = useRef<string | null>(null);
  const shown = useRef<Seen | null>(null);
  const dropped = useRef<string | null>(null);
  const now = useRef({ seen, onChoose, readonly });
  now.current = { seen, onChoose, readonly };
  const name = label ?? `Board of ${seen.title}`;

  useLayoutEffect(() => {
    const hadFocus = host.current!.contains(document.activeElement);
    drawing.current = draw(host.current!, seen, flipped, name);
    if (!drawing.current) return;
    if (shown.current) glide(drawing.current, shown.current, seen, dropped.current);
    shown.current = seen;
    dropped.current = null;
    const places = drawing.current.places;
    if (!cursor.current || !places.has(cursor.current)) cursor.current = null;
    const at = cursor.current ?? seen.targets[0] ?? places.keys().next().value ?? null;
    rove(drawing.current, at);
    if (hadFocus && at) places.get(at)?.node.focus({ preventScroll: true });
  }, [seen.svg, flipped, name]);

  useLayoutEffect(() => {
    if (drawing.current) marks(drawing.current, seen, { readonly, hints, threats });
  }, [seen, flipped, name, readonly, hints.join(), threats]);

  useLayoutEffect(() => {
    const site = onType && !readonly ? entriesAt(seen) : null;
    const place = site && drawing.current?.places.get(site);
    if (!place) return setSpot(null);
    const put = () => setSpot(spotOf(host.current!, place));
    put();
    addEventListener("resize", put);
    return () => removeEventListener("resize", put);
  }, [seen, flipped, name, readonly]);

  /** What is chosen once a site is chosen too. */
  const chosenWith = (site: string): Word[] => {
    const { seen } = now.current;
    // A site that does not go on with the choice may begin another one.
    return seen.targets.includes(site) ? [...seen.chosen, { site }] : [{ site }];
  };
  const choose = (site: string) => {
    const { seen, onChoose, readonly } = now.current;
    if (readonly || !onChoose) return;
    const isTarget = seen.targets.includes(site);
    if (!isTarget && seen.chosen.length === 0) return;
    const isLast = !isTarget && sitesOf(seen.chosen).at(-1) === site;
    onChoose(isLast ? seen.chosen.slice(0, -1) : chosenWith(site));
  };

  useEffect(() => {
    if (readonly) return;
    let words: Word[] = [];
    return draggable(host.current!, {
      drawing: () => drawing.current,
      may: (place) => {
        const { seen } = now.current;
        return seen.targets.includes(place.name) || seen.chosen.length > 0;
      },
      begin: (place) => {
        words = chosenWith(place.name);
        const { seen, onChoose } = now.current;
        if (sitesOf(seen.chosen).at(-1) === place.name && !seen.targets.includes(place.name)) words = seen.chosen;
        else onChoose?.(words, true);
      },
      end: (from, to) => {
        const { seen, onChoose } = now.current;
        const isChosen = sitesOf(seen.chosen).at(-1) === from.name;
        if (!to || to.name === from.name) return onChoose?.(to ? words : [], false);
        if (isChosen && !seen.targets.includes(to.name)) return onChoose?.([], false);
        dropped.current = to.name;
        onChoose?.([...words, { site: to.name }], false);
      },
      cancel: () => now.current.onChoose?.([]),
    });
  }, [readonly]);

  // A click beside all that answers to clicks takes the choice back.
  useEffect(() => {
    if (readonly) return;
    const away = (event: PointerEvent) => {
      const { seen, onChoose } = now.current;
      const to = event.target as Element;
      if (seen.chosen.length === 0 || host.current!.contains(to) || to.closest("button, input, a, select, label")) return;
      onChoose?.([]);
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [readonly]);

  const placeOf = (event: Event): Place | null => {
    const site = (event.target as Element).closest<SVGGElement>("[data-site]")?.dataset.site;
    return (site && drawing.current?.places.get(site)) || null;
  };
  const go = (place: Place | null | undefined) => {
    if (!place) return;
    cursor.current = place.name;
    rove(drawing.current!, place.name);
    place.node.focus({ preventScroll: true });
  };
  const onKey = (event: KeyboardEvent) => {
    const place = placeOf(event);
    if (!place || !drawing.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const arrow = arrows[event.key];
    const row = () => [...place.node.parentElement!.children] as SVGGElement[];
    const named = (node: SVGGElement | undefined) => drawing.current!.places.get(node?.dataset.site ?? "");
    if (arrow) go(beside(drawing.current, place, ...arrow));
    else if (event.key === "Home") go(named(row()[0]));
    else if (event.key === "End") go(named(row().at(-1)));
    else if (event.key === "Enter" || event.key === " ") choose(place.name);
    else if (event.key === "Escape" && seen.chosen.length > 0) onChoose?.(seen.chosen.slice(0, -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event: Event) => {
    const place = placeOf(event);
    if (!place) return seen.chosen.length > 0 && !readonly ? onChoose?.([]) : undefined;
    cursor.current = place.name;
    rove(drawing.current!, place.name);
    choose(place.name);
  };
  // The ring of focus is drawn above the sites, for neighbours would cover it.
  const onFocus = (event: Event) => {
    const place = placeOf(event);
    if (!place || !drawing.current) return;
    // Whatever brought the keys here, they go on from here.
    cursor.current = place.name;
    rove(drawing.current, place.name);
    ring(drawing.current, place);
  };
  const onBlur = () => ring(drawing.current, null);

  return (
    <>
      <div
        ref={host}
        class={`board-host${readonly ? " still" : ""}`}
        onKeyDown={onKey}
        onClick={onClick}
        onFocusIn={onFocus}
        onFocusOut={onBlur}
      />
      {spot && (
        <div
          class="at-place"
          style={{
            left: `${spot.left}px`,
            top: `${spot.top}px`,
            transform: `translate(${-100 * spot.share}%, ${spot.above ? "-100%" : "0"})`,
          }}
        >
          <Entries seen={seen} choose={(words) => onChoose?.(words)} type={(text) => onType?.(text)} />
        </div>
      )}
    </>
  );
}

/** Buttons stand below a site in the upper half, above one in the lower half, and never beside the board. */
function spotOf(host: HTMLElement, place: Place): Spot {
  const [all, site] = [host.getBoundingClientRect(), place.ground.getBoundingClientRect()];
  const x = site.x + site.width / 2 - all.x;
  const above = site.y + site.height / 2 - all.y > all.height / 2;
  const y = (above ? site.top - 4 : site.bottom + 4) - all.y;
  return { left: host.offsetLeft + x, top: host.offsetTop + y, share: Math.min(1, Math.max(0, x / all.width)), above };
}

/** One site is reached by the tabulator key; the others are reached from it. */
function rove(drawing: Drawing, at: string | null) {
  for (const place of drawing.places.values()) place.node.setAttribute("tabindex", place.name === at ? "0" : "-1");
}

function ring(drawing: Drawing | null, place: Place | null) {
  if (!drawing) return;
  for (const old of drawing.marks.querySelectorAll(".focus, .focus-inside")) old.remove();
  if (!place?.node.matches(":focus-visible")) return;
  // Dark with light in it: seen on every ground.
  mark(drawing, "focus", place);
  mark(drawing, "focus-inside", place);
}

interface Shown {
  readonly: boolean;
  hints: string[];
  threats: boolean;
}

/** Shows and says what can be chosen, what is chosen, and where the last move was. */
function marks(drawing: Drawing, seen: Seen, { readonly, hints, threats }: Shown) {
  const focused = drawing.marks.querySelectorAll(".focus, .focus-inside");
  drawing.marks.replaceChildren();
  const targets = new Set(readonly ? [] : seen.targets);
  const chosen = new Set(sitesOf(seen.chosen));
  const begun = seen.chosen.length > 0;
  drawing.svg.classList.toggle("begun", begun);
  for (const site of seen.sites) {
    const place = drawing.places.get(site.name);
    if (!place) continue;
    const isTarget = targets.has(site.name);
    const isChosen = chosen.has(site.name);
    const says = [
      place.words === site.name ? `${site.name}: empty` : place.words,
      isChosen && "chosen",
      isTarget && "can be chosen",
      site.last && "last move",
      threats && site.threatened && "threatened",
      hints.includes(site.name) && "hint",
    ];
    place.node.setAttribute("aria-label", says.filter(Boolean).join(", "));
    place.node.setAttribute("aria-selected", String(isChosen));
    place.node.classList.toggle("picked", isChosen);
    place.node.classList.toggle("target", isTarget);
    const hasPiece = site.owner !== null;
    place.node.classList.toggle("carried", isTarget && hasPiece);
    if (site.last) mark(drawing, "last-mark", place);
    if (threats && site.threatened) mark(drawing, "threat", place);
    if (isChosen) mark(drawing, "chosen", place);
    if (hints.includes(site.name)) mark(drawing, "hint", place);
    const isOwn = site.owner === seen.mover;
    if (isTarget) mark(drawing, !hasPiece ? "dot" : !begun ? "may" : isOwn ? "ring own" : "ring", place);
  }
  drawing.marks.append(...focused);
}
