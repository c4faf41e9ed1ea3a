// Toasts: shown for 3 seconds, paused while focused or hovered.
import { createToastQueue, type Toast, type ToastKind, type ToastQueue } from '@yagura/core/live/toast-queue';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { IconButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { toneIcon, toneText } from '../tones.ts';
import { useTranslation } from '../translation.tsx';

export type Toaster = Record<ToastKind, (text: string) => void>;

const noToasts: readonly Toast[] = [];

const ToastContext = createContext<Toaster | null>(null);

/** Provides the toasts for all components below it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [{ queue, toaster }] = useState(createToaster);
  const toasts = useSyncExternalStore(queue.subscribe, queue.shown, () => noToasts);
  return (
    <ToastContext value={toaster}>
      {children}
      <section
        aria-label={t('ui.notices')}
        aria-live="polite"
        className="pointer-events-none fixed right-4 bottom-4 z-90 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2 print:hidden"
      >
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} queue={queue} />
        ))}
      </section>
    </ToastContext>
  );
}

/** Returns the functions that show toasts: `toast.success(text)`, `info`, `warning`, `error`. */
export function useToast(): Toaster {
  const toaster = useContext(ToastContext);
  if (!toaster) throw new Error('useToast wants a ToastProvider above it');
  return toaster;
}

function createToaster(): { queue: ToastQueue; toaster: Toaster } {
  const queue = createToastQueue();
  const add = (kind: ToastKind) => (text: string) => void queue.add(kind, text);
  const toaster = {
    success: add('success'),
    info: add('info'),
    warning: add('warning'),
    error: add('error'),
  };
  return { queue, toaster };
}

function ToastCard({ toast, queue }: { toast: Toast; queue: ToastQueue }) {
  const { t } = useTranslation();
  const card = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const node = card.current!;
    const pauseTimer = () => queue.hold(toast.id);
    const resumeTimer = () => queue.release(toast.id);
    const ifOutside = (change: () => void) => (event: FocusEvent) => {
      if (!node.contains(event.relatedTarget as Node | null)) change();
    };
    const listening = new AbortController();
    node.addEventListener('pointerenter', pauseTimer, listening);
    node.addEventListener('pointerleave', resumeTimer, listening);
    node.addEventListener('focusin', ifOutside(pauseTimer), listening);
    node.addEventListener('focusout', ifOutside(resumeTimer), listening);
    return () => listening.abort();
  }, [queue, toast.id]);

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
        className={classNames('mt-1', toneText[tone])}
      />
      <p className="min-w-0 flex-1 py-0.5 break-words">{toast.text}</p>
      <IconButton icon="close" label={t('ui.dismiss')} onClick={() => queue.remove(toast.id)} />
    </div>
  );
}
