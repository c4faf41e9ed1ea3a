// Short notices that go away by themselves (spec section 9): 3 seconds, waiting while somebody looks or points at them.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useReducer, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import { toneIcon, toneText } from './tones.ts';
import { useWords } from './words.tsx';

export type ToastKind = 'success' | 'info' | 'warning' | 'error';
export type Toaster = Record<ToastKind, (text: string) => void>;

const displayTime = 3000;
const idCycle = 100;
/** More than this many at once push out the oldest. */
const maxToasts = 5;

interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

interface State {
  next: number;
  toasts: Toast[];
}

type Change = { add: Omit<Toast, 'id'> } | { remove: number };

function reduce(state: State, change: Change): State {
  if ('remove' in change) {
    return { ...state, toasts: state.toasts.filter((toast) => toast.id !== change.remove) };
  }
  const toast = { ...change.add, id: state.next };
  return { next: (state.next + 1) % idCycle, toasts: [...state.toasts, toast].slice(-maxToasts) };
}

const ToastContext = createContext<Toaster | null>(null);

/** Holds the notices of everything below it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useWords();
  const [{ toasts }, dispatch] = useReducer(reduce, { next: 0, toasts: [] });
  const toaster = useMemo<Toaster>(() => {
    const add = (kind: ToastKind) => (text: string) => dispatch({ add: { kind, text } });
    return { success: add('success'), info: add('info'), warning: add('warning'), error: add('error') };
  }, []);
  return (
    <ToastContext value={toaster}>
      {children}
      <section
        aria-label={t('ui.notices')}
        aria-live="polite"
        className="pointer-events-none fixed right-4 bottom-4 z-90 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2"
      >
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onClose={() => dispatch({ remove: toast.id })} />
        ))}
      </section>
    </ToastContext>
  );
}

/** Shows notices: `toast.success(text)`, `info`, `warning`, `error`. */
export function useToast(): Toaster {
  const toaster = useContext(ToastContext);
  if (!toaster) throw new Error('useToast wants a ToastProvider above it');
  return toaster;
}

function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const { t } = useWords();
  const card = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const node = card.current!;
    let held = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = () => {
      clearTimeout(timer);
      timer = setTimeout(() => close.current(), displayTime);
    };
    const hold = () => {
      held += 1;
      clearTimeout(timer);
    };
    const release = () => {
      held = Math.max(0, held - 1);
      if (held === 0) start();
    };
    const entering = (event: FocusEvent) => !node.contains(event.relatedTarget as Node | null) && hold();
    const leaving = (event: FocusEvent) => !node.contains(event.relatedTarget as Node | null) && release();
    node.addEventListener('pointerenter', hold);
    node.addEventListener('pointerleave', release);
    node.addEventListener('focusin', entering);
    node.addEventListener('focusout', leaving);
    start();
    return () => {
      clearTimeout(timer);
      node.removeEventListener('pointerenter', hold);
      node.removeEventListener('pointerleave', release);
      node.removeEventListener('focusin', entering);
      node.removeEventListener('focusout', leaving);
    };
  }, []);

  const tone = toast.kind === 'error' ? 'danger' : toast.kind;
  return (
    <div
      ref={card}
      role={toast.kind === 'error' ? 'alert' : 'status'}
      data-toast={toast.id}
      className="pointer-events-auto flex items-start gap-2 rounded-lg border border-line bg-surface-raised py-2 pr-1.5 pl-3 text-sm shadow-float"
    >
      <Icon
        name={toneIcon[tone]}
        label={t(`ui.toast-${toast.kind}`)}
        className={classes('mt-1', toneText[tone])}
      />
      <p className="min-w-0 flex-1 py-0.5 break-words">{toast.text}</p>
      <IconButton icon="close" label={t('ui.dismiss')} onClick={onClose} />
    </div>
  );
}
