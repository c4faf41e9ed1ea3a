// Dialogs based on the native <dialog>, which traps focus, closes on Esc and restores focus.
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { useTranslation } from '../translation.tsx';

/**
 * Modal dialog. `onClose` is called on every attempt to close; `locked` ignores them while an operation is
 * running.
 */
export function Dialog(props: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  footer?: ReactNode;
  locked?: boolean;
  size?: 'confirm' | 'medium' | 'wide';
}) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const { open, locked = false, onClose, size = 'medium' } = props;

  useEffect(() => {
    const node = dialog.current!;
    if (open && !node.open) show(node);
    if (!open && node.open) node.close();
  }, [open]);
  // A dialog that is removed while it is open gives the focus back as well.
  useLayoutEffect(() => {
    const node = dialog.current!;
    return () => node.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way, the platform reports it as cancel
    <dialog
      ref={dialog}
      aria-labelledby={title}
      aria-busy={locked || undefined}
      onCancel={(event) => {
        event.preventDefault();
        if (!locked) onClose();
      }}
      onClose={() => {
        const node = dialog.current;
        if (!open || !node || node.open) return;
        // Pressed again without another interaction, Esc closes a dialog in spite of the handler above.
        if (locked) show(node);
        else onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current && !locked) onClose();
      }}
      className={classNames(
        'w-[calc(100vw-2rem)] rounded-lg border border-line bg-surface-raised p-0 shadow-float',
        size === 'confirm' && 'max-w-[380px]',
        size === 'medium' && 'max-w-xl',
        size === 'wide' && 'max-w-4xl',
      )}
    >
      {open && (
        <div className="flex max-h-[calc(100dvh-4rem)] flex-col">
          <header className="flex items-start justify-between gap-2 px-4 pt-3">
            <h2 id={title} className="py-0.5 text-lg font-semibold break-words">
              {props.title}
            </h2>
            <IconButton icon="close" label={t('ui.close')} onClick={onClose} disabled={locked} />
          </header>
          <div className="overflow-auto px-4 py-3 text-sm">{props.children}</div>
          {props.footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
              {props.footer}
            </footer>
          )}
        </div>
      )}
    </dialog>
  );
}

function show(node: HTMLDialogElement): void {
  node.showModal();
  // Focus the safe or primary control instead of the close button.
  node
    .querySelector<HTMLElement>('[data-first], form input:not([type=hidden]), form select, form textarea')
    ?.focus();
}

/** Confirmation dialog, by default for deleting; stays open until its owner closes it. */
export function ConfirmDialog(props: {
  open: boolean;
  title: string;
  text?: ReactNode;
  /** Why the confirmed operation failed. */
  error?: string;
  onConfirm: () => void;
  onCancel: () => void;
  /** The confirmed operation is running. */
  busy?: boolean;
  confirmLabel?: string;
  busyLabel?: string;
  danger?: boolean;
}) {
  const { t } = useTranslation();
  const { busy = false, danger = true } = props;
  return (
    <Dialog
      open={props.open}
      onClose={props.onCancel}
      title={props.title}
      locked={busy}
      size="confirm"
      footer={
        <>
          <Button data-first="" onClick={props.onCancel} disabled={busy}>
            {t('verb.cancel')}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={props.onConfirm}>
            {busy ? (props.busyLabel ?? t('verb.deleting')) : (props.confirmLabel ?? t('verb.delete'))}
          </Button>
        </>
      }
    >
      {props.text ?? t('ui.delete-text')}
      {props.error && (
        <p role="alert" className="mt-3 rounded-md bg-danger-bg px-3 py-2 break-words text-danger-fg">
          {props.error}
        </p>
      )}
    </Dialog>
  );
}
