// Root component of the full-screen view: feeds keys and responses to the reducer and renders frames.

import { Problem } from '@yagura/core/http/problem';
import type { RetryOptions } from '@yagura/core/http/retry';
import { Box, Text, useApp } from 'ink';
import { useEffect, useReducer, useRef } from 'react';
import type { Row } from '../resource/meta/row.ts';
import { minAnnouncedMs } from '../signin/announce-wait.ts';
import type { DataSource, LoadedView } from './data/data-source.ts';
import type { FieldError } from './form/form-document.ts';
import { type Action, createReducer, type Outcome } from './reducer.ts';
import type { CursorPosition } from './screen/screen.ts';
import type { AppContext } from './state/app-context.ts';
import { type LoadRange, maxLoadedRows } from './state/list-view.ts';
import {
  initialState,
  isCancelable,
  type PendingEffect,
  type State,
  targetKey,
  topView,
  type View,
} from './state/state.ts';
import type { RenderContext } from './views/render-context.ts';
import { renderFrame } from './views/render-frame.ts';

/** Side effects outside the screen. */
export interface Effects {
  connect(request: Extract<PendingEffect, { act: 'connect' }>): Outcome;
  /** Opens the item in the browser; the message contains the URL. */
  open(request: Extract<PendingEffect, { act: 'open' }>): Promise<Outcome>;
  copy(text: string): Outcome;
  /** Opens an item in an editor; undefined when it was left unchanged. */
  edit(request: Extract<PendingEffect, { act: 'edit' }>, signal: AbortSignal): Promise<Outcome | undefined>;
  /** Loads the initial values of a form. */
  loadForm(
    request: Extract<PendingEffect, { act: 'form' }>,
    signal: AbortSignal,
  ): Promise<{ base: Row; etag: string | undefined }>;
  /** Submits a form; resolves with the validation errors, if any. */
  submit(
    request: Extract<PendingEffect, { act: 'submit' }>,
    signal: AbortSignal,
  ): Promise<Outcome | readonly FieldError[]>;
  /** Switches mouse wheel reports on or off. */
  mouse(on: boolean): void;
  /** Suspends to the shell. */
  suspend(): void;
}

export interface AppProps {
  context: AppContext;
  /** Whether mouse wheel reports are on initially. */
  mouse?: boolean;
  /** Command executed at startup. */
  initialCommand?: string;
  source: DataSource;
  effects: Effects;
  render: RenderContext;
  /** Formats an error as one sentence. */
  formatError(error: unknown): string;
  now(): number;
  size(): State['size'];
  /** Subscribes to key presses; returns the unsubscribe function. */
  subscribeToKeys(press: (keys: readonly string[]) => void): () => void;
  /** Subscribes to calls that wait until the server is asked again; returns the unsubscribe function. */
  subscribeToWaits(listener: NonNullable<RetryOptions['onWait']>): () => void;
  /** Subscribes to size changes; returns the unsubscribe function. */
  subscribeToResize(resized: () => void): () => void;
  /** Called before every frame with the position of the text cursor. */
  onCursor(cursor: CursorPosition | undefined): void;
}

export function App(props: AppProps) {
  const {
    context,
    initialCommand,
    mouse = true,
    source,
    effects,
    render,
    formatError,
    now,
    size,
    subscribeToKeys,
    subscribeToWaits,
    subscribeToResize,
    onCursor,
  } = props;
  const { exit } = useApp();
  const reduce = useRef(createReducer(context));
  const [state, dispatch] = useReducer(reduce.current, undefined, () => {
    const home = initialState(context.t('tui.home'), size(), now(), mouse);
    return initialCommand
      ? reduce.current(home, { type: 'keys', keys: [':', ...initialCommand, 'enter'] })
      : home;
  });
  const view = topView(state);
  const viewRef = useRef(view);
  viewRef.current = view;

  useEffect(() => subscribeToKeys((pressed) => dispatch({ type: 'keys', keys: pressed })), [subscribeToKeys]);
  useEffect(
    () =>
      subscribeToWaits((milliseconds, kind) => {
        if (milliseconds >= minAnnouncedMs) dispatch({ type: 'wait', kind, until: now() + milliseconds });
      }),
    [subscribeToWaits, now],
  );
  useEffect(
    () => subscribeToResize(() => dispatch({ type: 'size', size: size() })),
    [subscribeToResize, size],
  );
  useEffect(() => {
    const clock = setInterval(() => dispatch({ type: 'tick', now: now() }), 1000);
    return () => clearInterval(clock);
  }, [now]);

  const load = useRef(async (range: LoadRange, signal: AbortSignal) => {
    const requestedView = viewRef.current;
    try {
      const answer = await source.load(requestedView, range, signal, size().rows);
      if (signal.aborted) return undefined;
      dispatch({ ...answer, target: requestedView.target, at: now() } as Parameters<typeof dispatch>[0]);
      dispatch({ type: 'connection', connection: source.receivesChanges ? 'live' : 'polling' });
      return answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      const offline = error instanceof Problem && ['unreachable', 'unavailable'].includes(error.kind);
      dispatch({ type: 'failed', target: requestedView.target, reason: formatError(error), offline });
      return undefined;
    }
  });

  const key = targetKey(view.target);
  /** Of the view that is shown; aborted when it is left. */
  const shown = useRef(new AbortController());
  useEffect(() => {
    const leaving = new AbortController();
    shown.current = leaving;
    return () => leaving.abort();
  }, [key]);

  useEffect(() => {
    const leaving = new AbortController();
    void load.current('all', leaving.signal);
    return () => leaving.abort();
  }, [key, state.reloadCount]);

  const reading = useRef(false);
  useEffect(() => {
    if (state.loadMoreCount === 0 || reading.current) return;
    reading.current = true;
    void loadMoreRows(viewRef, load.current, shown.current.signal).finally(() => {
      reading.current = false;
    });
  }, [state.loadMoreCount]);

  useEffect(() => {
    const leaving = new AbortController();
    void (async () => {
      for await (const _ of source.refreshes(leaving.signal)) await load.current('all', shown.current.signal);
    })();
    return () => leaving.abort();
  }, [source]);

  const { request, canceled } = state;
  /** The running operations, by serial number. */
  const running = useRef(new Map<number, AbortController>());
  useEffect(() => {
    if (!request) return;
    const canceling = new AbortController();
    running.current.set(request.serial, canceling);
    const { serial } = request;
    const onProgress = (text: string) =>
      dispatch({ type: 'busy', serial, text, isCancelable: isCancelable(request) });
    runEffect(request, source, effects, onProgress, canceling.signal)
      .catch(
        (error: unknown): Action => ({
          ...{ type: 'done', serial },
          outcome: { text: formatError(error), failed: true },
        }),
      )
      .then((result) => {
        running.current.delete(serial);
        dispatch({ type: 'ended', serial });
        if (result) dispatch(result);
      });
    // Started operations are completed: leaving a view does not abort them.
    return () => undefined;
  }, [request, source, effects, formatError]);

  useEffect(() => {
    if (canceled !== undefined) running.current.get(canceled)?.abort();
  }, [canceled]);

  useEffect(() => {
    if (state.quit) exit();
  }, [state.quit, exit]);

  const { lines, cursor } = renderFrame(state, context, render);
  onCursor(cursor);
  return (
    <Box flexDirection="column">
      {lines.map((line, row) => (
        <Text key={row} wrap="truncate">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}

type LoadView = (range: LoadRange, signal: AbortSignal) => Promise<LoadedView | undefined>;

/** Loads the next rows of the visible list, and continues while the last row is requested. */
async function loadMoreRows(viewRef: { current: View }, load: LoadView, signal: AbortSignal): Promise<void> {
  const initialView = viewRef.current;
  if (initialView.kind !== 'list') return;
  for (let from = initialView.items?.length ?? 0; ; ) {
    const answer = await load({ from }, signal);
    const now = viewRef.current;
    if (
      answer?.type !== 'rows' ||
      now.kind !== 'list' ||
      !now.loadingAll ||
      targetKey(initialView.target) !== targetKey(now.target)
    )
      return;
    const { items, offset, total } = answer.rows;
    const end = offset + items.length;
    if (end <= from || end >= Math.min(total, maxLoadedRows)) return;
    from = end;
  }
}

async function runEffect(
  request: PendingEffect,
  source: DataSource,
  effects: Effects,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): Promise<Action | undefined> {
  const { serial } = request;
  const done = (outcome: Outcome | undefined): Action | undefined =>
    outcome && { type: 'done', serial, outcome };
  switch (request.act) {
    case 'perform':
      return done(await source.perform(request, onProgress, signal));
    case 'form':
      return { type: 'form', request, ...(await effects.loadForm(request, signal)) };
    case 'submit': {
      const outcome = await effects.submit(request, signal);
      return 'text' in outcome ? done(outcome) : { type: 'mistakes', serial, errors: outcome };
    }
    case 'edit':
      return done(await effects.edit(request, signal));
    case 'connect':
      return done(effects.connect(request));
    case 'open':
      return done(await effects.open(request));
    case 'copy':
      return done(effects.copy(request.text));
    case 'mouse':
      effects.mouse(request.on);
      return done(undefined);
    case 'suspend':
      effects.suspend();
      return done(undefined);
  }
}
