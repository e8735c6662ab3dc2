// The page: its head, and the view that its address asks for.

import { render, type ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Gallery } from "./gallery";
import { link, useRoute } from "./route";

type View = ComponentType<{ query: URLSearchParams }>;

/** Each view comes when it is asked for. */
const VIEWS: Record<string, { name: string; load: () => Promise<View> }> = {
  play: { name: "Play", load: async () => (await import("./play/view")).PlayView },
  edit: { name: "Edit", load: async () => (await import("./editor/view")).EditorView },
  compare: { name: "Compare", load: async () => (await import("./compare/view")).CompareView },
};

function Page() {
  const route = useRoute();
  const [loaded, setLoaded] = useState<Record<string, View>>({});
  const [failed, setFailed] = useState(false);
  const main = useRef<HTMLElement>(null);
  const wanted = VIEWS[route.view];

  useEffect(() => {
    document.title = wanted ? `${wanted.name} – Farrier` : "Farrier";
    // After a link the keys begin at the top of the new view.
    if (route.visit > 0) {
      main.current?.focus();
      scrollTo(0, 0);
    }
    if (!wanted || loaded[route.view]) return;
    setFailed(false);
    wanted.load().then(
      (view) => setLoaded((old) => ({ ...old, [route.view]: view })),
      () => setFailed(true),
    );
  }, [route.view, route.visit]);

  const View = loaded[route.view];
  return (
    <>
      <header class="head">
        <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
          Skip to the content
        </a>
        <a class="brand" href={link("")}>
          <Horseshoe /> Farrier
        </a>
        <nav aria-label="Views">
          <Tab view="" at={route.view} name="Games" />
          <Tab view="compare" at={route.view} name="Compare" />
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1} class={`view-${route.view || "gallery"}`}>
        {!wanted && <Gallery />}
        {wanted && View && <View key={route.visit} query={route.query} />}
        {wanted && !View && <p class="note">{failed ? "This part of the page did not come. Reload it." : "Loading …"}</p>}
      </main>
    </>
  );
}

function Tab({ view, at, name }: { view: string; at: string; name: string }) {
  return (
    <a href={link(view)} aria-current={view === at ? "page" : undefined}>
      {name}
    </a>
  );
}

function Horseshoe() {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <path
        d="M7 3.5C4.8 6 4 9 4.4 12.4c.5 3.9 2.7 7.2 5.1 8.1l1.200-2.700c-1.700-1-2.900-3.500-3.100-6.200C7.400 8.500 9 6 12 6s4.600 2.500 4.400 5.600c-.2 2.700-1.400 5.200-3.100 6.200l1.200 2.700c2.400-.9 4.600-4.200 5.100-8.100C20 9 19.200 6 17 3.500"
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  );
}

render(<Page />, document.getElementById("page")!);
