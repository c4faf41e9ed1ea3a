// Dialog with the keyboard shortcuts.
import { useRef } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useModal } from '../../ui/overlay/use-modal.ts';
import { useTranslation } from '../../ui/translation.tsx';

const rows = [
  [['Ctrl', 'K'], 'shell.palette'],
  [['/'], 'shell.key-filter'],
  [['g', 'h'], 'shell.key-home'],
  [['g', 'm'], 'shell.key-messages'],
  [['g', 's'], 'shell.key-scopes'],
  [['g', 'r'], 'shell.key-rules'],
  [['g', 'a'], 'shell.key-actions'],
  [['g', 'l'], 'shell.key-slots'],
  [['?'], 'shell.key-sheet'],
  [['Esc'], 'shell.key-close'],
] as const;

export default function ShortcutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="shortcuts"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="w-[min(24rem,calc(100vw-2rem))] rounded-lg border border-line bg-surface-raised shadow-float"
    >
      <div className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
        <h2 id="shortcuts" className="font-semibold">
          {t('shell.shortcuts')}
        </h2>
        <IconButton icon="close" label={t('verb.close')} onClick={onClose} />
      </div>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 px-4 py-3 text-sm">
        {rows.map(([keys, word]) => (
          <div key={word} className="col-span-2 grid grid-cols-subgrid">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-sm border border-line bg-surface-sunken px-1.5 text-center font-mono text-xs leading-5"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{t(word)}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
