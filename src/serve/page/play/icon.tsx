// Signs on buttons, drawn in the colour of their text.

const PATHS: Record<string, string> = {
  first: "M6 5v14M18 6l-8 6 8 6",
  "back-turn": "M19 6l-7 6 7 6M11 6l-7 6 7 6",
  back: "M15 5l-8 7 8 7",
  forward: "M9 5l8 7-8 7",
  "forward-turn": "M5 6l7 6-7 6M13 6l7 6-7 6",
  last: "M18 5v14M6 6l8 6-8 6",
  flip: "M8 4v16M8 20l-4-4M8 20l4-4M16 20V4M16 4l-4 4M16 4l4 4",
  hint: "M9.5 18h5M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.7.6 1 1.2 1 2.1h5c0-.9.3-1.5 1-2.1A6 6 0 0 0 12 3z",
  threat: "M12 4v10M12 19v.5",
  undo: "M4 9h10a5.5 5.5 0 0 1 0 11H8M4 9l5-5M4 9l5 5",
  new: "M12 5v14M5 12h14",
  flag: "M6 21V4M6 4h12l-3 4 3 4H6",
};

export function Icon({ name }: { name: string }) {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" class="sign">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
