// Value that is edited in place: a pencil button opens a small form next to it.
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { controlClass } from '../field/field-frame.tsx';
import { positionNear } from '../overlay/position-near.ts';
import { useTranslation } from '../translation.tsx';

/**
 * `onSave` resolves to an error message, or to nothing if the text was saved; the popup stays open until
 * then.
 */
export function InlineEdit(props: {
  label: string;
  value: string;
  maxLength?: number;
  onSave: (text: string) => Promise<string | undefined>;
}) {
  const { t } = useTranslation();
  const box = useRef<HTMLDialogElement>(null);
  const anchor = useRef<HTMLSpanElement>(null);
  const [text, setText] = useState(props.value);
  const [busy, setBusy] = useState(false);
  const [reason, setReason] = useState<string>();
  const close = () => box.current?.close();

  useEffect(() => {
    const outside = (event: Event) => {
      if (!busy && !box.current?.contains(event.target as Node)) close();
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [busy]);

  function open() {
    setText(props.value);
    setReason(undefined);
    box.current!.show();
    positionNear(box.current!, anchor.current!);
    box.current!.querySelector('input')?.select();
  }

  async function save() {
    setBusy(true);
    const refused = await props.onSave(text).finally(() => setBusy(false));
    setReason(refused);
    if (refused === undefined) close();
  }

  return (
    <span ref={anchor} className="inline-flex max-w-full items-center gap-1">
      <span className="min-w-0 truncate">{props.value}</span>
      <IconButton icon="edit" label={`${t('verb.edit')}: ${props.label}`} onClick={open} />
      <dialog
        ref={box}
        aria-label={props.label}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || busy) return;
          event.stopPropagation();
          close();
        }}
        className="fixed z-80 m-0 w-[min(360px,calc(100vw-1rem))] rounded-lg border border-line bg-surface-raised p-3 shadow-float"
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) save();
          }}
          className="grid gap-2"
        >
          <label className="grid gap-1 text-sm">
            {props.label}
            <input
              value={text}
              maxLength={props.maxLength}
              autoComplete="off"
              aria-invalid={reason ? true : undefined}
              onChange={(event) => setText(event.target.value)}
              className={classNames(controlClass, 'h-8')}
            />
          </label>
          {reason && (
            <p role="alert" className="text-xs text-danger-fg">
              {reason}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <Button size="small" onClick={close} disabled={busy}>
              {t('verb.cancel')}
            </Button>
            <Button size="small" type="submit" variant="primary" busy={busy}>
              {t('verb.save')}
            </Button>
          </div>
        </form>
      </dialog>
    </span>
  );
}
