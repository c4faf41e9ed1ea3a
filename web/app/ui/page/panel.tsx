// Titled panel for a part of a page.
import type { ReactNode } from 'react';

export function Panel(props: {
  title: string;
  /** Shown next to the title, e.g. a count. */
  note?: ReactNode;
  /** At the right end of the header. */
  actions?: ReactNode;
  id?: string;
  children: ReactNode;
  /** Whether to pad the content; tables have their own padding. */
  padded?: boolean;
}) {
  return (
    <section
      id={props.id}
      aria-label={props.title}
      className="scroll-mt-16 overflow-hidden rounded-lg border border-line bg-surface shadow-raised"
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 className="font-semibold">{props.title}</h2>
        {props.note}
        {props.actions && <div className="ml-auto flex items-center gap-2">{props.actions}</div>}
      </header>
      <div className={props.padded ? 'px-4 py-3' : undefined}>{props.children}</div>
    </section>
  );
}
