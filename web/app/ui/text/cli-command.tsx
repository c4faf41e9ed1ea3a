// Shows the CLI command equivalent to the page, with a copy button.
import { useState } from 'react';
import { Icon } from '../icon.tsx';
import { useDismissibleDetails } from '../overlay/use-dismissible-details.ts';
import { useTranslation } from '../translation.tsx';
import { CopyButton } from './copy-id.tsx';
import { ScrollableText } from './scrollable-text.tsx';

/**
 * The command, or a function that computes it when opened; additional flags, e.g. of a form's values, are
 * loaded then too.
 */
export function CliCommand({
  command,
  loadFlags,
}: {
  command: string | (() => string);
  loadFlags?: () => Promise<string>;
}) {
  const { t } = useTranslation();
  const box = useDismissibleDetails();
  const [extraFlags, setExtraFlags] = useState('');
  const [lastLine, setLastLine] = useState(command);
  const baseCommand = typeof command === 'string' ? command : lastLine;
  const text = extraFlags ? `${baseCommand} ${extraFlags}` : baseCommand;

  return (
    <details
      ref={box}
      onToggle={(event) => {
        if (!event.currentTarget.open) return;
        if (typeof command !== 'string') setLastLine(command());
        loadFlags?.().then(setExtraFlags, () => setExtraFlags(''));
      }}
      className="relative print:hidden"
    >
      <summary
        title={t('ui.command')}
        className="inline-flex h-8 min-w-8 items-center justify-center rounded-md border border-line-strong/60 bg-surface px-2 text-sm hover:bg-hover"
      >
        <Icon name="terminal" label={t('ui.command')} />
      </summary>
      <div className="absolute right-0 z-30 mt-1 grid w-[min(36rem,calc(100vw-2rem))] gap-1 rounded-lg border border-line bg-surface-raised p-3 shadow-float">
        <p className="text-xs text-muted">{t('ui.command-hint')}</p>
        <div className="flex items-start gap-2">
          <ScrollableText className="max-h-40 min-w-0 flex-1 p-2 break-all whitespace-pre-wrap">
            {text}
          </ScrollableText>
          <CopyButton text={text} label={t('ui.copy-of', { name: t('ui.command') })} />
        </div>
      </div>
    </details>
  );
}
