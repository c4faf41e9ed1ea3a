// The things of a diagram with what was moved here put in place at once, and kept by the server when the moving rests.
import { useFetcher } from '@remix-run/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { type DiagramNode, type Point, withMoves } from './diagram-layout.ts';

/** What is moved by keys is kept when the keys rest (spec section 9); in milliseconds. */
const saveDelayMs = 500;

export function useMoves(loaded: readonly DiagramNode[]) {
  const fetcher = useFetcher();
  const [moves, setMoves] = useState<ReadonlyMap<string, Point>>(new Map());
  const waiting = useRef(new Map<string, Point>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A refused move goes back to where it was.
  useProblemToast(fetcher.data, () => setMoves(new Map()));

  // What has come from the server knows all moves that were sent; those that still wait stay.
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
    /** `done` once the thing is where it shall stay. */
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
