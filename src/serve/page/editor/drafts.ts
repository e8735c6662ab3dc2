// Changes that are not saved yet, kept by the browser so that a reload does not lose them.

export interface Draft {
  text: string;
  /** The file that was changed, as it was then; none for a new file. */
  seal: string | null;
  when: number;
}

const KEY = "farrier.draft.";

export function kept(file: string): Draft | null {
  try {
    const text = localStorage.getItem(KEY + file);
    return text === null ? null : (JSON.parse(text) as Draft);
  } catch {
    return null;
  }
}

/** The names of all files with a draft. */
export function names(): string[] {
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(KEY) ? [key.slice(KEY.length)] : [])).sort();
  } catch {
    return [];
  }
}

/** Whether the browser has kept it: its room may be full, or it may keep nothing. */
export function keep(file: string, text: string, seal: string | null): boolean {
  try {
    localStorage.setItem(KEY + file, JSON.stringify({ text, seal, when: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

export function drop(file: string) {
  try {
    localStorage.removeItem(KEY + file);
  } catch {
    // Nothing is kept.
  }
}
