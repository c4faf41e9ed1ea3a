// Queue of toasts that expire after 3 seconds, paused while hovered or focused.
import { systemTimers, type Timers } from './timers.ts';

export type ToastKind = 'success' | 'info' | 'warning' | 'error';

export interface Toast {
  /** 0 to 99, reused in rotation. */
  id: number;
  kind: ToastKind;
  text: string;
}

export const toastDurationMs = 3000;
export const toastIdCycle = 100;
/** Maximum number of toasts; a further one removes the oldest. */
export const maxToasts = 5;

export interface ToastQueue {
  /** Adds a toast and returns its id; an empty text (a cancelled request) adds nothing and returns null. */
  add(kind: ToastKind, text: string): number | null;
  remove(id: number): void;
  /** Pauses the timer on hover or focus. Calls are counted, so that ending one does not end the other. */
  hold(id: number): void;
  /** Ends one pause; after the last one the full time starts again. */
  release(id: number): void;
  /** The visible toasts, oldest first; the same array until something changes. */
  shown(): readonly Toast[];
  /** Calls the listener on every change until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** Creates a toast queue over a clock. */
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
