// Notices that go away by themselves (spec sections 4 and 9): 3 seconds, waiting while somebody points at or focuses them.
import { systemTimers, type Timers } from './timers.ts';

export type ToastKind = 'success' | 'info' | 'warning' | 'error';

export interface Toast {
  /** 0 to 99, in turn. */
  id: number;
  kind: ToastKind;
  text: string;
}

export const toastDurationMs = 3000;
export const toastIdCycle = 100;
/** More than this many at once push out the oldest. */
export const maxToasts = 5;

export interface ToastQueue {
  /** Shows a notice and gives its id; an empty text (a cancelled request) shows nothing and gives null. */
  add(kind: ToastKind, text: string): number | null;
  remove(id: number): void;
  /** A pointer or the focus came: the time stands still. Counted, so that leaving with one keeps the other's hold. */
  hold(id: number): void;
  /** It left: with the last one the full time starts again. */
  release(id: number): void;
  /** The notices shown, oldest first; the same array until something changes. */
  shown(): readonly Toast[];
  /** Tells of every change until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** A queue of notices over a clock. */
export function createToastQueue({ timers = systemTimers }: { timers?: Timers } = {}): ToastQueue {
  const live = new Map<number, { held: number; timer: unknown }>();
  const listeners = new Set<() => void>();
  let toasts: readonly Toast[] = [];
  let next = 0;

  function change(changed: readonly Toast[]): void {
    toasts = changed;
    for (const listener of [...listeners]) listener();
  }
  function forget(id: number): void {
    const state = live.get(id);
    if (state) timers.clear(state.timer);
    live.delete(id);
  }
  function remove(id: number): void {
    if (!live.has(id)) return;
    forget(id);
    change(toasts.filter((toast) => toast.id !== id));
  }

  return {
    add(kind, text) {
      if (text === '') return null;
      const id = next;
      next = (next + 1) % toastIdCycle;
      const kept = [...toasts, { id, kind, text }];
      for (const gone of kept.slice(0, -maxToasts)) forget(gone.id);
      live.set(id, { held: 0, timer: timers.set(() => remove(id), toastDurationMs) });
      change(kept.slice(-maxToasts));
      return id;
    },
    remove,
    hold(id) {
      const state = live.get(id);
      if (!state) return;
      state.held += 1;
      timers.clear(state.timer);
    },
    release(id) {
      const state = live.get(id);
      if (!state || state.held === 0) return;
      state.held -= 1;
      if (state.held === 0) state.timer = timers.set(() => remove(id), toastDurationMs);
    },
    shown: () => toasts,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
