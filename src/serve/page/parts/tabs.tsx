// Tabs: one of several panes is shown. Arrow keys go from tab to tab.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

export interface TabOf<T extends string> {
  id: T;
  name: string;
  /** A number or a sign behind the name. */
  badge?: string;
}

interface Props<T extends string> {
  label: string;
  tabs: TabOf<T>[];
  at: T;
  go: (id: T) => void;
  children: ComponentChildren;
}

export function Tabs<T extends string>({ label, tabs, at, go, children }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const here = tabs.findIndex((tab) => tab.id === at);
    const to: Record<string, number> = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: tabs.length - 1 };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    go(tabs[index]!.id);
    (list.current!.children[index] as HTMLElement).focus();
  };
  return (
    <div class="panes">
      <div class="pane-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`tab-${tab.id}`}
            aria-controls={`pane-${tab.id}`}
            aria-selected={tab.id === at}
            tabIndex={tab.id === at ? 0 : -1}
            onClick={() => go(tab.id)}
          >
            {tab.name}
            {tab.badge && <span class="badge">{tab.badge}</span>}
          </button>
        ))}
      </div>
      <div class="pane" role="tabpanel" id={`pane-${at}`} aria-labelledby={`tab-${at}`}>
        {children}
      </div>
    </div>
  );
}
