// The full-screen view: keys and answers go into the reducer, finished lines come out.

import { Problem } from '@yagura/core/http/problem';
import { Box, Text, useApp } from 'ink';
import { useEffect, useReducer, useRef } from 'react';
import type { Row } from '../resource/entry.ts';
import type { RenderContext } from './brush.ts';
import type { Mistake } from './document.ts';
import { frame } from './frame.ts';
import { type Action, type Outcome, reducerOf } from './reducer.ts';
import { maxRead, type Part } from './rows.ts';
import type { CursorPosition } from './screen.ts';
import type { Answer, Source } from './source.ts';
import { initialState, type Request, type State, targetKey, topView, type View } from './state.ts';
import type { AppContext } from './world.ts';

/** What reaches beyond the screen. */
export interface Effects {
  /** Opens the thing in the browser; the sentence tells where. */
  open(request: Extract<Request, { act: 'open' }>): Promise<Outcome>;
  copy(text: string): Outcome;
  /** Writes an item in an editor; undefined when it was left as it was. */
  edit(request: Extract<Request, { act: 'edit' }>, signal: AbortSignal): Promise<Outcome | undefined>;
  /** What a form begins with. */
  begin(
    request: Extract<Request, { act: 'form' }>,
    signal: AbortSignal,
  ): Promise<{ base: Row; etag: string | undefined }>;
  /** Sends a form; what is refused comes back. */
  submit(
    request: Extract<Request, { act: 'submit' }>,
    signal: AbortSignal,
  ): Promise<Outcome | readonly Mistake[]>;
  /** Whether the terminal tells of the wheel. */
  mouse(on: boolean): void;
  /** Hands the terminal back to the shell for a while. */
  suspend(): void;
}

export interface AppProps {
  context: AppContext;
  /** Whether the wheel is told of at first. */
  mouse?: boolean;
  /** A line for the command bar, obeyed at first. */
  begin?: string;
  source: Source;
  effects: Effects;
  render: RenderContext;
  /** Says in one sentence what went wrong. */
  tell(error: unknown): string;
  now(): number;
  size(): State['size'];
  /** Calls back with the keys that are pressed; the result stops it. */
  keys(press: (keys: readonly string[]) => void): () => void;
  /** Calls back when the screen has another size; the result stops it. */
  resizes(resized: () => void): () => void;
  /** Told before every frame where text is typed. */
  onCursor(cursor: CursorPosition | undefined): void;
}

export function App(props: AppProps) {
  const {
    context,
    begin,
    mouse = true,
    source,
    effects,
    render,
    tell,
    now,
    size,
    keys,
    resizes,
    onCursor,
  } = props;
  const { exit } = useApp();
  const reduce = useRef(reducerOf(context));
  const [state, dispatch] = useReducer(reduce.current, undefined, () => {
    const home = initialState(context.t('tui.home'), size(), now(), mouse);
    return begin ? reduce.current(home, { type: 'keys', keys: [':', ...begin, 'enter'] }) : home;
  });
  const view = topView(state);
  const looked = useRef(view);
  looked.current = view;

  useEffect(() => keys((pressed) => dispatch({ type: 'keys', keys: pressed })), [keys]);
  useEffect(() => resizes(() => dispatch({ type: 'size', size: size() })), [resizes, size]);
  useEffect(() => {
    const clock = setInterval(() => dispatch({ type: 'tick', now: now() }), 1000);
    return () => clearInterval(clock);
  }, [now]);

  const load = useRef(async (part: Part, signal: AbortSignal) => {
    const wanted = looked.current;
    try {
      const answer = await source.load(wanted, part, signal);
      if (signal.aborted) return undefined;
      dispatch({ ...answer, target: wanted.target, at: now() } as Parameters<typeof dispatch>[0]);
      dispatch({ type: 'connection', connection: source.announced ? 'live' : 'polling' });
      return answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      const away = error instanceof Problem && ['unreachable', 'unavailable'].includes(error.kind);
      dispatch({ type: 'failed', target: wanted.target, reason: tell(error), away });
      return undefined;
    }
  });

  const key = targetKey(view.target);
  useEffect(() => {
    const leaving = new AbortController();
    void load.current('all', leaving.signal);
    return () => leaving.abort();
  }, [key, state.reloads]);

  const reading = useRef(false);
  useEffect(() => {
    if (state.more === 0 || reading.current) return;
    reading.current = true;
    void readOn(looked, load.current).finally(() => {
      reading.current = false;
    });
  }, [state.more]);

  useEffect(() => {
    const leaving = new AbortController();
    void (async () => {
      for await (const _ of source.looks(leaving.signal)) await load.current('all', leaving.signal);
    })();
    return () => leaving.abort();
  }, [source]);

  const { request } = state;
  useEffect(() => {
    if (!request) return;
    const leaving = new AbortController();
    carryOut(request, source, effects, (text) => dispatch({ type: 'busy', text }), leaving.signal).then(
      dispatch,
      (error: unknown) => dispatch({ type: 'done', outcome: { text: tell(error), failed: true } }),
    );
    // What was begun is finished: leaving a view does not stop it halfway.
    return () => undefined;
  }, [request, source, effects, tell]);

  useEffect(() => {
    if (state.quit) exit();
  }, [state.quit, exit]);

  const { lines, cursor } = frame(state, context, render);
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

type Load = (part: Part, signal: AbortSignal) => Promise<Answer | undefined>;

/** Reads the next rows of the list that is looked at, and those after them while the last row is wanted. */
async function readOn(looked: { current: View }, load: Load): Promise<void> {
  const { signal } = new AbortController();
  const begun = looked.current;
  if (begun.kind !== 'list') return;
  for (let from = begun.items?.length ?? 0; ; ) {
    const answer = await load({ from }, signal);
    const now = looked.current;
    if (
      answer?.type !== 'rows' ||
      now.kind !== 'list' ||
      !now.toEnd ||
      targetKey(begun.target) !== targetKey(now.target)
    )
      return;
    const { items, offset, total } = answer.rows;
    const end = offset + items.length;
    if (end <= from || end >= Math.min(total, maxRead)) return;
    from = end;
  }
}

async function carryOut(
  request: Request,
  source: Source,
  effects: Effects,
  tell: (text: string) => void,
  signal: AbortSignal,
): Promise<Action> {
  const done = (outcome: Outcome | undefined): Action =>
    outcome ? { type: 'done', outcome } : { type: 'busy', text: undefined };
  switch (request.act) {
    case 'perform':
      return done(await source.perform(request, tell, signal));
    case 'form':
      return { type: 'form', request, ...(await effects.begin(request, signal)) };
    case 'submit': {
      const outcome = await effects.submit(request, signal);
      return 'text' in outcome ? done(outcome) : { type: 'mistakes', mistakes: outcome };
    }
    case 'edit':
      return done(await effects.edit(request, signal));
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
