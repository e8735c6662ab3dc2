// Pieces that are dragged. A copy of the piece follows the pointer by its transform alone: nothing else is drawn anew.

import { NS, UNIT, siteAt, type Drawing, type Place } from "./drawing";

export interface Dragging {
  drawing(): Drawing | null;
  /** Whether a drag may begin at a site. */
  may(place: Place): boolean;
  begin(place: Place): void;
  /** It ended over a site, or over none. */
  end(from: Place, to: Place | null): void;
  cancel(): void;
}

/** How far a pointer goes before it drags. */
const FAR = { mouse: 4, touch: 9 };

/** Listens to pointers over a board. What is returned ends it. */
export function draggable(host: HTMLElement, on: Dragging): () => void {
  let from: Place | null = null;
  let at = { x: 0, y: 0, id: -1 };
  let ghost: SVGSVGElement | null = null;
  let half = 0;
  let over: Element | null = null;
  let dropped = false;

  const follow = (event: PointerEvent) => {
    const [x, y] = [event.clientX - half, event.clientY - half];
    ghost!.style.transform = `translate3d(${x}px, ${y}px, 0)`;
    const drawing = on.drawing();
    const place = drawing && siteAt(drawing, event.clientX, event.clientY);
    const next = place?.node ?? null;
    if (next === over) return;
    over?.classList.remove("over");
    next?.classList.add("over");
    over = next;
  };

  const lift = (drawing: Drawing, place: Place) => {
    const piece = place.node.querySelector(".piece");
    if (!piece) return false;
    const scale = (drawing.svg.getBoundingClientRect().width / drawing.width) * 1.1;
    half = UNIT * scale * 0.75;
    ghost = document.createElementNS(NS, "svg");
    ghost.setAttribute("class", "board ghost");
    ghost.setAttribute("aria-hidden", "true");
    ghost.setAttribute("text-anchor", "middle");
    const copy = piece.cloneNode(true) as Element;
    const moved = place.node.transform.baseVal.consolidate()?.matrix;
    const [x, y] = [place.x - (moved?.e ?? 0), place.y - (moved?.f ?? 0)];
    ghost.setAttribute("viewBox", `${x - UNIT * 0.75} ${y - UNIT * 0.75} ${UNIT * 1.5} ${UNIT * 1.5}`);
    ghost.style.width = ghost.style.height = `${half * 2}px`;
    ghost.append(copy);
    document.body.append(ghost);
    place.node.classList.add("lifted");
    return true;
  };

  const settle = () => {
    ghost?.remove();
    ghost = null;
    over?.classList.remove("over");
    over = null;
    from?.node.classList.remove("lifted");
    from = null;
  };

  const down = (event: PointerEvent) => {
    dropped = false;
    const drawing = on.drawing();
    if (!drawing || event.button !== 0 || !event.isPrimary) return;
    const place = siteAt(drawing, event.clientX, event.clientY);
    if (!place || !on.may(place)) return;
    from = place;
    at = { x: event.clientX, y: event.clientY, id: event.pointerId };
  };
  const move = (event: PointerEvent) => {
    if (!from || event.pointerId !== at.id) return;
    if (!ghost) {
      const far = event.pointerType === "mouse" ? FAR.mouse : FAR.touch;
      if (Math.hypot(event.clientX - at.x, event.clientY - at.y) < far) return;
      const drawing = on.drawing();
      if (!drawing || !lift(drawing, from)) return settle();
      host.setPointerCapture(at.id);
      on.begin(from);
    }
    event.preventDefault();
    follow(event);
  };
  const up = (event: PointerEvent) => {
    if (!from || event.pointerId !== at.id) return;
    const drawing = on.drawing();
    const start = from;
    const dragged = ghost !== null;
    settle();
    if (!dragged || !drawing) return;
    dropped = true;
    on.end(start, siteAt(drawing, event.clientX, event.clientY));
  };
  const cancel = () => {
    const dragged = ghost !== null;
    settle();
    if (dragged) on.cancel();
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" && ghost) cancel();
  };
  // Browsers do not all heed `touch-action` on parts of pictures: a finger that drags must not scroll the page too.
  const touch = (event: TouchEvent) => {
    if (from && event.cancelable) event.preventDefault();
  };
  // The click that ends a drag chooses nothing.
  const click = (event: Event) => {
    if (dropped) event.stopPropagation();
    dropped = false;
  };

  host.addEventListener("pointerdown", down);
  host.addEventListener("pointermove", move);
  host.addEventListener("pointerup", up);
  host.addEventListener("pointercancel", cancel);
  host.addEventListener("touchmove", touch, { passive: false });
  host.addEventListener("click", click, true);
  addEventListener("keydown", key);
  return () => {
    settle();
    host.removeEventListener("pointerdown", down);
    host.removeEventListener("pointermove", move);
    host.removeEventListener("pointerup", up);
    host.removeEventListener("pointercancel", cancel);
    host.removeEventListener("touchmove", touch);
    host.removeEventListener("click", click, true);
    removeEventListener("keydown", key);
  };
}
