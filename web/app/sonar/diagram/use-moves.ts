// Applies moves to the diagram's nodes immediately and saves them when movement stops.
import { useFetcher } from '@remix-run/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { type DiagramNode, type Point, withMoves } from './diagram-layout.ts';

/** Delay in milliseconds between the last key press and saving. */
const saveDelayMs = 500;

export function useMoves(loaded: readonly DiagramNode[]) {
  const fetcher = useFetcher();
  const [moves, setMoves] = useState<ReadonlyMap<string, Point>>(new Map());
  const waiting = useRef(new Map<string, Point>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A rejected move is reverted.
  useProblemToast(fetcher.data, () => setMoves(new Map()));

  // Loaded data contains all submitted moves; keep those not yet submitted.
  useEffect(() => {
    void loaded;
    setMoves(new Map(waiting.current));
  }, [loaded]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function send() {
    clearTimeout(timer.current);
    const list = [...waiting.current].map(([elementId, { x, y }]) => ({ elementId, posX: x, posY: y }));
    waiting.current.clear();
    if (list.length > 0) fetcher.submit({ moves: JSON.stringify(list) }, { method: 'post' });
  }

  return {
    nodes: useMemo(() => withMoves(loaded, moves), [loaded, moves]),
    /** `done` is true for the final position. */
    move(id: string, to: Point, done: boolean) {
      setMoves((before) => new Map(before).set(id, to));
      if (!done) return;
      waiting.current.set(id, to);
      clearTimeout(timer.current);
      timer.current = setTimeout(send, saveDelayMs);
    },
    putBack(ids: readonly string[]) {
      for (const id of ids) waiting.current.delete(id);
      const list = ids.map((elementId) => ({ elementId, posX: null, posY: null }));
      fetcher.submit({ moves: JSON.stringify(list) }, { method: 'post' });
    },
  };
}
