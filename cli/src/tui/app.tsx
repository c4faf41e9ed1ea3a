// The full-screen view: keys and answers go into the reducer, finished lines come out.
import { Box, Text, useApp, useInput, useStdout } from 'ink';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { type Brush, frame } from './frame.ts';
import { keysOf } from './keys.ts';
import { next } from './reducer.ts';
import type { Source } from './source.ts';
import { initialState, type State, type Target, targetKey, targetOf } from './state.ts';

export interface AppProps {
  source: Source;
  brush: Brush;
  /** Says in one sentence what went wrong. */
  tell(error: unknown): string;
  now(): number;
  /** Size of the screen; asked again whenever it changes. */
  size(): State['size'];
}

export function App({ source, brush, tell, now, size }: AppProps) {
  const { exit } = useApp();
  const { stdout } = useStdout();
  const [state, dispatch] = useReducer(next, undefined, () => initialState(size(), now()));
  const target = targetOf(state);
  const key = targetKey(target);
  const looked = useRef<Target>(target);
  looked.current = target;

  // A handler that never changes: one that did would miss keys between two frames.
  useInput(
    useCallback((input, press) => {
      for (const name of keysOf(input, press)) dispatch({ type: 'key', key: name });
    }, []),
  );

  const load = useCallback(
    async (wanted: Target, signal: AbortSignal) => {
      try {
        dispatch({ type: 'loaded', target: wanted, loaded: await source.load(wanted, signal), at: now() });
      } catch (error) {
        if (!signal.aborted) dispatch({ type: 'failed', target: wanted, reason: tell(error) });
      }
    },
    [source, tell, now],
  );

  useEffect(() => {
    const leaving = new AbortController();
    void load(looked.current, leaving.signal);
    return () => leaving.abort();
  }, [key, state.reloads, load]);

  useEffect(() => {
    const leaving = new AbortController();
    void (async () => {
      for await (const _ of source.looks(leaving.signal)) {
        // The scopes go along: their counts stand above every view.
        if (targetKey(looked.current) !== 'scopes') await load({ view: 'scopes' }, leaving.signal);
        await load(looked.current, leaving.signal);
      }
    })();
    return () => leaving.abort();
  }, [source, load]);

  const { request } = state;
  useEffect(() => {
    if (!request) return;
    const leaving = new AbortController();
    source.perform(request, leaving.signal).then(
      (text) => dispatch({ type: 'done', text, failed: false }),
      (error: unknown) => dispatch({ type: 'done', text: tell(error), failed: true }),
    );
    return () => leaving.abort();
  }, [request, source, tell]);

  useEffect(() => {
    const clock = setInterval(() => dispatch({ type: 'tick', now: now() }), 1000);
    const resized = () => dispatch({ type: 'size', size: size() });
    stdout.on('resize', resized);
    return () => {
      clearInterval(clock);
      stdout.off('resize', resized);
    };
  }, [stdout, now, size]);

  useEffect(() => {
    if (state.quit) exit();
  }, [state.quit, exit]);

  return (
    <Box flexDirection="column">
      {frame(state, brush).map((line, row) => (
        <Text key={row} wrap="truncate">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}
