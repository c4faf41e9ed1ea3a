// Where the full-screen view gets its data from, and who does what it is asked to.

import { pollingInterval } from '@yagura/core/live/polling-interval';
import { type Change, timesToLook } from '../live/changes.ts';
import type { Presenter } from '../resource/present.ts';
import type { Session } from '../signin/session.ts';
import { loadHome } from './load-home.ts';
import { loadItem } from './load-item.ts';
import { loadRows, loadStream } from './load-list.ts';
import { perform } from './perform.ts';
import type { Action, Outcome } from './reducer.ts';
import type { Part } from './rows.ts';
import type { Request, View } from './state.ts';
import type { AppContext } from './world.ts';

type Bare<T> = T extends unknown ? Omit<T, 'at' | 'target'> : never;
export type Answer = Bare<Extract<Action, { type: 'rows' | 'sheet' }>>;

export interface Source {
  /** Reads what a view shows, or the next rows of its list. */
  load(view: View, part: Part, signal: AbortSignal): Promise<Answer>;
  /** Does something to items, and tells how far it is. */
  perform(
    request: Extract<Request, { act: 'perform' }>,
    tell: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Outcome>;
  /** Yields when it is time to look again. */
  looks(signal: AbortSignal): AsyncIterable<void>;
  /** Changes are announced; else they are looked for. */
  announced: boolean;
}

/** Decisions on messages come without an announcement of their own for a while. */
const heard = new Set(['audit-record', 'sign-in-session']);

export function sourceOf(session: Session, context: AppContext, presenter: Presenter): Source {
  const { transport } = session;
  return {
    announced: session.credential?.kind === 'person',
    looks: (signal) =>
      timesToLook(session, pollingInterval, signal, ({ resource }: Change) => !heard.has(resource)),
    load(view, part, signal) {
      if (view.kind === 'list')
        return view.target.kind === 'stream'
          ? loadStream(transport, context, signal)
          : loadRows(transport, context, view, part, signal);
      return view.target.kind === 'home'
        ? loadHome(transport, context, presenter, signal)
        : loadItem(transport, context, presenter, view.target, view.row, signal);
    },
    perform: (request, tell, signal) => perform(transport, context, request, tell, signal),
  };
}
