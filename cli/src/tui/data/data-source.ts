// Data source of the full-screen view: loading and actions.

import { viewPollIntervalMs } from '@yagura/core/live/poll-interval';
import { type Change, watchForChanges } from '../../live/watch-for-changes.ts';
import { resources } from '../../resource/meta/resources.ts';
import type { Presenter } from '../../resource/output/present-value.ts';
import type { Session } from '../../signin/session.ts';
import { performAction } from '../effects/perform-action.ts';
import type { Action, Outcome } from '../reducer.ts';
import type { AppContext } from '../state/app-context.ts';
import type { LoadRange } from '../state/list-view.ts';
import type { PendingEffect, View } from '../state/state.ts';
import { loadHome } from './load-home.ts';
import { loadItem } from './load-item.ts';
import { loadRows, loadStream } from './load-list.ts';
import { loadSonar } from './load-sonar.ts';

type WithoutTarget<T> = T extends unknown ? Omit<T, 'at' | 'target'> : never;
export type LoadedView = WithoutTarget<Extract<Action, { type: 'rows' | 'sheet' }>>;

export interface DataSource {
  /** Loads the content of a view, or the next rows of its list; `rows` is the height of the terminal. */
  load(view: View, range: LoadRange, signal: AbortSignal, rows: number): Promise<LoadedView>;
  /** Runs an action on items and reports progress. */
  perform(
    request: Extract<PendingEffect, { act: 'perform' }>,
    onProgress: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Outcome>;
  /** Yields when data should be reloaded. */
  refreshes(signal: AbortSignal): AsyncIterable<void>;
  /** Whether changes are pushed; otherwise they are polled. */
  receivesChanges: boolean;
}

const logNames = new Set(resources.filter(({ isLog }) => isLog).map(({ name }) => name));

export function createDataSource(
  session: Session,
  context: AppContext,
  presenter: Presenter,
  formatError: (error: unknown) => string,
): DataSource {
  const { transport } = session;
  return {
    receivesChanges: session.credential?.kind === 'person',
    refreshes: (signal) =>
      watchForChanges(session, viewPollIntervalMs, signal, ({ resource }: Change) => !logNames.has(resource)),
    load(view, range, signal, rows) {
      if (view.kind === 'list')
        return view.target.kind === 'stream'
          ? loadStream(transport, context, signal)
          : loadRows(transport, context, view, range, signal);
      if (view.target.kind === 'home') return loadHome(transport, context, presenter, rows, signal);
      return view.target.kind === 'sonar'
        ? loadSonar(transport, context, presenter, signal)
        : loadItem(transport, context, presenter, view.target, view.row, signal);
    },
    perform: (request, onProgress, signal) =>
      performAction(transport, { t: context.t, formatError }, request, onProgress, signal),
  };
}
