// Confirmation dialog whose button is disabled until the name of the item is typed.
import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { controlClass } from '../field/field-frame.tsx';
import { useTranslation } from '../translation.tsx';
import { Dialog } from './dialog.tsx';

export function ConfirmByName(props: {
  open: boolean;
  title: string;
  text?: ReactNode;
  /** Text that has to be typed. */
  name: string;
  confirmLabel?: string;
  busyLabel?: string;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const { busy = false } = props;
  const [inputValue, setInputValue] = useState('');
  // Japanese input may contain full-width characters and surrounding spaces.
  const same = inputValue.normalize('NFKC').trim() === props.name.normalize('NFKC').trim();
  const cancel = () => {
    setInputValue('');
    props.onCancel();
  };
  return (
    <Dialog
      open={props.open}
      onClose={cancel}
      title={props.title}
      locked={busy}
      size="confirm"
      footer={
        <>
          <Button onClick={cancel} disabled={busy}>
            {t('verb.cancel')}
          </Button>
          <Button variant="danger" busy={busy} disabled={!same} onClick={props.onConfirm}>
            {busy ? (props.busyLabel ?? t('verb.deleting')) : (props.confirmLabel ?? t('verb.delete'))}
          </Button>
        </>
      }
    >
      {props.text ?? t('ui.delete-text')}
      <label className="mt-3 grid gap-1">
        <span>{t('ui.type-name', { name: props.name })}</span>
        <input
          data-first=""
          value={inputValue}
          autoComplete="off"
          spellCheck={false}
          disabled={busy}
          onChange={(event) => setInputValue(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && same && !event.nativeEvent.isComposing) props.onConfirm();
          }}
          className={classNames(controlClass, 'h-8')}
        />
      </label>
    </Dialog>
  );
}
