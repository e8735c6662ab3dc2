// Pieces that moved glide to where they are, so that the eye can follow.

import type { Seen } from "../api";
import type { Drawing } from "./drawing";

const TIME = 170;

/** `dropped` is where a piece was put by hand: it is there already. */
export function glide(drawing: Drawing, before: Seen, now: Seen, dropped: string | null) {
  if (before.sites.length !== now.sites.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const old = new Map(before.sites.map((site) => [site.name, site.says]));
  const came = now.sites.filter((site) => site.owner !== null && old.get(site.name) !== site.says);
  const says = new Map(now.sites.map((site) => [site.name, site.says]));
  const left = before.sites.filter((site) => site.owner !== null && says.get(site.name) !== site.says);
  // More than this is no move but another position.
  if (came.length > 4 || left.length > 12) return;
  for (const site of came) {
    if (site.name === dropped) continue;
    const from = left.filter((other) => other.says === site.says);
    const [a, b] = [drawing.places.get(from[0]?.name ?? ""), drawing.places.get(site.name)];
    if (from.length !== 1 || !a || !b) continue;
    const start = { transform: `translate(${a.x - b.x}px, ${a.y - b.y}px)` };
    b.node.querySelector(".piece")?.animate([start, { transform: "none" }], { duration: TIME, easing: "ease-out" });
  }
}
