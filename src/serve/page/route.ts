// The address of the page: which view is shown, and of what.

import { useEffect, useState } from "preact/hooks";

export interface Route {
  /** `""` for the gallery, else `play`, `edit` or `compare`. */
  view: string;
  query: URLSearchParams;
  /** Another number each time that somebody goes somewhere: a view that is asked for again begins anew. */
  visit: number;
}

let visit = 0;

function here(): Route {
  const [view = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { view, query: new URLSearchParams(query), visit };
}

/** The address of a view. Values that are empty are left out. */
export function link(view: string, values: Record<string, string | null | undefined> = {}): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%2F", "/");
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = pairs.map(([name, value]) => `${name}=${encode(value!)}`).join("&");
  return `#/${view}${query ? `?${query}` : ""}`;
}

/** Changes the address without going anywhere: what is shown is in it already. */
export function keep(hash: string) {
  if (location.hash === hash) return;
  try {
    history.replaceState(null, "", hash);
  } catch {
    // Some browsers take only so many changes in a while: a later one says the same and more.
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(here);
  useEffect(() => {
    const changed = () => {
      visit += 1;
      setRoute(here());
    };
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}
