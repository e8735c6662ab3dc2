// Tabs: one of several parts is shown. Arrow keys go from tab to tab.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface Tab {
  name: string;
  /** A number or a sign behind the name. */
  badge?: string;
  show(): ComponentChildren;
}

interface Props {
  label: string;
  tabs: Tab[];
  /** Whether parts that were shown stay, so that they go on with what they do. */
  keep?: boolean;
}

export function Tabs({ label, tabs, keep = false }: Props) {
  const [at, setAt] = useState(0);
  const [been, setBeen] = useState<number[]>([0]);
  const go = (to: number, list?: HTMLElement) => {
    setAt(to);
    setBeen(keep ? [...new Set([...been, to])] : [to]);
    (list?.children[to] as HTMLElement | undefined)?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to % tabs.length, event.currentTarget as HTMLElement);
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={onKey}>
        {tabs.map((tab, place) => (
          <button
            type="button"
            role="tab"
            key={tab.name}
            id={`tab-${place}`}
            aria-selected={place === at}
            aria-controls={`part-${place}`}
            tabIndex={place === at ? 0 : -1}
            onClick={() => go(place)}
          >
            {tab.name}
            {tab.badge && <span class="badge">{tab.badge}</span>}
          </button>
        ))}
      </div>
      {tabs.map((tab, place) => (
        <div
          role="tabpanel"
          class="part"
          key={tab.name}
          id={`part-${place}`}
          aria-labelledby={`tab-${place}`}
          hidden={place !== at}
        >
          {been.includes(place) && tab.show()}
        </div>
      ))}
    </div>
  );
}
