// Words about a game.

import type { Seen } from "../api";

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A text with its full stop, where it has no other end. */
export const sentence = (text: string) => (/[.?!]$/.test(text) ? text : `${text}.`);

export const count = (number: number, word: string, words: string) => `${number} ${number === 1 ? word : words}`;

/** The parts of a prompt: who is to choose, and what. */
export function prompt(seen: Seen): { who: string | null; what: string } {
  if (seen.over) {
    const said = [seen.over.result, seen.over.why].flatMap((part) => (part ? [`${capital(part)}.`] : []));
    return { who: null, what: said.join(" ") };
  }
  const mover = seen.mover === null ? undefined : seen.players[seen.mover];
  if (mover && seen.prompt.startsWith(`${mover}, `)) return { who: mover, what: seen.prompt.slice(mover.length + 2) };
  return { who: null, what: capital(seen.prompt) };
}

/** The sites that a move names, in their order. */
export function sitesIn(text: string, seen: Seen): string[] {
  const names = new Set(seen.sites.map((site) => site.name));
  const found = text.match(/[a-z]+\d+|\d+|[a-z]+/gi) ?? [];
  return found.filter((word) => names.has(word));
}

/** What was played since something else was seen, in words. */
export function news(before: Seen | null, now: Seen): string {
  const from = before?.plies.length ?? 0;
  const isLonger = before && now.plies.length > from && now.plies.length - from < 8;
  const said = isLonger ? now.plies.slice(from).map((ply) => `${ply.by}: ${ply.text}.`) : [];
  const choices = now.targets.length > 0 && now.chosen.length > 0 ? ` ${now.targets.length} sites can be chosen.` : "";
  const due = now.over ? prompt(now).what : sentence(now.prompt);
  return [...said, due, choices].join(" ").trim();
}
