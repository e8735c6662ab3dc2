// The picture of a board as elements that can be walked, marked and turned around.

import type { Seen } from "../api";

export const NS = "http://www.w3.org/2000/svg";

/** How far neighbours are apart in the picture. */
export const UNIT = 40;

/** A site in the picture. */
export interface Place {
  name: string;
  node: SVGGElement;
  ground: SVGElement;
  /** The middle, as it is shown. */
  x: number;
  y: number;
  /** What it is called, with what stands there. */
  words: string;
}

export interface Drawing {
  svg: SVGSVGElement;
  places: Map<string, Place>;
  /** What is drawn over the sites. */
  marks: SVGGElement;
  width: number;
  height: number;
}

/** The middle of the ground of a site. */
function middle(form: Element): [number, number] {
  const number = (name: string) => Number(form.getAttribute(name));
  if (form.tagName === "rect") return [number("x") + number("width") / 2, number("y") + number("height") / 2];
  if (form.tagName === "circle") return [number("cx"), number("cy")];
  const corners = (form.getAttribute("points") ?? "").split(" ").map((pair) => pair.split(",").map(Number));
  const mean = (at: number) => corners.reduce((sum, pair) => sum + (pair[at] ?? 0), 0) / corners.length;
  return [mean(0), mean(1)];
}

/** Shows a picture in an element. */
export function draw(host: HTMLElement, seen: Seen, flipped: boolean, label: string): Drawing | null {
  host.innerHTML = seen.svg;
  const svg = host.querySelector("svg");
  if (!svg) return null;
  svg.setAttribute("role", "grid");
  svg.setAttribute("aria-label", label);
  svg.removeAttribute("font-family");
  const places = new Map<string, Place>();
  for (const node of svg.querySelectorAll<SVGGElement>("[data-site]")) {
    const ground = node.querySelector<SVGElement>(".ground");
    const form = ground?.firstElementChild;
    if (!ground || !form) continue;
    const [x, y] = middle(form);
    const name = node.dataset.site ?? "";
    const title = node.querySelector("title");
    const words = title?.textContent ?? name;
    places.set(name, { name, node, ground, x, y, words });
  }
  if (flipped) turn(svg, places);
  rows(svg, places);
  for (const extra of svg.querySelectorAll(".labels, .lines")) extra.setAttribute("aria-hidden", "true");
  const marks = document.createElementNS(NS, "g");
  marks.setAttribute("class", "marks");
  marks.setAttribute("aria-hidden", "true");
  svg.append(marks);
  return { svg, places, marks, width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
}

/** Turns a board around: each site goes to the other end, and stays upright. */
function turn(svg: SVGSVGElement, places: Map<string, Place>) {
  const all = [...places.values()];
  const across = (of: (place: Place) => number) => Math.min(...all.map(of)) + Math.max(...all.map(of));
  const [wide, high] = [across((place) => place.x), across((place) => place.y)];
  for (const place of all) {
    const [x, y] = [wide - place.x, high - place.y];
    place.node.setAttribute("transform", `translate(${x - place.x} ${y - place.y})`);
    [place.x, place.y] = [x, y];
  }
  svg.querySelector(".lines")?.setAttribute("transform", `rotate(180 ${wide / 2} ${high / 2})`);
  for (const text of svg.querySelectorAll(".labels text")) {
    const [x, y] = [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
    // Names of rows stand at the left side, those of columns below.
    if (x < UNIT / 3) text.setAttribute("y", String(high - y + 7));
    else text.setAttribute("x", String(wide - x));
  }
}

/** Puts the sites into rows, from the top down and from left to right: so a screen reader reads them. */
function rows(svg: SVGSVGElement, places: Map<string, Place>) {
  const sorted = [...places.values()].sort((a, b) => a.y - b.y || a.x - b.x);
  const after = svg.querySelector(".labels");
  let row: SVGGElement | null = null;
  let line: Place[] = [];
  const close = () => {
    line.sort((a, b) => a.x - b.x);
    row?.append(...line.map((place) => place.node));
    line = [];
  };
  let top = -Infinity;
  for (const place of sorted) {
    if (!row || place.y - top > UNIT * 0.3) {
      close();
      top = place.y;
      row = document.createElementNS(NS, "g");
      row.setAttribute("role", "row");
      svg.insertBefore(row, after);
    }
    place.node.setAttribute("role", "gridcell");
    line.push(place);
  }
  close();
}

/** The site at a point of the screen. */
export function siteAt(drawing: Drawing, x: number, y: number): Place | null {
  const matrix = drawing.svg.getScreenCTM()?.inverse();
  if (!matrix) return null;
  const at = new DOMPoint(x, y).matrixTransform(matrix);
  let best: Place | null = null;
  let least = UNIT * 0.72;
  for (const place of drawing.places.values()) {
    const far = Math.hypot(place.x - at.x, place.y - at.y);
    if (far < least) [best, least] = [place, far];
  }
  return best;
}

/** The site next to one in a direction: the nearest one, of those that lie more that way than aside. */
export function beside(drawing: Drawing, from: Place, dx: number, dy: number): Place | null {
  let best: Place | null = null;
  let least = Infinity;
  for (const place of drawing.places.values()) {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (along <= 1 || aside > along * 2) continue;
    const far = along + aside;
    if (far < least) [best, least] = [place, far];
  }
  return best;
}

/** A shape among the marks. */
export function mark(drawing: Drawing, kind: string, place: Place) {
  const isRing = kind.startsWith("ring");
  const isRound = kind === "dot" || isRing;
  let shape: Element;
  if (kind === "threat") {
    // An exclamation mark at the upper right, on a circle that stands out from any piece.
    shape = document.createElementNS(NS, "path");
    const [x, y] = [place.x + UNIT * 0.31, place.y - UNIT * 0.31];
    shape.setAttribute("d", `M${x - 5.5} ${y}a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0M${x} ${y - 3}v3.200m0 2.600v.2`);
  } else if (isRound) {
    shape = document.createElementNS(NS, "circle");
    shape.setAttribute("cx", String(place.x));
    // A text in the middle of a site stays legible: its dot stands below. Numbers are larger than names.
    const below = kind !== "dot" ? 0 : place.node.querySelector(".number") ? 0.35 : place.node.querySelector(".name") ? 0.22 : 0;
    shape.setAttribute("cy", String(place.y + UNIT * below));
    shape.setAttribute("r", String(UNIT * (isRing ? 0.43 : below > 0 ? 0.09 : 0.14)));
  } else {
    shape = place.ground.firstElementChild!.cloneNode(true) as Element;
    const moved = place.node.getAttribute("transform") ?? "";
    // A little smaller than the site, so that neighbours do not cover each other's lines; around a dot there is room.
    const size = shape.tagName === "circle" ? 1.15 : 0.92;
    const scale = `translate(${place.x} ${place.y}) scale(${size}) translate(${-place.x} ${-place.y})`;
    shape.setAttribute("transform", `${scale} ${moved}`);
  }
  shape.setAttribute("class", `mark ${kind}`);
  shape.setAttribute("data-mark", place.name);
  drawing.marks.append(shape);
}
